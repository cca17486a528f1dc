import { playSound } from "@acedrex/board";
import { X } from "lucide";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, at, identity, type Refusal, Socket, settings, socketAt } from "../client";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import { refusalText } from "../parts/loaded";
import { stopWaiting, waitingChallenge } from "../parts/play-now";
import { timeText } from "../parts/time";
import type { Challenge, FromLobby, Hello } from "../wire";
import { ServerMatch } from "./match";
import { nameOf } from "./player";

/** What somebody who plays an engine hears of people: that their challenge was accepted, or that somebody waits. */
export function Calls({ match }: { match: string }) {
  const [waiting, setWaiting] = useState(() => waitingChallenge());
  const awaited = useMemo(() => (waiting && waiting !== match ? new ServerMatch(waiting) : null), [waiting]);
  useEffect(() => () => awaited?.close(), [awaited]);
  const done = () => {
    stopWaiting();
    setWaiting(null);
  };
  // Whoever has found somebody waits no longer, unless for a game of several days.
  const found = () => {
    if (awaited && awaited.state.value?.time.kind !== "correspondence") awaited.command({ type: "abort" });
    done();
  };
  const phase = awaited?.state.value?.phase;
  // Whoever is called hears of nothing else.
  const called = phase === "setup" || phase === "play";
  return (
    <>
      {awaited && <Awaited match={awaited} begun={called} done={done} />}
      {!called && <Lookout found={found} />}
    </>
  );
}

/** One's own challenge, which waits in the lobby: while this is shown, its owner counts as online. */
function Awaited({ match, begun, done }: { match: ServerMatch; begun: boolean; done: () => void }) {
  const { route } = useLocation();
  const state = match.state.value;
  const lost = match.gone.value !== null || state?.phase === "over" || (state && !state.seat);
  useEffect(() => {
    if (lost) done();
  }, [lost]);
  useEffect(() => {
    if (begun && settings.value.sounds === "on") playSound("check");
  }, [begun]);
  if (!state || lost) return null;
  const isLive = state.time.kind !== "correspondence";
  const withdraw = () => {
    match.command({ type: "abort" });
    done();
  };
  if (!begun)
    return (
      <p class="news lasting">
        {t("calls.waiting", { game: state.game.name, time: timeText(state.time) })}
        <button type="button" class="quiet" onClick={withdraw}>
          {t("calls.withdraw")}
        </button>
      </p>
    );
  const opponent = nameOf(state.players[state.seat === "white" ? "black" : "white"]);
  return (
    <div class="news offered lasting" role="alert">
      <span>{t("calls.accepted", { name: opponent, game: state.game.name })}</span>
      <span class="together">
        <button
          type="button"
          class="primary"
          onClick={() => {
            stopWaiting();
            route(at(`/match/${match.id}`));
          }}
        >
          {t("calls.join")}
        </button>
        {/* A game of days waits; one with running clocks must not. */}
        <button type="button" class="quiet" onClick={isLive ? withdraw : done}>
          {t("calls.later")}
        </button>
      </span>
    </div>
  );
}

const dismissed = new Set<string>();

/** A challenge of somebody else in the lobby, one at a time and without a sound. */
function Lookout({ found }: { found: () => void }) {
  const { route } = useLocation();
  const [challenges, setChallenges] = useState<Challenge[]>([]);
  const [error, setError] = useState<Refusal | null>(null);
  useEffect(() => {
    const socket = new Socket<FromLobby, Hello>(socketAt("/api/lobby/socket"), {
      hello: () => ({ type: "hello", token: identity.value?.token ?? null, after: null }),
      ping: null,
      receive: (message) => {
        if (message.type === "lobby") setChallenges(message.challenges);
      },
    });
    return () => socket.close();
  }, []);
  const shown = challenges.find(
    ({ match, mine, rated }) => !mine && !dismissed.has(match) && (!rated || identity.value?.account),
  );
  if (!shown) return null;
  const dismiss = () => {
    dismissed.add(shown.match);
    setError(null);
    setChallenges([...challenges]);
  };
  const accept = () =>
    api.accept(shown.match, null).then(() => {
      found();
      route(at(`/match/${shown.match}`));
    }, setError);
  return (
    <div class="news offered" role="status">
      <span>
        {error
          ? refusalText(error)
          : t("calls.open", { name: shown.by, game: shown.game.name, time: timeText(shown.time) })}
      </span>
      <span class="together">
        {!error && (
          <button type="button" onClick={accept}>
            {t("lobby.accept")}
          </button>
        )}
        <button type="button" class="quiet" aria-label={t("close")} onClick={dismiss}>
          <Icon of={X} size={18} />
        </button>
      </span>
    </div>
  );
}
