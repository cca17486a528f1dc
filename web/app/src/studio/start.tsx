import { stillPosition } from "@acedrex/board";
import type { ComponentChildren } from "preact";
import { BoardView } from "../parts/board";
import { kindsOf, piecesOf, sizeOfBoard, startOf } from "./kinds";
import type { OpenDraft } from "./open-draft";
import { Problems } from "./problems";

/** The start of the game as it is now; "?" shows how a piece moves, by the last text without faults. */
export function Start({ draft }: { draft: OpenDraft }) {
  const game = draft.game.value?.game;
  const size = sizeOfBoard(draft.textAt(["game", "board"]));
  const definition = draft.game.value?.text ?? "";
  if (!game || !draft.sound.value) {
    const pieces = piecesOf(startOf(draft), size);
    const position = { ...stillPosition(""), pieces };
    return (
      <div class="studio-board" style={{ "--aspect": String(size.files / size.ranks) }}>
        <BoardView
          key={`${size.files}x${size.ranks}`}
          {...size}
          kinds={kindsOf(draft)}
          position={position}
          fit="width"
          still
        />
      </div>
    );
  }
  return (
    <div class="studio-board" style={{ "--aspect": String(game.files / game.ranks) }}>
      <BoardView
        key={definition}
        files={game.files}
        ranks={game.ranks}
        kinds={game.pieces}
        position={game.start}
        seat={null}
        fit="width"
        reach={(square, _, alone) => draft.reach(square, alone)}
      />
    </div>
  );
}

/** A panel beside the start of the game and what is wrong with it. */
export function BesideStart({ draft, children }: { draft: OpenDraft; children: ComponentChildren }) {
  return (
    <div class="studio-columns">
      <div>
        <Start draft={draft} />
        <Problems draft={draft} />
      </div>
      <div class="studio-panel">{children}</div>
    </div>
  );
}
