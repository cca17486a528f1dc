import { stillPosition } from "@acedrex/board";
import { Eraser, Hand } from "lucide";
import { useMemo, useState } from "preact/hooks";
import { squareAt, useCarry } from "../analysis/carry";
import { t } from "../i18n";
import { fenOf } from "../learn/placement";
import { BoardView, PieceDrawing } from "../parts/board";
import { Check } from "../parts/choices";
import { Icon } from "../parts/icon";
import type { PieceOn, Side } from "../wire";
import { TextKey } from "./fields";
import { kindsOf, mirrored, piecesOf, resized, SIDES, sizeOfBoard, startOf, withStart } from "./kinds";
import type { OpenDraft } from "./open-draft";

type Tool = { what: "put"; letter: string; side: Side } | { what: "erase" } | { what: "move" };

/** The name, the board, and the pieces at the start. */
export function BoardForm({ draft, placed }: { draft: OpenDraft; placed: string | null }) {
  const size = sizeOfBoard(draft.textAt(["game", "board"]));
  const { files, ranks } = size;
  const kinds = kindsOf(draft);
  const fen = startOf(draft);
  const [tool, setTool] = useState<Tool>(placed ? { what: "put", letter: placed, side: "white" } : { what: "move" });
  const [lifted, setLifted] = useState<string | null>(null);
  const [mirrors, setMirrors] = useState(true);
  const pieces = useMemo(() => piecesOf(fen, size), [fen, files, ranks]);
  const position = useMemo(() => ({ ...stillPosition(""), pieces }), [pieces]);
  const pieceOn = (square: string | null) => pieces.find((piece) => piece.square === square);

  /** Sets and removes pieces; what is done for one side is mirrored for the other. */
  const change = (gone: string[], came: PieceOn[]) => {
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
  const carry = useCarry(
    (event) => {
      const { palette, side } = (event.target as Element).closest<HTMLElement>("[data-palette]")?.dataset ?? {};
      const from = palette ? null : squareAt(event);
      const kind = kinds.find(({ letter }) => letter === (palette ?? pieceOn(from)?.letter));
      return kind ? { kind, side: palette ? (side as Side) : (pieceOn(from)?.side ?? "white"), from } : null;
    },
    ({ kind, side, from }, square) => {
      setLifted(null);
      if (square === from) return;
      change(from ? [from] : [], square ? [{ square, letter: kind.letter, side }] : []);
    },
  );
  const press = (square: string) => {
    if (carry.used()) return;
    const there = pieceOn(square);
    if (tool.what === "erase") change([square], []);
    else if (tool.what === "put") {
      const same = there?.letter === tool.letter && there.side === tool.side;
      change([square], same ? [] : [{ square, letter: tool.letter, side: tool.side }]);
    } else if (lifted === null) setLifted(there ? square : null);
    else {
      const piece = pieceOn(lifted);
      setLifted(null);
      if (piece && lifted !== square) change([lifted], [{ ...piece, square }]);
    }
  };
  const ringed = carry.carried?.from ?? lifted;
  const hints = useMemo(() => (ringed ? [{ from: ringed, to: ringed, colour: "gold" as const }] : []), [ringed]);
  const resize = (next: { files: number; ranks: number }) => {
    const start = fenOf(resized(pieces, ranks, next), next.files, next.ranks, fen);
    draft.write(withStart(draft, start, `${next.files}x${next.ranks}`));
  };
  return (
    <div class="studio-columns" {...carry.handlers}>
      {carry.view}
      <div class="editor-board studio-board" style={{ "--aspect": String(files / ranks) }}>
        <BoardView
          key={`${files}x${ranks}`}
          files={files}
          ranks={ranks}
          kinds={kinds}
          position={position}
          premoves={false}
          hints={hints}
          fit="width"
          onSquare={press}
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
          {(["white", "black"] as const).map((side) => (
            <div class="tray-row" key={side}>
              {kinds.map((kind) => (
                <button
                  type="button"
                  class="quiet"
                  key={kind.letter}
                  title={kind.name}
                  aria-label={t(side === "white" ? "board.whitePiece" : "board.blackPiece", { piece: kind.name })}
                  data-palette={kind.letter}
                  data-side={side}
                  aria-pressed={tool.what === "put" && tool.letter === kind.letter && tool.side === side}
                  onClick={() => {
                    if (carry.used()) return;
                    setTool({ what: "put", letter: kind.letter, side });
                    setLifted(null);
                  }}
                >
                  <PieceDrawing kind={kind} side={side} />
                </button>
              ))}
            </div>
          ))}
          <div class="together studio-tools">
            <button type="button" aria-pressed={tool.what === "move"} onClick={() => setTool({ what: "move" })}>
              <Icon of={Hand} size={18} /> {t("analysis.edit.move")}
            </button>
            <button type="button" aria-pressed={tool.what === "erase"} onClick={() => setTool({ what: "erase" })}>
              <Icon of={Eraser} size={18} /> {t("analysis.edit.erase")}
            </button>
          </div>
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
  const sides = Array.from({ length: SIDES.most - SIDES.least + 1 }, (_, index) => SIDES.least + index);
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
