import { stillPosition } from "@acedrex/board";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { count, t } from "../i18n";
import { fenOf, pieces } from "../learn/placement";
import { BoardView } from "../parts/board";
import { Check, Choices } from "../parts/choices";
import type { PieceKind, Reach } from "../wire";
import { type Brush, type Refused, read, type Step, tapped, write } from "./betza";
import type { OpenDraft } from "./open-draft";

/** The diagram has this many squares a side, and the piece stands in its middle. */
const SIDE = 9;
const MIDDLE = "e5";
const FILES = "abcdefghi";

export interface Drawing {
  brush: Brush;
  /** Whether clicks place other pieces instead of moves. */
  places: "moves" | "enemy" | "friend";
  others: Record<string, "enemy" | "friend">;
}

export const FIRST_DRAWING: Drawing = {
  brush: { how: "leap", far: "any", does: "both", alike: "all", first: false },
  places: "moves",
  others: {},
};

/** The diagram of a move: it shows where the piece goes, and a click on a square changes that. */
export function MoveDiagram({
  draft,
  kind,
  move,
  drawing,
  setDrawing,
  onMove,
}: {
  draft: OpenDraft;
  kind: PieceKind;
  move: string;
  drawing: Drawing;
  setDrawing: (next: Drawing) => void;
  onMove: (move: string) => void;
}) {
  // The bar would be empty: there is nothing to play.
  const bar = useRef<HTMLDivElement>(null);
  const [refused, setRefused] = useState<Refused | null>(null);
  // The piece has a letter of its own, and the others are Pawns, whose letter is taken.
  const shown = useMemo(
    () => [
      { ...kind, letter: "X" },
      { ...OTHER, emblem: kind.emblem },
    ],
    [kind.art, kind.name],
  );
  const standing = pieces({ at: MIDDLE, letter: "X", others: drawing.others }, "P");
  const fen = fenOf(standing, SIDE, SIDE, "");
  const position = useMemo(() => stillPosition(fen), [fen]);
  const [reach, setReach] = useState<Reach[] | null>([]);
  useEffect(() => {
    let gone = false;
    draft.diagram(move, fen, MIDDLE).then((found) => gone || setReach(found));
    return () => {
      gone = true;
    };
  }, [move, fen]);
  const marks = useMemo(() => ({ square: MIDDLE, reach: reach ?? [] }), [reach]);
  const press = (square: string) => {
    setRefused(null);
    if (square === MIDDLE) return;
    if (drawing.places !== "moves") {
      const { [square]: there, ...rest } = drawing.others;
      setDrawing({ ...drawing, others: there === drawing.places ? rest : { ...rest, [square]: drawing.places } });
      return;
    }
    const step: Step = [FILES.indexOf(square[0] ?? "") - 4, Number(square.slice(1)) - 5];
    const next = tapped(read(move), step, drawing.brush);
    if (typeof next === "string") setRefused(next);
    else onMove(write(next));
  };
  return (
    <div class="studio-board" style={{ "--aspect": "1" }}>
      <BoardView
        files={SIDE}
        ranks={SIDE}
        kinds={shown}
        position={position}
        shown={marks}
        seat={null}
        premoves={false}
        coordinates="none"
        fit="width"
        onSquare={press}
        docks={{ bar }}
      />
      <div ref={bar} hidden />
      <p role="status" class="studio-reached">
        {refused
          ? t(`studio.move.refused.${refused}`)
          : reach === null
            ? t("studio.move.wrong")
            : count("learn.reached", new Set(reach.map(({ to }) => to)).size)}
      </p>
    </div>
  );
}

const OTHER: PieceKind = {
  id: 1,
  letter: "P",
  name: "Pawn",
  also: [],
  help: "",
  art: "pawn",
  emblem: { dots: "", lines: "", fine: "", letter: "" },
  royal: false,
  soldier: false,
  values: {},
  promotes_to: [],
};

/** What a click on the diagram adds. */
export function BrushForm({ drawing, setDrawing }: { drawing: Drawing; setDrawing: (next: Drawing) => void }) {
  const { brush, places } = drawing;
  const set = (change: Partial<Brush>) => setDrawing({ ...drawing, brush: { ...brush, ...change }, places: "moves" });
  const hows = ["leap", "slide", "hop", "land", "lame"] as const;
  return (
    <div class="studio-brush">
      <Choices
        legend={t("studio.move.add")}
        value={places === "moves" ? brush.how : places}
        among={[
          ...hows.map((value) => ({ value, label: t(`studio.move.${value}`) })),
          { value: "enemy" as const, label: t("studio.move.enemy") },
          { value: "friend" as const, label: t("studio.move.friend") },
        ]}
        onChange={(value) =>
          value === "enemy" || value === "friend" ? setDrawing({ ...drawing, places: value }) : set({ how: value })
        }
        help={t(`studio.move.${places === "moves" ? brush.how : "others"}.help`)}
      />
      {places === "moves" && (
        <>
          <Choices
            legend={t("studio.move.does")}
            value={brush.does}
            among={(["both", "move", "capture"] as const).map((value) => ({
              value,
              label: t(`studio.move.does.${value}`),
            }))}
            onChange={(does) => set({ does })}
          />
          <Choices
            legend={t("studio.move.alike")}
            value={brush.alike}
            among={(["all", "sides", "one"] as const).map((value) => ({
              value,
              label: t(`studio.move.alike.${value}`),
            }))}
            onChange={(alike) => set({ alike })}
          />
          {brush.how === "slide" && (
            <Choices
              legend={t("studio.move.far")}
              value={brush.far}
              among={(["any", "here"] as const).map((value) => ({ value, label: t(`studio.move.far.${value}`) }))}
              onChange={(far) => set({ far })}
            />
          )}
          <Check label={t("studio.move.first")} checked={brush.first} onChange={(first) => set({ first })} />
        </>
      )}
    </div>
  );
}
