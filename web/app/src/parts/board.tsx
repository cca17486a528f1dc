import {
  type Board,
  type BoardOptions,
  createBoard,
  type Docks,
  installPieces,
  pieceSymbol,
  type Settings,
  stillPosition,
} from "@acedrex/board";
import "@acedrex/board/tokens.css";
import "@acedrex/board/board.css";
import drawings from "@acedrex/board/pieces.svg?url";
import { signal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { type Settings as Chosen, settings } from "../client";
import { boardTexts } from "../i18n";
import type { PieceType, Side } from "../wire";

// Boards wait for the drawings of the pieces; otherwise they would first show letters and then change.
export const drawn = signal(false);
fetch(drawings)
  .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(answer.statusText))))
  .then(installPieces)
  .catch(() => undefined)
  .finally(() => {
    drawn.value = true;
  });

type Props = BoardOptions & {
  class?: string;
  /** Set to the board, for a caller that types into it or has it announce something. */
  held?: { current: Board | null };
  docks?: Partial<Record<keyof Docks, Dock>>;
};

/** An element of the page that receives a part of a board. */
export type Dock = RefObject<HTMLDivElement | null>;

/** Elements of the page that receive the board's bar, tools and captured pieces. */
export function useDocks(): Record<keyof Docks, Dock> {
  return {
    bar: useRef<HTMLDivElement>(null),
    tools: useRef<HTMLDivElement>(null),
    above: useRef<HTMLDivElement>(null),
    below: useRef<HTMLDivElement>(null),
  };
}

/** The board widget as a component: changed props are set on the board. */
export function BoardView({ class: name, held, docks = {}, ...options }: Props) {
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
    if (!drawn.value || !element) return;
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
    const places = Object.fromEntries(
      Object.entries(docks).flatMap(([name, { current }]) => (current ? [[name, current]] : [])),
    );
    const created = createBoard(element, { ...latest.current, ...calls, docks: places });
    board.current = created;
    if (held) held.current = created;
    return () => {
      created.destroy();
      board.current = null;
      if (held) held.current = null;
    };
  }, [drawn.value]);

  // With the rest of the page, such as the list of moves, and not a moment later.
  useLayoutEffect(() => {
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

/** Sets the shape of the page's board as a CSS variable, from which the style sheet computes the width of the page. */
export function useAspect({ files, ranks }: { files: number; ranks: number }): void {
  useLayoutEffect(() => {
    document.documentElement.style.setProperty("--aspect", String(files / ranks));
  }, [files, ranks]);
}

/** A position as a picture, without interaction. */
export function Picture({
  files,
  ranks,
  pieceTypes,
  fen,
  orientation = "white",
  setup,
  class: name,
}: {
  files: number;
  ranks: number;
  pieceTypes: PieceType[];
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
      pieceTypes={pieceTypes}
      position={position}
      orientation={orientation}
      setup={setup ?? null}
      coordinates="none"
      fit="width"
      still
    />
  );
}

/** The place of a board, which has its shape before the board is loaded. */
export function Shape({ of, children }: { of: { files: number; ranks: number }; children?: ComponentChildren }) {
  return <div style={{ aspectRatio: `${of.files} / ${of.ranks}` }}>{children}</div>;
}

/** One piece, drawn as on the boards. */
export function PieceDrawing({ kind, side, size = 32 }: { kind: PieceType; side: Side; size?: number }) {
  if (!drawn.value) return <svg width={size} height={size} aria-hidden="true" />;
  return (
    <svg class="drawing" width={size} height={size} aria-hidden="true">
      <use href={`#${pieceSymbol(kind, side, settings.value.pieces)}`} />
    </svg>
  );
}

/** A corner of a board with pieces of both sides on squares of both colours, for the choice of a board or a set. */
export function Sample({
  pieceTypes,
  board,
  pieces,
}: {
  pieceTypes: PieceType[];
  board: Chosen["board"];
  pieces: Chosen["pieces"];
}) {
  const shown = drawn.value ? SAMPLE.flatMap((letter) => pieceTypes.find((kind) => kind.letter === letter) ?? []) : [];
  return (
    <svg class="sample" data-board={board} viewBox="0 0 400 200" width="176" height="88" aria-hidden="true">
      <rect class="light" width="400" height="200" />
      <path class="dark" d="M100 0h100v100h-200v100h100v-200M300 0h100v100h-200v100h100v-200" />
      {shown.map((kind, file) =>
        (["black", "white"] as const).map((side, rank) => (
          <use
            key={side}
            href={`#${pieceSymbol(kind, side, pieces)}`}
            x={file * 100 + 2}
            y={rank * 100 + 2}
            width="96"
            height="96"
          />
        )),
      )}
    </svg>
  );
}

const SAMPLE = ["K", "G", "C", "N"];
