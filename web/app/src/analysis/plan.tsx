import { Trash2 } from "lucide";
import { useState } from "preact/hooks";
import { api, at, type Refusal } from "../client";
import * as correspondence from "../client/correspondence";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import { Show, Trouble, useLoaded } from "../parts/loaded";
import { San } from "../parts/notation";
import { thrownRefusal } from "../refusal";
import type { Snapshot } from "../wire";
import type { Opened } from "./opened";
import { followed, nodeOf, pathTo, START, type Tree } from "./tree";

type Lines = string[][][];

/** Groups moves by turns. */
export function turnsOf(tree: Tree, nodes: readonly number[]): number[][] {
  const turns: number[][] = [];
  for (const id of nodes) {
    const last = turns.at(-1);
    const before = last && nodeOf(tree, last[0] as number);
    const here = nodeOf(tree, id);
    if (last && before?.side === here.side && before.turn === here.turn) last.push(id);
    else turns.push([id]);
  }
  return turns;
}

/** What a player plans in a match in progress: the moves that they want to answer with while they are away. */
export function Plan({ study, match }: { study: Opened; match: string }) {
  const loaded = useLoaded(() => Promise.all([api.match(match), correspondence.conditionalMoves(match)]), [match]);
  return (
    <div class="engine plan">
      <p class="together">
        <a class="button quiet" href={at(`/match/${match}`)}>
          {t("plan.back")}
        </a>
        <span class="muted small">{t("plan.lead")}</span>
      </p>
      <Show loaded={loaded}>
        {([state, { lines }]) => <Lines study={study} state={state} stored={lines} match={match} />}
      </Show>
    </div>
  );
}

function Lines({ study, state, stored, match }: { study: Opened; state: Snapshot; stored: Lines; match: string }) {
  const [lines, setLines] = useState(stored);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Refusal | null>(null);
  const tree = study.tree.value;
  const path = pathTo(tree, study.at.value);
  const played = state.moves.map(({ move }) => move);
  const beyond = path.slice(played.length);
  const isHere = played.every((move, index) => nodeOf(tree, path[index] ?? -1).move === move);
  const turns = isHere ? turnsOf(tree, beyond) : [];
  const line = turns.map((turn) => turn.map((id) => nodeOf(tree, id).move));
  const mine = study.position.value.turn;
  // The last turn is finished, and one's own.
  const whole = line.length > 0 && line.length % 2 === 0 && mine !== state.seat && study.awaited.value === null;
  const theirs = state.phase === "play" && state.position.turn !== state.seat;
  const known = lines.some((one) => JSON.stringify(one) === JSON.stringify(line));
  const keep = (next: Lines) => {
    setBusy(true);
    setError(null);
    correspondence
      .leave(match, next)
      .then(
        (kept) => setLines(kept.lines),
        (problem: unknown) => setError(thrownRefusal(problem)),
      )
      .finally(() => setBusy(false));
  };
  if (!theirs) return <p class="muted small">{t("plan.yourTurn")}</p>;
  return (
    <>
      {lines.length > 0 && (
        <ol class="plan-lines">
          {lines.map((one, index) => (
            <li key={JSON.stringify(one)}>
              <button
                type="button"
                class="quiet"
                title={t("plan.show")}
                onClick={() => study.showLine([...played, ...one.flat()], START)}
              >
                <San of={sanOf(tree, played, one.flat()).join(" ")} />
              </button>
              <button
                type="button"
                class="quiet"
                aria-label={t("plan.remove")}
                disabled={busy}
                onClick={() => keep(lines.filter((_, at) => at !== index))}
              >
                <Icon of={Trash2} size={18} />
              </button>
            </li>
          ))}
        </ol>
      )}
      <p class="together">
        <button
          type="button"
          class={whole && !known ? "primary" : ""}
          disabled={!whole || known || busy}
          onClick={() => keep([...lines.filter((one) => !begins(line, one)), line])}
        >
          {t("plan.leave")}
        </button>
        <span class="small" role="status">
          {known ? t("plan.known") : whole ? "" : t("plan.how")}
        </span>
      </p>
      {error && <Trouble error={error} />}
    </>
  );
}

/** Returns the moves of a line in SAN where the tree has them, and otherwise in coordinates. */
function sanOf(tree: Tree, before: readonly string[], moves: readonly string[]): readonly string[] {
  const [last, missing] = followed(tree, START, [...before, ...moves]);
  if (missing.length > 0) return moves;
  return pathTo(tree, last)
    .slice(before.length)
    .map((id) => nodeOf(tree, id).san);
}

/** Whether a line begins with all of another one, which it makes needless. */
const begins = (line: readonly string[][], other: readonly string[][]) =>
  other.every((turn, index) => JSON.stringify(turn) === JSON.stringify(line[index]));
