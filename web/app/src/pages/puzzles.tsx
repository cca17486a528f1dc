import { Timer } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, at, identity } from "../client";
import { ratingsOf } from "../client/ratings";
import { count, language, t } from "../i18n";
import { PuzzleBoard } from "../learn/puzzle";
import { Rush } from "../learn/rush";
import { dueNow, failed, isNew, nextDue, nextPuzzle, solved, train, training, type Which } from "../learn/training";
import { Choices } from "../parts/choices";
import { useGame } from "../parts/games";
import { Icon } from "../parts/icon";
import { type Loaded, Show, useLoaded } from "../parts/loaded";
import { Page } from "../parts/page";
import { ratingText } from "../parts/rating";
import { RatingChange } from "../ratings/puzzle-rating";
import type { GameSummary, Game as GameType, PuzzleChange, PuzzleEntry, PuzzlesRating } from "../wire";
import "../style/learn.css";

const THEMES = ["mate_in_2", "mate_in_3", "mate_in_4", "capture", "save", "special_rule"] as const;
const DIFFICULTIES = ["easy", "medium", "hard"] as const;
const RUSH_MINUTES = [3, 5];

interface Choice {
  theme: string;
  difficulty: string;
}

/** Puzzles by game, theme and difficulty; a rush; and those to try again. What is open is in the address. */
export function Puzzles() {
  const { query, route } = useLocation();
  const games = useLoaded(api.games);
  const go = (changes: Record<string, string | number>) => {
    const next = Object.entries({ ...query, number: "", rush: "", again: "", ...changes }).filter(
      ([, value]) => value !== "",
    );
    const text = new URLSearchParams(next.map(([key, value]) => [key, String(value)])).toString();
    route(at(`/puzzles${text ? `?${text}` : ""}`));
  };
  return (
    <Page title={t("puzzles.title")} wide>
      <Show loaded={games}>
        {(games) => <OfGame games={games.filter((game) => game.featured)} query={query} go={go} />}
      </Show>
    </Page>
  );
}

interface Parts {
  games: GameSummary[];
  query: Record<string, string>;
  go: (changes: Record<string, string | number>) => void;
}

function OfGame({ games, query, go }: Parts) {
  const id = games.find((game) => game.id === query.game)?.id ?? games[0]?.id ?? "";
  const game = useGame(id);
  const list = useLoaded((signal) => api.puzzles(id, signal).then((entries) => ({ id, entries })), [id]);
  const choice = { theme: query.theme ?? "", difficulty: query.difficulty ?? "" };
  const number = Number(query.number) || 0;
  const [round, setRound] = useState(0);
  const own = useOwnRatings();
  const near = ratingIn(own.value ?? [], choice.theme)?.rating ?? null;
  return (
    <div class="learn">
      <Show loaded={list}>
        {({ id: loaded, entries }) => {
          if (!game.value || game.value.id !== id || loaded !== id) return null;
          if (query.rush) {
            const minutes = RUSH_MINUTES.find((minutes) => String(minutes) === query.rush) ?? 3;
            return (
              <Rush
                key={round}
                game={game.value}
                entries={entries}
                minutes={minutes}
                onAgain={() => setRound(round + 1)}
                onLeave={() => go({})}
              />
            );
          }
          if (number > 0) {
            const chosen = entries.filter((entry) => fits(entry, choice));
            const next = query.again ? dueNext({ game: id, number }) : nextOf(id, chosen, number, near);
            return (
              <Solve
                key={`${id}/${number}`}
                game={game.value}
                number={number}
                again={Boolean(query.again)}
                next={next}
                go={go}
                onRated={own.again}
              />
            );
          }
          return (
            <Chooser games={games} game={game.value} entries={entries} choice={choice} own={own.value ?? []} go={go} />
          );
        }}
      </Show>
    </div>
  );
}

function fits({ themes, difficulty }: PuzzleEntry, choice: Choice): boolean {
  return (
    (!choice.theme || (themes as string[]).includes(choice.theme)) &&
    (!choice.difficulty || difficulty === choice.difficulty)
  );
}

/** One's ratings in puzzles; none without an account or a network, or before the first attempt. */
function useOwnRatings(): Loaded<PuzzlesRating[]> {
  const who = identity.value?.account ? identity.value.name : null;
  return useLoaded(async (signal) => (who === null ? [] : (await ratingsOf(who, signal)).puzzles), [who]);
}

/** Returns the rating in puzzles of a theme or, if there is none yet, that of all. */
const ratingIn = (own: PuzzlesRating[], theme: string): PuzzlesRating | undefined =>
  own.find((one) => one.theme === theme) ?? own.find((one) => one.theme === null);

function nextOf(game: string, chosen: PuzzleEntry[], except: number, near: number | null): Which | null {
  const number = nextPuzzle(chosen, training.value, game, except, near);
  return number === null ? null : { game, number };
}

function dueNext(except: Which): Which | null {
  const due = dueNow(training.value, Date.now());
  return due.find(({ game, number }) => game !== except.game || number !== except.number) ?? null;
}

