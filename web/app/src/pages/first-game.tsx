import { useRoute } from "preact-iso";
import { api } from "../client";
import { t } from "../i18n";
import { FirstGameSteps } from "../learn/first-game";
import { stepsOf } from "../learn/steps";
import { useGame } from "../parts/games";
import { Show, useLoaded } from "../parts/loaded";
import { Page } from "../parts/page";
import type { Game } from "../wire";
import { NotFound } from "./not-found";
import "../style/learn.css";

/** A guided first game: what is new, tried step by step, then a game against the engine. */
export function FirstGame() {
  const { params } = useRoute();
  const loaded = useGame(params.id);
  if (loaded.error?.code === "no_such_game") return <NotFound />;
  return (
    <Page title={loaded.value ? t("first.title", { game: loaded.value.name }) : t("first")} wide>
      <Show loaded={loaded}>{(game) => game && <Steps key={game.id} game={game} />}</Show>
    </Page>
  );
}

function Steps({ game }: { game: Game }) {
  const loaded = useLoaded((signal) => api.firstGame(game.id, signal), [game.id]);
  return <Show loaded={loaded}>{(examples) => <FirstGameSteps game={game} steps={stepsOf(game, examples)} />}</Show>;
}
