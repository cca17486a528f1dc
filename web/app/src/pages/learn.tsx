import { useRoute } from "preact-iso";
import { api, at } from "../client";
import { t } from "../i18n";
import { Pieces } from "../learn/diagram";
import { Exercises } from "../learn/exercises";
import { partLink, useFragment, withinPage } from "../learn/fragment";
import { Rules } from "../learn/rules";
import { Setups } from "../learn/setups";
import { Values } from "../learn/values";
import { useGame } from "../parts/games";
import { Later } from "../parts/later";
import { Show, useLoaded } from "../parts/loaded";
import { Page } from "../parts/page";
import type { Game } from "../wire";
import { sizeText } from "./front";
import { NotFound } from "./not-found";
import "../style/learn.css";

/** The parts of the page by id, in order. */
const PARTS = [
  ["pieces", "learn.pieces"],
  ["rules", "learn.rules"],
  ["setup", "learn.setup"],
  ["exercises", "learn.exercises"],
  ["values", "learn.values"],
  ["story", "learn.story"],
] as const;

/** A game's page: its pieces, rules, setups, exercises, values and story, all from its definition. */
export function Learn() {
  const { params } = useRoute();
  const loaded = useGame(params.id);
  if (loaded.error?.code === "no_such_game") return <NotFound />;
  return (
    <Page title={loaded.value?.name ?? t("front.learn")} wide>
      <Show loaded={loaded}>{(game) => game && <About key={game.id} game={game} />}</Show>
    </Page>
  );
}

function About({ game }: { game: Game }) {
  const lessons = useLoaded((signal) => api.lessons(game.id, signal), [game.id]);
  const exercises = useLoaded((signal) => api.exercises(game.id, signal), [game.id]);
  // Values and rules are optional in definition files.
  const missing: Record<string, boolean> = {
    values: game.pieces.every((kind) => Object.keys(kind.values).length === 0),
    rules: game.rules.length === 0 && !lessons.value?.examples.length,
    exercises: exercises.value?.length === 0,
    story: !game.story.trim(),
  };
  useFragment(lessons.value !== null && (exercises.value ?? exercises.error) !== null);
  return (
    <div class="learn">
      <p class="muted">
        {game.author}
        {game.year !== null && `, ${game.year}`} · {sizeText(game)}
      </p>
      {game.origin === "published" && (
        <p>
          <Later load={() => import("../studies/inventors-page").then((its) => its.InventorsLink)} game={game.id} />
        </p>
      )}
      <p class="together">
        <a class="button primary" href={at(`/new?game=${encodeURIComponent(game.id)}`)}>
          {t("front.play")}
        </a>
        <a class="button" href={at(`/learn/${encodeURIComponent(game.id)}/first`)}>
          {t("first")}
        </a>
        {game.link && (
          <a href={game.link} rel="noreferrer">
            {t("learn.link")}
          </a>
        )}
        {game.origin === "published" && (
          <a href={at(`/studio?report=${encodeURIComponent(game.id)}`)}>{t("studio.report")}</a>
        )}
      </p>
      <nav class="together contents" aria-label={t("learn.parts")}>
        {PARTS.filter(([id]) => !missing[id]).map(([id, name]) => (
          <a key={id} href={partLink(id)} onClick={withinPage}>
            {t(name)}
          </a>
        ))}
      </nav>
      <Show loaded={lessons}>
        {({ diagrams, examples }) => (
          <>
            <Pieces game={game} diagrams={diagrams} />
            <Rules game={game} examples={examples} />
            <Setups game={game} />
            <Show loaded={exercises}>{(exercises) => <Exercises game={game} exercises={exercises} />}</Show>
            <Values game={game} />
            {!missing.story && <Story game={game} />}
          </>
        )}
      </Show>
    </div>
  );
}

function Story({ game }: { game: Game }) {
  return (
    <section id="story" class="learn-part">
      <h2>{t("learn.story")}</h2>
      {game.story
        .split("\n\n")
        .filter(Boolean)
        .map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
    </section>
  );
}
