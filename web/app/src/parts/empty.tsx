import { at } from "../client";
import { Picture, Shape } from "./board";
import { useGame } from "./games";

interface Props {
  text: string;
  path: string;
  action: string;
  /** "strong" on pages that have a primary button already. */
  button?: "primary" | "strong";
}

/** The place of a list that has no entries yet: a small board, a sentence, and what to do next. */
export function Empty({ text, path, action, button = "primary" }: Props) {
  const { value: game } = useGame("metamachy");
  return (
    <div class="notice nothing-yet">
      <div class="small-board" aria-hidden="true">
        <Shape of={{ files: 12, ranks: 12 }}>
          {game && <Picture files={game.files} ranks={game.ranks} pieceTypes={game.pieces} fen={game.start_fen} />}
        </Shape>
      </div>
      <p>{text}</p>
      <a class={`button ${button}`} href={at(path)}>
        {action}
      </a>
    </div>
  );
}
