import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, at, identity, type Refusal, Socket, socketAt } from "../client";
import * as house from "../client/house";
import { t } from "../i18n";
import { Empty } from "../parts/empty";
import { HouseEntry } from "../parts/house";
import { Show, Trouble, useLoaded } from "../parts/loaded";
import { Name } from "../parts/name";
import { Page } from "../parts/page";
import { ratingText } from "../parts/rating";
import { timeText } from "../parts/time";
import type { Challenge, FromLobby, Hello, Side } from "../wire";

const NEW = "/new?opponent=lobby";

export function Lobby() {
  const loaded = useLoaded(api.lobby);
  const engines = useLoaded(house.engines);
  const [live, setLive] = useState<Challenge[] | null>(null);
  useEffect(() => {
    const socket = new Socket<FromLobby, Hello>(socketAt("/api/lobby/socket"), {
      hello: () => ({ type: "hello", token: identity.value?.token ?? null, after: null }),
      ping: null,
      receive: (message) => {
        if (message.type === "lobby") setLive(message.challenges);
      },
    });
    return () => socket.close();
  }, []);
  return (
    <Page title={t("lobby.title")} lead={t("lobby.lead")}>
      <div class="in-order">
        <Show loaded={{ ...loaded, value: live ?? loaded.value }}>
          {(challenges) =>
            challenges.length === 0 ? (
              <Empty text={t("lobby.empty")} path={NEW} action={t("lobby.new")} />
            ) : (
              <>
                <p>
                  <a class="button primary" href={at(NEW)}>
                    {t("lobby.new")}
                  </a>{" "}
                  <a href={at("/ratings")}>{t("ratings.title")}</a> <a href={at("/tournaments")}>{t("tournaments")}</a>
                </p>
                <ul class="challenges">
                  {challenges.map((challenge) => (
                    <Open key={challenge.match} challenge={challenge} />
                  ))}
                </ul>
              </>
            )
          }
        </Show>
        <section class="more">
          <h2>{t("engines")}</h2>
          <p>{t("engines.lead")}</p>
          <ul class="challenges">
            {(engines.value ?? []).map((engine) => (
              <HouseEntry key={engine.id} engine={engine} />
            ))}
          </ul>
        </section>
      </div>
    </Page>
  );
}

function Open({ challenge }: { challenge: Challenge }) {
  const { route } = useLocation();
  const [error, setError] = useState<Refusal | null>(null);
  const page = at(`/match/${challenge.match}`);
  const options = Object.entries(challenge.game.options)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
  const accept = (side: Side | null) =>
    api.accept(challenge.match, side).then(
      () => route(page),
      (problem: Refusal) => setError(problem),
    );
  return (
    <li>
      <div class="what">
        <h2>{challenge.game.name}</h2>
        <p class="small">
          {t("lobby.by", { name: "" })}
          <Name name={challenge.by} profile={challenge.profile} />
          {challenge.rating && <span class="figures"> {ratingText(challenge.rating)}</span>},{" "}
          {t(`lobby.side.${challenge.side}`)}
        </p>
        <p class="muted small figures">
          {timeText(challenge.time)} · {t(challenge.rated ? "match.rated" : "match.casual")}
          {options && ` · ${options}`}
        </p>
      </div>
      {challenge.mine ? (
        <a class="button" href={page}>
          {t("lobby.mine")}
        </a>
      ) : (
        <div class="together">
          {(challenge.side === "opponent" ? (["white", "black"] as const) : [null]).map((side) => (
            <button type="button" key={side} class="strong" onClick={() => accept(side)}>
              {t(side ? `open.sit.${side}` : "lobby.accept")}
              <span class="hidden">
                {" "}
                {challenge.game.name}, {challenge.by}
              </span>
            </button>
          ))}
        </div>
      )}
      {error && <Trouble error={error} />}
    </li>
  );
}
