import { useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { api, at, identity, type Refusal } from "../client";
import * as house from "../client/house";
import { count, t } from "../i18n";
import { Check } from "../parts/choices";
import { challenge, Portrait, TIMES } from "../parts/house";
import { Show, Trouble, useLoaded } from "../parts/loaded";
import { Card } from "../parts/match-card";
import { Page } from "../parts/page";
import { ratingText } from "../parts/rating";
import { timeText } from "../parts/time";
import { RatingsOf } from "../ratings/of-person";
import { thrownRefusal } from "../refusal";
import type { HousePage } from "../wire";

/** The page of a house engine: its character, its style, its record, and the way to play it. */
export function EnginePage() {
  const { params } = useRoute();
  const loaded = useLoaded((signal) => house.engine(params.id ?? "", signal), [params.id]);
  return (
    <Page title={loaded.value?.engine.name ?? t("engines.title")} wide>
      <Show loaded={loaded}>{(page) => <Shown page={page} />}</Show>
    </Page>
  );
}

function Shown({ page: { engine, record, recent } }: { page: HousePage }) {
  const played = record.wins + record.draws + record.losses;
  return (
    <>
      <div class="house-engine">
        <Portrait engine={engine} size={144} />
        <div>
          <p class="muted figures">
            {t("engines.level", { level: engine.level })} · {t("engines.rating", { rating: ratingText(engine.rating) })}
          </p>
          <p class="story">{engine.character}</p>
          <p>{engine.style}</p>
          <p class="small">
            {t("engines.likes", { games: engine.games.map(({ name }) => name).join(", ") })}{" "}
            {t("engines.time", { time: timeText(TIMES[engine.time]) })}
          </p>
          <p class="figures">
            {played === 0
              ? t("engines.record.none")
              : t("engines.record", {
                  games: count("match.games", played),
                  wins: record.wins,
                  draws: record.draws,
                  losses: record.losses,
                })}
          </p>
          <ChallengeForm page={engine} />
        </div>
      </div>
      <section class="more">
        <h2>{t("ratings.title")}</h2>
        <RatingsOf name={engine.id} />
      </section>
      {recent.length > 0 && (
        <section class="more">
          <h2>{t("engines.recent")}</h2>
          <ul class="cards small-cards">
            {recent.map((match) => (
              <Card key={match.match} match={match} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** The choice of a game, the engine's favourite first, and the button that begins it. */
function ChallengeForm({ page: engine }: { page: HousePage["engine"] }) {
  const { route } = useLocation();
  const { value: games } = useLoaded(api.games);
  const [chosen, setChosen] = useState(engine.games[0]?.game ?? "");
  const [error, setError] = useState<Refusal | null>(null);
  const [busy, setBusy] = useState(false);
  const [rated, setRated] = useState(false);
  const mayRate = identity.value?.account === true;
  const liked = new Set(engine.games.map(({ game }) => game));
  const others = (games ?? []).filter(({ id, origin }) => origin === "shipped" && !liked.has(id));
  const begin = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    const game = (games ?? []).find(({ id }) => id === chosen);
    try {
      const hasSetups = (game?.setups ?? 0) > 1;
      // A rated match needs a clock, and has no hints.
      const liked = TIMES[engine.time];
      const wishes = rated
        ? { time: liked.kind === "none" ? TIMES.live : liked, rated, hints: false }
        : { time: liked };
      route(at(`/match/${await challenge(engine.id, { id: chosen, hasSetups }, wishes)}`));
    } catch (problem) {
      setError(thrownRefusal(problem));
      setBusy(false);
    }
  };
  return (
    <form class="together" onSubmit={begin}>
      <label class="hidden" for="game">
        {t("new.game")}
      </label>
      <select id="game" value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
        {engine.games.map(({ game, name }) => (
          <option key={game} value={game}>
            {name}
          </option>
        ))}
        {others.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit" class="primary" disabled={busy || !games}>
        {t("engines.challenge")}
      </button>
      {mayRate && <Check label={t("new.rated")} checked={rated} onChange={setRated} />}
      {error && <Trouble error={error} />}
    </form>
  );
}
