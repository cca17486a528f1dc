import { useEffect, useRef, useState } from "preact/hooks";
import { api, at } from "../client";
import { count, t } from "../i18n";
import { Picture } from "../parts/board";
import { gameOf } from "../parts/games";
import { Show, useLoaded } from "../parts/loaded";
import { useArrival, useTitle } from "../parts/page";
import type { GameSummary, Position } from "../wire";

const MOVES = 10;
const PAUSE_MS = 1800;

/** The featured games as boards that play moves, then a list of all others. */
export function Front() {
  const main = useRef<HTMLElement>(null);
  useTitle("");
  useArrival(main);
  const loaded = useLoaded(api.games);
  return (
    <main ref={main} id="main" class="page wide" tabIndex={-1}>
      <h1 class="hidden">Acedrex</h1>
      <Show loaded={loaded}>
        {(games) => (
          <>
            <Featured
              games={games.filter((game) => game.featured)}
              others={games.filter((game) => !game.featured && game.origin === "shipped")}
            />
            <Own games={games.filter((game) => game.origin === "file")} />
          </>
        )}
      </Show>
    </main>
  );
}

function Featured({ games, others }: { games: GameSummary[]; others: GameSummary[] }) {
  const fens = useOpenings(games);
  return (
    <ul class="cards featured">
      {games.map((game) => (
        <Living key={game.id} game={game} fen={fens[game.id] ?? game.start_fen} />
      ))}
      {others.length > 0 && (
        <li>
          <h2>{t("front.more")}</h2>
          <ul class="plain">
            {others.map((game) => (
              <li key={game.id}>
                <a href={at(`/new?game=${encodeURIComponent(game.id)}`)}>{game.name}</a>{" "}
                <span class="muted small figures">{sizeText(game)}</span> ·{" "}
                <a class="small" href={at(`/learn/${encodeURIComponent(game.id)}`)}>
                  {t("front.learn")}
                  <span class="hidden"> {game.name}</span>
                </a>
              </li>
            ))}
          </ul>
          <h2>
            <a href={at("/daily")}>{t("daily.title")}</a>
          </h2>
        </li>
      )}
    </ul>
  );
}

function Living({ game, fen }: { game: GameSummary; fen: string }) {
  const { value } = useLoaded(() => gameOf(game.id), [game.id]);
  return (
    <li class="card">
      <div class="living" aria-hidden="true">
        {value && <Picture files={game.files} ranks={game.ranks} kinds={value.pieces} fen={fen} />}
      </div>
      <h2>{game.name}</h2>
      <p class="muted small figures">{sizeText(game)}</p>
      <p>{game.summary}</p>
      <Doors game={game} />
    </li>
  );
}

export function sizeText(game: GameSummary): string {
  const parts = [`${game.files}×${game.ranks}`, count("front.kinds", game.piece_kinds)];
  if (game.setups > 1) parts.push(count("front.setups", game.setups));
  if (game.turn_moves > 1) parts.push(count("front.turn", game.turn_moves));
  return parts.join(" · ");
}

/** The games from the server's folder of definition files, including those with faults. */
function Own({ games }: { games: GameSummary[] }) {
  if (games.length === 0) return null;
  return (
    <section class="more">
      <h2>{t("front.own")}</h2>
      <ul class="challenges">
        {games.map((game) => (
          <li key={game.id}>
            <div class="what">
              <h3>{game.name || game.id}</h3>
              {game.faults.length === 0 && <p class="muted small figures">{sizeText(game)}</p>}
              {game.faults.length === 0 && <p>{game.summary}</p>}
              <Faults game={game} />
            </div>
            {game.faults.length === 0 && <Doors game={game} />}
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
      <a class="button quiet" href={at(`/learn/${encodeURIComponent(game.id)}`)}>
        {t("front.learn")}
        <span class="hidden"> {game.name}</span>
      </a>
    </div>
  );
}

/** The faults in a game's definition file, with their lines. */
export function Faults({ game }: { game: Pick<GameSummary, "faults"> }) {
  if (game.faults.length === 0) return null;
  return (
    <div role="note">
      <p>{t("front.faulty")}</p>
      {game.faults.map((fault) => (
        <p class="fault" key={`${fault.line}:${fault.column}:${fault.message}`}>
          <code>
            {fault.file}:{fault.line}:{fault.column}
            {fault.key && ` ${fault.key}`}
          </code>
          {fault.message}
        </p>
      ))}
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
