import { stillPosition } from "@acedrex/board";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { t } from "../i18n";
import { BoardView } from "../parts/board";
import { kindsOf, piecesOf, sizeOfBoard, startOf } from "./kinds";
import type { OpenDraft } from "./open-draft";
import type { Picking } from "./picking";
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

/** The start, with rings around the squares that are chosen on it. */
function PickingBoard({ draft, picking }: { draft: OpenDraft; picking: Picking }) {
  const size = sizeOfBoard(draft.textAt(["game", "board"]));
  const { squares = [], press } = picking.picked.value ?? {};
  const fen = startOf(draft);
  const position = useMemo(
    () => ({ ...stillPosition(""), pieces: piecesOf(fen, size) }),
    [fen, size.files, size.ranks],
  );
  const list = squares.join(" ");
  const hints = useMemo(() => squares.map((square) => ({ from: square, to: square, colour: "gold" as const })), [list]);
  return (
    <div class="studio-board" style={{ "--aspect": String(size.files / size.ranks) }}>
      <BoardView
        key={`${size.files}x${size.ranks}`}
        {...size}
        kinds={kindsOf(draft)}
        position={position}
        hints={hints}
        premoves={false}
        fit="width"
        onSquare={(square) => press?.(square)}
      />
    </div>
  );
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
