import { readHoles } from "@acedrex/board";
import { useMemo, useState } from "preact/hooks";
import { MAX_SIDE, MIN_SIDE } from "../../../core/src/limits.ts";
import { type Change, Palette, usePlacing } from "../analysis/placing";
import { t } from "../i18n";
import { fenOf } from "../learn/placement";
import { BoardView } from "../parts/board";
import { Check } from "../parts/choices";
import type { Side } from "../wire";
import { TextKey } from "./fields";
import type { OpenDraft } from "./open-draft";
import { mirrored, piecesOf, pieceTypesOf, resized, sizeOfBoard, startOf, withStart } from "./piece-types";

/** The name, the board, and the pieces at the start. */
export function BoardForm({ draft, placed }: { draft: OpenDraft; placed: string | null }) {
  const size = sizeOfBoard(draft.textAt(["game", "board"]));
  const { files, ranks } = size;
  const pieceTypes = pieceTypesOf(draft);
  const fen = startOf(draft);
  const [mirrors, setMirrors] = useState(true);
  const pieces = useMemo(() => piecesOf(fen, size), [fen, files, ranks]);

  /** Sets and removes pieces; what is done for one side is mirrored for the other. */
  const change: Change = (gone, came) => {
    const off = new Set(mirrors ? gone.flatMap((square) => [square, mirrored(square, ranks)]) : gone);
    for (const { square } of came) off.add(square);
    const other = (side: Side): Side => (side === "white" ? "black" : "white");
    const twins = came
      .map((piece) => ({ ...piece, square: mirrored(piece.square, ranks), side: other(piece.side) }))
      .filter(({ square }) => mirrors && !came.some((piece) => piece.square === square));
    for (const { square } of twins) off.add(square);
    const next = [...pieces.filter(({ square }) => !off.has(square)), ...came, ...twins];
    draft.write(withStart(draft, fenOf(next, files, ranks, fen)));
  };
  /** Makes a hole, or takes one away; the board stays the same from both sides. */
  const dig = (square: string) => {
    const both = [square, mirrored(square, ranks)];
    const holes = new Set(readHoles(fen));
    const there = holes.has(square);
    for (const one of both) there ? holes.delete(one) : holes.add(one);
    const left = pieces.filter((piece) => !both.includes(piece.square));
    draft.write(withStart(draft, fenOf(left, files, ranks, fen, holes)));
  };
  const first = placed ? ({ what: "put", letter: placed, side: "white" } as const) : undefined;
  const board = usePlacing({ pieceTypes, pieces, fen, change, dig, first });
  const resize = (next: { files: number; ranks: number }) => {
    const holes = next.ranks === ranks ? readHoles(fen) : undefined;
    const start = fenOf(resized(pieces, ranks, next), next.files, next.ranks, fen, holes ?? new Set());
    draft.write(withStart(draft, start, `${next.files}x${next.ranks}`));
  };
  return (
    <div class="studio-columns" {...board.handlers}>
      {board.view}
      <div class="editor-board studio-board" style={{ "--aspect": String(files / ranks) }}>
        <BoardView
          key={`${files}x${ranks}`}
          files={files}
          ranks={ranks}
          pieceTypes={pieceTypes}
          position={board.position}
          premoves={false}
          hints={board.hints}
          fit="width"
          onSquare={board.press}
        />
      </div>
      <div class="studio-panel">
        <TextKey draft={draft} path={["game", "name"]} label={t("studio.name")} />
        <fieldset>
          <legend>{t("studio.size")}</legend>
          <div class="together">
            <Length label={t("studio.files")} value={files} onChange={(value) => resize({ files: value, ranks })} />
            <span aria-hidden="true">×</span>
            <Length label={t("studio.ranks")} value={ranks} onChange={(value) => resize({ files, ranks: value })} />
          </div>
        </fieldset>
        <fieldset class="tray">
          <legend>{t("studio.start")}</legend>
          <p class="help">{t("studio.start.help")}</p>
          <Palette {...board.palette} />
        </fieldset>
        <Check label={t("studio.mirror")} checked={mirrors} onChange={setMirrors} />
        <details>
          <summary>{t("studio.texts")}</summary>
          <TextKey draft={draft} path={["game", "id"]} label={t("studio.id")} help={t("studio.id.help")} />
          <TextKey draft={draft} path={["game", "author"]} label={t("studio.author")} />
          <TextKey draft={draft} path={["game", "summary"]} label={t("studio.summary")} />
          <TextKey draft={draft} path={["game", "story"]} label={t("studio.story")} rows={5} />
        </details>
      </div>
    </div>
  );
}

function Length({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  const sides = Array.from({ length: MAX_SIDE - MIN_SIDE + 1 }, (_, index) => MIN_SIDE + index);
  return (
    <label>
      <span class="hidden">{label}</span>
      <select value={String(value)} onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}>
        {sides.map((side) => (
          <option key={side} value={String(side)}>
            {side}
          </option>
        ))}
      </select>
    </label>
  );
}
