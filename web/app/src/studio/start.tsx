import { stillPosition } from "@acedrex/board";
import type { ComponentChildren, ComponentProps } from "preact";
import { useMemo } from "preact/hooks";
import { t } from "../i18n";
import { BoardView } from "../parts/board";
import { Waiting } from "../parts/loaded";
import type { OpenDraft } from "./open-draft";
import type { Picking } from "./picking";
import { piecesOf, pieceTypesOf, sizeOfBoard, startOf } from "./piece-types";
import { Problems } from "./problems";

type Options = ComponentProps<typeof BoardView>;

/** A board as wide as its column. */
function StudioBoard({ files, ranks, ...options }: Options & { files: number; ranks: number }) {
  return (
    <div class="studio-board" style={{ "--aspect": String(files / ranks) }}>
      <BoardView files={files} ranks={ranks} fit="width" {...options} />
    </div>
  );
}

/** The start that the text says, whatever its faults. */
function StartAsWritten({ draft, ...options }: Options & { draft: OpenDraft }) {
  const size = sizeOfBoard(draft.textAt(["game", "board"]));
  const fen = startOf(draft);
  const position = useMemo(
    () => ({ ...stillPosition(fen), pieces: piecesOf(fen, size) }),
    [fen, size.files, size.ranks],
  );
  const key = `${size.files}x${size.ranks}`;
  return <StudioBoard key={key} {...size} pieceTypes={pieceTypesOf(draft)} position={position} {...options} />;
}

/** The start; while the text cannot be read, the last one. "?" shows moves by the last text without faults. */
export function Start({ draft }: { draft: OpenDraft }) {
  const { game, text } = draft.game.value ?? {};
  if (draft.document.value && !draft.sound.value) return <StartAsWritten draft={draft} still />;
  if (!game) return draft.waiting.value ? <Waiting /> : <div />;
  return (
    <StudioBoard
      key={text}
      files={game.files}
      ranks={game.ranks}
      pieceTypes={game.pieces}
      position={game.start}
      seat={null}
      reach={(square, _, alone) => draft.reach(square, alone)}
    />
  );
}

/** The start, with rings around the squares that are chosen on it. */
function PickingBoard({ draft, picking }: { draft: OpenDraft; picking: Picking }) {
  const { squares = [], press } = picking.picked.value ?? {};
  const list = squares.join(" ");
  const hints = useMemo(() => squares.map((square) => ({ from: square, to: square, colour: "gold" as const })), [list]);
  return <StartAsWritten draft={draft} hints={hints} premoves={false} onSquare={(square) => press?.(square)} />;
}

/** A panel beside the start of the game, on which squares can be picked, and what is wrong with it. */
export function BesideStart({
  draft,
  picking,
  children,
}: {
  draft: OpenDraft;
  picking?: Picking;
  children: ComponentChildren;
}) {
  return (
    <div class="studio-columns">
      <div class={picking?.path ? "studio-picking" : undefined}>
        {picking?.path ? (
          <>
            <PickingBoard draft={draft} picking={picking} />
            <p class="together">
              {t("studio.squares.picking")}
              <button type="button" onClick={() => picking.choose(null)}>
                {t("studio.squares.done")}
              </button>
            </p>
          </>
        ) : (
          <Start draft={draft} />
        )}
        <Problems draft={draft} />
      </div>
      <div class="studio-panel">{children}</div>
    </div>
  );
}
