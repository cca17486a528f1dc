import { fileOf, rankOf, squareName, stillPosition } from "@acedrex/board";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { count, t } from "../i18n";
import { fenOf, pieces } from "../learn/placement";
import { BoardView } from "../parts/board";
import { Check, Choices } from "../parts/choices";
import type { PieceType, Reach } from "../wire";
import { type Brush, longest, read, type Step, tapped, write } from "./betza";
import type { OpenDraft } from "./open-draft";

/** The squares a side of the diagrams, in whose middle the piece stands. More would be too small for fingers on a phone. */
const SIDES = { small: 9, large: 13 };

export interface Drawing {
  brush: Brush;
  /** Whether the diagram is large; it is for leaps that the small one has no room for. */
  large: boolean;
  /** Whether clicks place other pieces instead of moves. */
  places: "moves" | "enemy" | "friend";
  /** By files and ranks from the piece. */
  others: Record<string, "enemy" | "friend">;
}

export const FIRST_DRAWING: Drawing = {
  brush: { how: "leap", far: "any", does: "both", alike: "all", first: false },
  large: false,
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
  kind: PieceType;
  move: string;
  drawing: Drawing;
  setDrawing: (next: Drawing) => void;
  onMove: (move: string) => void;
}) {
  // The bar would be empty: there is nothing to play.
  const bar = useRef<HTMLDivElement>(null);
  const [refused, setRefused] = useState(false);
  const grown = needsRoom(move);
  const side = grown || drawing.large ? SIDES.large : SIDES.small;
  const centre = (side - 1) / 2;
  const middle = squareName(centre, centre);
  // The piece has a letter of its own, and the others are Pawns, whose letter is taken.
  const shown = useMemo(
    () => [
      { ...kind, letter: "X" },
      { ...OTHER, emblem: kind.emblem },
    ],
    [kind.art, kind.name],
  );
  const standing = pieces({ at: middle, letter: "X", others: moved(drawing.others, centre) }, "P");
  const fen = fenOf(standing, side, side, "");
  const position = useMemo(() => stillPosition(fen), [fen]);
  const [reach, setReach] = useState<Reach[] | null>([]);
  useEffect(() => {
    let gone = false;
    draft.diagram(move, fen, middle, side).then((found) => gone || setReach(found));
    return () => {
      gone = true;
    };
  }, [move, fen]);
  const marks = useMemo(() => ({ square: middle, reach: reach ?? [] }), [reach]);
  const press = (square: string) => {
    setRefused(false);
    if (square === middle) return;
    const step: Step = [fileOf(square) - centre, rankOf(square) - centre];
    if (drawing.places !== "moves") {
      const { [String(step)]: there, ...rest } = drawing.others;
      setDrawing({ ...drawing, others: there === drawing.places ? rest : { ...rest, [String(step)]: drawing.places } });
      return;
    }
    const next = tapped(read(move), step, drawing.brush);
    setRefused(next === null);
    if (next) onMove(write(next));
  };
  return (
    <div class="studio-board" style={{ "--aspect": "1" }}>
      <BoardView
        key={side}
        files={side}
        ranks={side}
        pieceTypes={shown}
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
          ? t("studio.move.refused")
          : reach === null
            ? t("studio.move.wrong")
            : count("learn.reached", new Set(reach.map(({ to }) => to)).size)}
      </p>
      {!grown && (
        <Check
          label={t("studio.move.large")}
          checked={drawing.large}
          onChange={(large) => setDrawing({ ...drawing, large })}
        />
      )}
    </div>
  );
}

/** Whether a move has leaps that leave the small diagram. */
function needsRoom(move: string): boolean {
  return longest(read(move)) > (SIDES.small - 1) / 2;
}

/** Returns other pieces, which are placed by their distance from the middle, by their squares. */
function moved(others: Drawing["others"], centre: number): Drawing["others"] {
  return Object.fromEntries(
    Object.entries(others).flatMap(([step, who]) => {
      const [x = 0, y = 0] = step.split(",").map(Number);
      return Math.max(Math.abs(x), Math.abs(y)) > centre ? [] : [[squareName(x + centre, y + centre), who]];
    }),
  );
}

const OTHER: PieceType = {
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