function Chooser({
  games,
  game,
  entries,
  choice,
  own,
  go,
}: {
  games: GameSummary[];
  game: GameType;
  entries: PuzzleEntry[];
  choice: Choice;
  own: PuzzlesRating[];
  go: Parts["go"];
}) {
  const chosen = entries.filter((entry) => fits(entry, choice));
  const done = new Set(training.value.solved[game.id]);
  const rating = ratingIn(own, choice.theme);
  const first = nextPuzzle(chosen, training.value, game.id, 0, rating?.rating ?? null);
  const among = <T extends string>(
    every: string,
    values: readonly T[],
    label: (value: T) => string,
    key: keyof Choice,
  ) => [
    { value: "", label: every },
    ...values.map((value) => {
      const number = entries.filter((entry) => fits(entry, { ...choice, [key]: value })).length;
      return {
        value: value as string,
        label: (
          <>
            {label(value)} <span class="muted figures">{number}</span>
          </>
        ),
        disabled: number === 0,
      };
    }),
  ];
  return (
    <>
      <Again go={go} />
      <Choices
        legend={t("puzzles.game")}
        value={game.id}
        among={games.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(game) => go({ game, theme: "", difficulty: "" })}
      />
      <Choices
        legend={t("puzzles.theme")}
        value={choice.theme}
        among={among(t("puzzles.theme.any"), THEMES, (theme) => t(`puzzles.theme.${theme}`), "theme")}
        onChange={(theme) => go({ theme })}
      />
      <Choices
        legend={t("puzzles.difficulty")}
        value={choice.difficulty}
        among={among(
          t("puzzles.difficulty.any"),
          DIFFICULTIES,
          (value) => t(`puzzles.difficulty.${value}`),
          "difficulty",
        )}
        onChange={(difficulty) => go({ difficulty })}
      />
      <p class="together">
        <button
          type="button"
          class="primary"
          disabled={first === null}
          onClick={() => first !== null && go({ game: game.id, number: first })}
        >
          {t("puzzles.start")}
        </button>
        <span class="muted figures" role="status">
          {chosen.length === 0
            ? t("puzzles.none")
            : first === null
              ? t("puzzles.done")
              : t("puzzles.found", {
                  count: chosen.length,
                  solved: chosen.filter(({ number }) => done.has(number)).length,
                })}
        </span>
      </p>
      {rating && (
        <p class="figures">
          {rating.theme === null ? t("puzzles.rating") : t("puzzles.rating.theme")}{" "}
          <strong>{ratingText(rating)}</strong> <span class="muted">{t("puzzles.rating.near")}</span>
        </p>
      )}
      <section class="learn-part" aria-labelledby="rush">
        <h2 id="rush">{t("rush.title")}</h2>
        <p>{t("rush.help")}</p>
        <div class="together">
          {RUSH_MINUTES.map((minutes) => {
            const best = training.value.best[`${game.id}/${minutes}`];
            return (
              <button key={minutes} type="button" onClick={() => go({ game: game.id, rush: minutes })}>
                <Icon of={Timer} size={18} /> {count("rush.start", minutes)}
                {best !== undefined && <span class="muted figures">{t("rush.best", { count: best })}</span>}
              </button>
            );
          })}
        </div>
      </section>
      <section class="learn-part">
        <h2>
          <a href={at("/daily")}>{t("daily.title")}</a>
        </h2>
      </section>
    </>
  );
}

/** What comes back: a button for what is due, or when the next puzzle is. */
function Again({ go }: { go: Parts["go"] }) {
  const due = dueNow(training.value, Date.now());
  const later = nextDue(training.value);
  const [first] = due;
  if (first) {
    return (
      <p class="together">
        <button type="button" class="strong" onClick={() => go({ ...first, again: 1 })}>
          {t("puzzles.again")}
        </button>
        <span role="status">{count("puzzles.again.due", due.length)}</span>
      </p>
    );
  }
  if (later === null) return null;
  const date = new Intl.DateTimeFormat(language.value, { dateStyle: "long" }).format(later);
  return <p class="muted">{t("puzzles.again.later", { date })}</p>;
}

function Solve({
  game,
  number,
  again,
  next,
  go,
  onRated,
}: {
  game: GameType;
  number: number;
  again: boolean;
  next: Which | null;
  go: Parts["go"];
  onRated: () => void;
}) {
  const loaded = useLoaded((signal) => api.puzzle(game.id, number, signal), [game.id, number]);
  const [missed, setMissed] = useState(false);
  const clean = useRef(true);
  const which = { game: game.id, number };
  const [change, setChange] = useState<PuzzleChange | null>(null);
  const [fresh] = useState(() => isNew(training.value, which));
  const attempt = async (moves: string[], show: boolean) => {
    const result = await api.tryPuzzle(game.id, number, moves, show, fresh && identity.value?.account === true);
    if (result.rated) {
      setChange(result.rated);
      onRated();
    }
    return result;
  };
  return (
    <>
      <p class="puzzle-title">
        <button type="button" class="quiet" onClick={() => go({})}>
          ← {t("puzzles.choose")}
        </button>
        <span>
          {game.name} · {t("puzzles.number", { number })}
        </span>
      </p>
      <Show loaded={loaded}>
        {(puzzle) => (
          <PuzzleBoard
            game={game}
            puzzle={puzzle}
            attempt={attempt}
            onSolved={() => clean.current && train(solved(training.value, which, Date.now()))}
            onFailed={() => {
              clean.current = false;
              setMissed(true);
              train(failed(training.value, which, Date.now()));
            }}
            after={
              next ? (
                <Next onClick={() => go({ ...next, ...(again ? { again: 1 } : {}) })} />
              ) : (
                <p>{t(again ? "puzzles.again.done" : "puzzles.done")}</p>
              )
            }
            beside={
              <>
                {change && <RatingChange of={change} />}
                {missed && <p class="muted days">{t("puzzles.failed")}</p>}
              </>
            }
          />
        )}
      </Show>
    </>
  );
}

/** The button to the next puzzle, with the focus, so that Enter is enough. */
function Next({ onClick }: { onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  return (
    <p>
      <button ref={button} type="button" class="strong" onClick={onClick}>
        {t("puzzles.next")}
      </button>
    </p>
  );
}
