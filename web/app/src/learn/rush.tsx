import { Check, X } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { api } from "../client";
import { t } from "../i18n";
import { clockText } from "../match/clock";
import { Icon } from "../parts/icon";
import { Show, useLoaded } from "../parts/loaded";
import type { Game, PuzzleEntry } from "../wire";
import { PuzzleBoard } from "./puzzle";
import { failed, fromEasy, rushed, solved, train, training } from "./training";

const MOST_MISTAKES = 3;
const TICK_MS = 100;

interface Props {
  game: Game;
  entries: PuzzleEntry[];
  minutes: number;
  onAgain: () => void;
  onLeave: () => void;
}

/** A rush: puzzles from easy to hard against the clock. */
export function Rush({ game, entries, minutes, onAgain, onLeave }: Props) {
  const order = useMemo(() => fromEasy(entries, Math.random), []);
  const before = useRef(training.value.best[`${game.id}/${minutes}`] ?? 0);
  const [results, setResults] = useState<boolean[]>([]);
  const [end] = useState(() => Date.now() + minutes * 60_000);
  const [left, setLeft] = useState(minutes * 60_000);
  const score = results.filter((right) => right).length;
  const mistakes = results.length - score;
  const entry = order[results.length];
  const over = left <= 0 || mistakes >= MOST_MISTAKES || !entry;

  useEffect(() => {
    if (over) {
      train(rushed(training.value, game.id, minutes, score));
      return;
    }
    const timer = setInterval(() => setLeft(Math.max(0, end - Date.now())), TICK_MS);
    return () => clearInterval(timer);
  }, [over]);

  const number = entry?.number ?? 0;
  const done = (right: boolean) => {
    const which = { game: game.id, number };
    train(right ? solved(training.value, which, Date.now()) : failed(training.value, which, Date.now()));
    setResults((results) => [...results, right]);
  };

  if (over) {
    return (
      <section class="rush-over">
        <div role="status">
          <h2>{t("rush.over", { count: score })}</h2>
          {score > before.current && <p>{t("rush.record")}</p>}
        </div>
        <Results results={results} />
        {mistakes > 0 && <p class="muted">{t("rush.missed")}</p>}
        <div class="together">
          <button type="button" class="strong" onClick={onAgain}>
            {t("rush.again")}
          </button>
          <button type="button" onClick={onLeave}>
            {t("puzzles.choose")}
          </button>
        </div>
      </section>
    );
  }
  return (
    <>
      <div class="rush-bar">
        <span class="rush-clock figures" role="timer" aria-label={t("rush.left")}>
          {clockText(left, String)}
        </span>
        <span class="figures">{t("rush.score", { count: score })}</span>
        <span class="figures">{t("rush.mistakes", { count: mistakes })}</span>
      </div>
      <RushPuzzle key={number} game={game} number={number} onDone={done}>
        <Results results={results} />
        <button type="button" onClick={onLeave}>
          {t("rush.end")}
        </button>
      </RushPuzzle>
    </>
  );
}

function RushPuzzle({
  game,
  number,
  onDone,
  children,
}: {
  game: Game;
  number: number;
  onDone: (right: boolean) => void;
  children: ComponentChildren;
}) {
  const loaded = useLoaded((signal) => api.puzzle(game.id, number, signal), [number]);
  return (
    <Show loaded={loaded}>
      {(puzzle) => (
        <PuzzleBoard
          game={game}
          puzzle={puzzle}
          attempt={(moves, show) => api.tryPuzzle(game.id, number, moves, show)}
          onSolved={() => onDone(true)}
          onFailed={() => onDone(false)}
          help={false}
          focused
          beside={children}
        />
      )}
    </Show>
  );
}

function Results({ results }: { results: boolean[] }) {
  return (
    <span class="rush-results" aria-hidden="true">
      {results.map((right, index) => (
        <span key={index} class={right ? "right" : "wrong"}>
          <Icon of={right ? Check : X} size={18} />
        </span>
      ))}
    </span>
  );
}
