import { useEffect, useRef, useState } from "preact/hooks";
import { api, at } from "../client";
import { count, t } from "../i18n";
import measured from "../learn/measured.json";
import { goal } from "../learn/puzzle";
import { Picture, Shape } from "../parts/board";
import { gameOf } from "../parts/games";
import { Later } from "../parts/later";
import { Trouble, useFresh, useLoaded } from "../parts/loaded";
import { Card } from "../parts/match-card";
import { useArrival, useTitle } from "../parts/page";
import type { Daily, GameSummary, Here, Position } from "../wire";

const MOVES = 10;
const PAUSE_MS = 1800;
/** The place of a board whose shape is not known yet. */
const SQUARE = { files: 1, ranks: 1 };

/** A board to touch, who is here, the featured games as boards that play moves, and all others. */
export function Front() {
  const main = useRef<HTMLElement>(null);
  useTitle("");
  useArrival(main);
  const loaded = useLoaded(api.games);
  const daily = useLoaded((signal) => api.daily(undefined, signal));
  const here = useLoaded(api.here);
  useFresh(here);
  const games = loaded.value ?? [];
  const order = Object.keys(measured.games);
  const featured = games
    .filter((game) => game.featured)
    .sort((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
  const others = games.filter((game) => !game.featured && game.origin === "shipped");
  const fens = useOpenings(featured);
  return (
    <main ref={main} id="main" class="page wide" tabIndex={-1}>
      <div class="welcome">
        <div class="hero">
          <h1>{t("front.title")}</h1>
          <p>{t("front.lead")}</p>
        </div>
        <div class="touch">
          {loaded.value ? (
            <Later load={() => import("../learn/mini-games").then((its) => its.MiniGames)} games={games} />
          ) : (
            loaded.error && <Trouble error={loaded.error} again={loaded.again} />
          )}
        </div>
        <div class="about-now">
          {loaded.value && (
            <Later load={() => import("../parts/quick-choices").then((its) => its.QuickChoices)} games={games} />
          )}
          <div>
            <p>
              <a href={at("/learn/metamachy/first")}>{t("front.first")}</a>
            </p>
            <WhoIsHere here={here.value} />
            {here.value && (
              <Later
                load={() => import("../tournaments/next").then((its) => its.NextTournament)}
                next={here.value.tournament}
              />
            )}
          </div>
        </div>
      </div>
      <ul class="cards featured">
        {featured.map((game) => (
          <Living key={game.id} game={game} fen={fens[game.id] ?? game.start_fen} />
        ))}
        <PuzzleCard daily={daily.value} />
        {others.length > 0 && <Others games={others} />}
      </ul>
      <Own games={games.filter((game) => game.origin === "file")} />
    </main>
  );
}

/** How many people are here and play, and one of the matches, small. */
function WhoIsHere({ here }: { here: Here | null }) {
  if (!here) return null;
  const { people, playing, live } = here;
  return (
    <section class="here-now" aria-labelledby="here-now">
      <h2 id="here-now" class="hidden">
        {t("front.here")}
      </h2>
      <p>
        {count("front.people", people)} · <a href={at("/watch")}>{count("front.playing", playing)}</a>
      </p>
      {live && (
        <ul class="plain">
          <Card match={live} />
        </ul>
      )}
    </section>
  );
}

function Others({ games }: { games: GameSummary[] }) {
  return (
    <li>
      <h2>{t("front.more")}</h2>
      <ul class="plain">
        {games.map((game) => (
          <li key={game.id}>
            <a href={at(`/new?game=${encodeURIComponent(game.id)}`)}>{game.name}</a>{" "}
            <span class="muted small figures">{sizeText(game)}</span> ·&nbsp;
            <a class="small" href={at(`/learn/${encodeURIComponent(game.id)}`)}>
              {t("front.learn")}
              <span class="hidden"> {game.name}</span>
            </a>
          </li>
        ))}
      </ul>
    </li>
  );
}

function PuzzleCard({ daily }: { daily: Daily | null }) {
  const { value: game } = useLoaded(async () => (daily ? gameOf(daily.game) : null), [daily?.game]);
  if (!daily || !game) return <Shape of={SQUARE} />;
  const { puzzle } = daily;
  return (
    <li>
      <a class="card-link card" href={at("/daily")}>
        <Shape of={game}>
          <Picture
            files={game.files}
            ranks={game.ranks}
            pieceTypes={game.pieces}
            fen={puzzle.fen}
            orientation={puzzle.side}
          />
        </Shape>
        <h2>{t("daily.title")}</h2>
        <p>{goal(game, puzzle)}</p>
        <p class="muted small">{game.name}</p>
      </a>
    </li>
  );
}

function Living({ game, fen }: { game: GameSummary; fen: string }) {
  const { value } = useLoaded(() => gameOf(game.id), [game.id]);
  return (
    <li class="card">
      <Shape of={game}>
        {value && <Picture files={game.files} ranks={game.ranks} pieceTypes={value.pieces} fen={fen} />}
      </Shape>
      <h2>{game.name}</h2>
      <p class="muted small figures">{sizeText(game)}</p>
      <p class="small">{lengthText(game.id)}</p>
      <p class="small">{game.summary}</p>
      <Doors game={game} />
    </li>
  );
}

/** Piece types new to a chess player, up to which a game is easy to begin, and can be learnt in an evening. */
const [EASY, MEDIUM] = [3, 8];

/** How long a game takes and how hard it is to begin, as far as that was measured. */
function lengthText(id: string): string {
  const { turns, strange } = (measured.games as Record<string, { turns: number; strange: number }>)[id] ?? {};
  if (!turns || strange === undefined) return "";
  const ease = t(strange <= EASY ? "front.easy" : strange <= MEDIUM ? "front.medium" : "front.hard");
  return t("front.length", { moves: Math.round(turns / 20) * 10, ease });
}

export function sizeText(game: GameSummary): string {
  const parts = [`${game.files}×${game.ranks}`, count("front.kinds", game.piece_kinds)];
  if (game.setups > 1) parts.push(count("front.setups", game.setups));
  if (game.turn_moves > 1) parts.push(count("front.turn", game.turn_moves));
  return parts.join(" · ");
}

/** The games from the server's folder of definition files. */
function Own({ games }: { games: GameSummary[] }) {
  if (games.length === 0) return null;
  return (
    <section class="more">
      <h2>{t("front.own")}</h2>
      <ul class="challenges">
        {games.map((game) => (
          <li key={game.id}>
            <div class="what">
              <h3>{game.name}</h3>
              <p class="muted small figures">{sizeText(game)}</p>
              <p>{game.summary}</p>
            </div>
            <Doors game={game} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Doors({ game }: { game: GameSummary }) {
  return (
    <div class="together">
      <a class="button strong" href={at(`/new?game=${encodeURIComponent(game.id)}`)}>
        {t("front.play")}
        <span class="hidden"> {game.name}</span>
      </a>
      <a class="button quiet" href={at(`/learn/${encodeURIComponent(game.id)}/first`)}>
        {t("first")}
        <span class="hidden"> {game.name}</span>
      </a>
      <a class="button quiet" href={at(`/learn/${encodeURIComponent(game.id)}`)}>
        {t("front.learn")}
        <span class="hidden"> {game.name}</span>
      </a>
    </div>
  );
}

/** Plays a few random moves on each game's board in turn; none if reduced motion is set or the page is hidden. */
function useOpenings(games: GameSummary[]): Record<string, string> {
  const [fens, setFens] = useState<Record<string, string>>({});
  const ids = games.map((game) => game.id).join(" ");
  useEffect(() => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const abort = new AbortController();
    const lines = new Map<string, Line>();
    let turn = 0;
    const timer = setInterval(() => {
      const game = games[turn % games.length];
      if (!game || turn >= games.length * MOVES) return clearInterval(timer);
      if (document.hidden) return;
      turn++;
      const line = lines.get(game.id) ?? { moves: [], position: null };
      lines.set(game.id, line);
      goOn(game.id, line, abort.signal).then(
        (fen) => setFens((before) => ({ ...before, [game.id]: fen })),
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [ids]);
  return fens;
}

interface Line {
  moves: string[];
  position: Position | null;
}

/** Makes a random move that captures nothing. */
async function goOn(game: string, line: Line, signal: AbortSignal): Promise<string> {
  line.position ??= await api.position({ game }, signal);
  const quiet = line.position.legal.filter((move) => move.from !== null && move.captured_on === null);
  const choice = quiet[Math.floor(Math.random() * quiet.length)];
  if (!choice) throw new Error("no quiet move");
  line.moves = [...line.moves, choice.move];
  line.position = await api.position({ game, moves: line.moves }, signal);
  return line.position.fen;
}
