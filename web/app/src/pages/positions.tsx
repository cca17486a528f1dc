import { SquarePen } from "lucide";
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { api, at } from "../client";
import { count, t } from "../i18n";
import { goal } from "../learn/puzzle";
import { Picture, Shape } from "../parts/board";
import { useGame } from "../parts/games";
import { Icon } from "../parts/icon";
import { newGameAt } from "../parts/links";
import { Show, useLoaded } from "../parts/loaded";
import { Page } from "../parts/page";
import type { Game, GameSummary, Side } from "../wire";

/** Positions of a game to begin a match from: won endings, handicaps, and the openings played most. */
export function Positions() {
  const loaded = useLoaded(api.games);
  return (
    <Page title={t("positions.title")} lead={t("positions.lead")} wide>
      <Show loaded={loaded}>{(games) => <OfGames games={games} />}</Show>
    </Page>
  );
}

function OfGames({ games }: { games: GameSummary[] }) {
  const { query, route } = useLocation();
  const id = games.find((game) => game.id === query.game)?.id ?? games[0]?.id;
  const loaded = useGame(id);
  if (!id) return <p class="notice">{t("new.none")}</p>;
  return (
    <>
      <div class="together positions-head">
        <select
          aria-label={t("new.game")}
          value={id}
          onChange={(event) => route(at(`/positions?game=${encodeURIComponent(event.currentTarget.value)}`), true)}
        >
          {games.map((game) => (
            <option key={game.id} value={game.id}>
              {game.name}
            </option>
          ))}
        </select>
        <a class="button" href={at(`/analysis/edit?game=${encodeURIComponent(id)}`)}>
          <Icon of={SquarePen} size={18} /> {t("positions.own")}
        </a>
      </div>
      <Show loaded={loaded}>{(game) => game?.id === id && <Library key={id} game={game} />}</Show>
    </>
  );
}

function Library({ game }: { game: Game }) {
  const loaded = useLoaded((signal) => api.startingPositions(game.id, signal), [game.id]);
  const nameOf = (letter: string) => game.pieces.find((kind) => kind.letter === letter)?.name ?? letter;
  return (
    <Show loaded={loaded}>
      {({ endings, handicaps, openings }) => (
        <>
          <Section title={t("positions.endings")} help={t("positions.endings.help")}>
            {endings.map((ending) => (
              <Start key={ending.fen} game={game} fen={ending.fen} side={ending.side} title={goal(game, ending)} />
            ))}
          </Section>
          <Section title={t("positions.handicaps")} help={t("positions.handicaps.help")}>
            {handicaps.map(({ fen, letter }) => (
              <Start key={fen} game={game} fen={fen} title={t("positions.without", { piece: nameOf(letter) })} />
            ))}
          </Section>
          <Section title={t("positions.openings")} help={t("positions.openings.help")}>
            {openings.map(({ fen, san, setup, games }) => (
              <Start key={fen} game={game} fen={fen} title={san}>
                <p class="muted small">
                  {setup && <code>{setup}</code>} {count("match.games", games)}
                </p>
              </Start>
            ))}
          </Section>
        </>
      )}
    </Show>
  );
}

function Section({ title, help, children }: { title: string; help: string; children: ComponentChildren[] }) {
  if (children.length === 0) return null;
  return (
    <section class="more">
      <h2>{title}</h2>
      <p class="muted">{help}</p>
      <ul class="cards small-cards">{children}</ul>
    </section>
  );
}

/** A position, which leads to the page for a new game. */
function Start({
  game,
  fen,
  title,
  side = "white",
  children,
}: {
  game: Game;
  fen: string;
  title: string;
  side?: Side;
  children?: ComponentChildren;
}) {
  return (
    <li class="card">
      <a class="card-link card" href={newGameAt({ game: game.id, fen })}>
        <Shape of={game}>
          <Picture files={game.files} ranks={game.ranks} pieceTypes={game.pieces} fen={fen} orientation={side} />
        </Shape>
        <h3>{title}</h3>
        {children}
      </a>
    </li>
  );
}
