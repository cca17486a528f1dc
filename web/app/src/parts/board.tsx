import {
  type Board,
  type BoardOptions,
  createBoard,
  installPieces,
  pieceSymbol,
  type Settings,
  stillPosition,
} from "@acedrex/board";
import "@acedrex/board/tokens.css";
import "@acedrex/board/board.css";
import drawings from "@acedrex/board/pieces.svg?url";
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { settings } from "../client";
import { boardTexts } from "../i18n";
import type { PieceKind, Side } from "../wire";

// Boards wait for the drawings of the pieces; otherwise they would first show letters and then change.
const ready = signal(false);
fetch(drawings)
  .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(answer.statusText))))
  .then(installPieces)
  .catch(() => undefined)
  .finally(() => {
    ready.value = true;
  });

type Props = BoardOptions & {
  class?: string;
  /** Set to the board, for a caller that types into it or has it announce something. */
  held?: { current: Board | null };
};

/** The board widget as a component: changed props are set on the board. */
export function BoardView({ class: name, held, ...options }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const board = useRef<Board | null>(null);
  const before = useRef<BoardOptions>({});
  const latest = useRef<BoardOptions>(options);
  const { pieces, sounds, coordinates, confirm } = settings.value;
  const all: BoardOptions = {
    pieceSet: pieces,
    sound: sounds === "on",
    coordinates: coordinates === "on" ? "margin" : "none",
    confirm,
    texts: boardTexts(),
    ...options,
  };
  latest.current = all;

  useLayoutEffect(() => {
    const element = place.current;
    if (!ready.value || !element) return;
    before.current = latest.current;
    // Callbacks are looked up when they are called, so that they are always those of the latest render.
    const calls = Object.fromEntries(
      Object.keys(latest.current)
        .filter((key) => typeof latest.current[key as keyof BoardOptions] === "function")
        .map((key) => [
          key,
          (...values: unknown[]) => (latest.current as Record<string, (...of: unknown[]) => unknown>)[key]?.(...values),
        ]),
    );
    const created = createBoard(element, { ...latest.current, ...calls });
    board.current = created;
    if (held) held.current = created;
    return () => {
      created.destroy();
      board.current = null;
      if (held) held.current = null;
    };
  }, [ready.value]);

  useEffect(() => {
    if (!board.current) return;
    const changes = Object.fromEntries(
      Object.entries(all).filter(
        ([key, value]) => typeof value !== "function" && before.current[key as keyof BoardOptions] !== value,
      ),
    );
    before.current = all;
    if (Object.keys(changes).length > 0) board.current.set(changes as Partial<Settings>);
  });

  return <div ref={place} class={name} />;
}

/** A position as a picture, without interaction. */
export function Picture({
  files,
  ranks,
  kinds,
  fen,
  orientation = "white",
  setup,
  class: name,
}: {
  files: number;
  ranks: number;
  kinds: PieceKind[];
  fen: string;
  orientation?: Side;
  setup?: Settings["setup"];
  class?: string;
}) {
  const position = useMemo(() => stillPosition(fen), [fen]);
  return (
    <BoardView
      class={name ?? "picture"}
      files={files}
      ranks={ranks}
      kinds={kinds}
      position={position}
      orientation={orientation}
      setup={setup ?? null}
      coordinates="none"
      fit="width"
      still
    />
  );
}

/** One piece, drawn as on the boards. */
export function PieceDrawing({ kind, side, size = 32 }: { kind: PieceKind; side: Side; size?: number }) {
  if (!ready.value) return <svg width={size} height={size} aria-hidden="true" />;
  return (
    <svg class="drawing" width={size} height={size} aria-hidden="true">
      <use href={`#${pieceSymbol(kind, side, settings.value.pieces)}`} />
    </svg>
  );
}
