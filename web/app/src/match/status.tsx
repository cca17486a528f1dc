import { CloudOff, History, X } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { count, t } from "../i18n";
import { isFirstMatch } from "../learn/progress";
import type { Dock } from "../parts/board";
import { endingText } from "../parts/ending";
import { online } from "../parts/frame";
import { Icon } from "../parts/icon";
import { Later } from "../parts/later";
import { refusalText } from "../parts/loaded";
import { specialMoves, specialMoveText } from "../parts/special-moves";
import type { Game, MoveMade, Offer, Position, Snapshot } from "../wire";
import { AfterMatch } from "./after-match";
import { FirstMatchAdvice } from "./first-match";
import type { Match } from "./match";
import { nameOf } from "./player";
import { Invitation, Joining } from "./waiting";

/** The lines beside the board: whose turn it is, offers, what went wrong, and the bar of the board. */
export function Status({
  match,
  state,
  game,
  shown,
  back,
  dock,
  children,
}: {
  match: Match;
  state: Snapshot;
  game: Game;
  shown: Position | null;
  back: () => void;
  dock: Dock;
  /** What is known about the setup on the board. */
  children?: ComponentChildren;
}) {
  const standing = match.standing.value;
  const refused = match.refused.value;
  const slow = useSlow(standing !== "open");
  return (
    <section class="match-status" aria-label={t("match.status")}>
      {game.changed && <p class="news lasting">{t("match.changed", { game: game.name })}</p>}
      {state.phase === "open" &&
        (state.seat ? (
          <Invitation match={match} state={state} game={game} />
        ) : (
          <Joining match={match} state={state} game={game} />
        ))}
      {state.phase !== "open" &&
        (shown ? (
          <p class="news past">
            <Icon of={History} size={18} /> {pastText(state.moves[shown.ply - 1])}
            <button type="button" class="quiet" onClick={back}>
              {t("match.present")}
            </button>
          </p>
        ) : (
          <Now match={match} state={state}>
            {children}
          </Now>
        ))}
      <div class="passing">
        <div class="dock" ref={dock} />
        {state.phase === "over" && <AfterMatch match={match} state={state} />}
        {!shown && <Choice match={match} state={state} />}
        {slow && standing !== "closed" && (
          <p class="news lost" role="status">
            <Icon of={CloudOff} size={18} /> {t(match.sent.value ? "match.lost.sent" : "match.lost")}
            <button type="button" class="quiet" onClick={() => match.retryNow()}>
              {t("problem.again")}
            </button>
          </p>
        )}
        {refused && (
          <p class="news refused" role="alert">
            {refusalText(refused)}
            <button
              type="button"
              class="quiet"
              aria-label={t("close")}
              onClick={() => {
                match.refused.value = null;
              }}
            >
              <Icon of={X} size={18} />
            </button>
          </p>
        )}
        {state.offers.map((offer) => (
          <OfferLine key={offer.what} match={match} state={state} offer={offer} />
        ))}
        {match.declined.value && <DeclinedLine state={state} offer={match.declined.value} />}
        {state.phase !== "open" && state.opponent === "engine" && state.seat && online.value && (
          <Later load={() => import("./calls").then((its) => its.Calls)} match={match.id} />
        )}
        {isSlow(state) && <Later load={() => import("./slow").then((its) => its.Slow)} match={match} state={state} />}
        {state.phase === "play" && <Left match={match} />}
        {state.phase === "play" && isFirstMatch(match.id) && <FirstMatchAdvice match={match} state={state} />}
      </div>
    </section>
  );
}

/** Whether the player plays a person over days. */
function isSlow({ seat, phase, opponent, time }: Snapshot): boolean {
  const isOver = phase === "open" || phase === "over";
  const isWithPerson = opponent === "friend" || opponent === "lobby";
  return seat !== null && !isOver && isWithPerson && time.kind === "correspondence";
}

/** Names an earlier position by the move that led to it. */
function pastText(made: MoveMade | undefined): string {
  if (!made) return t("match.past.start");
  return t("match.past", { number: made.turn, side: t(`side.${made.side}`) });
}

/** Whether something has been true for a while: a connection that is back at once is not worth a message. */
function useSlow(is: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    const timer = is ? setTimeout(() => setSlow(true), 1200) : undefined;
    return () => clearTimeout(timer);
  }, [is]);
  return is && slow;
}

function Now({ match, state, children }: { match: Match; state: Snapshot; children?: ComponentChildren }) {
  if (state.ending)
    return (
      <p class="news ending" role="status">
        {endingText(state.ending, state.seat)}
      </p>
    );
  if (state.phase === "setup") {
    return (
      <p class="news" role="status">
        {t(match.may("setup") ? "match.setup.mine" : "match.setup.theirs")} {children}
      </p>
    );
  }
  const { turn, check } = state.position;
  const opponent = nameOf(state.players[turn]);
  const mine = match.acting.value !== null;
  const playedOn = state.moves.find(({ move }) => move === "playon");
  return (
    <>
      <p class={mine && state.seat !== "both" ? "news mine" : "news"} role="status">
        {mine && state.seat !== "both"
          ? t("match.yourTurn")
          : state.seat === "both" || state.seat === null
            ? t(turn === "white" ? "match.white" : "match.black")
            : state.players[turn].kind === "engine"
              ? t("match.thinks", { name: opponent })
              : t("match.waits", { name: opponent })}
        {check.length > 0 && <strong class="check"> {t("match.check")}</strong>}
      </p>
      {playedOn && <p class="news lasting">{t(`match.playedOn.${playedOn.side}`)}</p>}
    </>
  );
}

/** The special moves that can be made now. */
function Choice({ match, state }: { match: Match; state: Snapshot }) {
  const special = match.acting.value === null ? [] : specialMoves(state.position.legal);
  if (special.length === 0) return null;
  return (
    <div class="news choice">
      {special.some(({ move }) => move === "claim") && <p>{t("match.special.bare")}</p>}
      {special.map((move) => (
        <button type="button" key={move.move} onClick={() => match.move(move.move)}>
          {specialMoveText(move.move)}
        </button>
      ))}
    </div>
  );
}

/** Tells everyone but the player who declined. */
function DeclinedLine({ state, offer }: { state: Snapshot; offer: Offer }) {
  const by = offer.by === "white" ? "black" : "white";
  if (state.seat === by || state.seat === "both") return null;
  return (
    <p class="news" role="status">
      {t(`offer.${offer.what}.declined`, { name: nameOf(state.players[by]) })}
    </p>
  );
}

function OfferLine({ match, state, offer }: { match: Match; state: Snapshot; offer: Offer }) {
  const by = nameOf(state.players[offer.by]);
  if (state.seat === offer.by || state.seat === null) {
    return (
      <p class="news" role="status">
        {t(state.seat ? `offer.${offer.what}.sent` : `offer.${offer.what}`, { name: by })}
      </p>
    );
  }
  const answer = (accept: boolean) => () => match.command({ type: "answer", what: offer.what, accept });
  return (
    <div class="news offered" role="alert">
      <span>
        {t(`offer.${offer.what}`, { name: by })}
        {offer.moves !== null && ` (${count("card.moves", offer.moves)})`}
      </span>
      <span class="together">
        <button type="button" onClick={answer(true)}>
          {t("offer.accept")}
        </button>
        <button type="button" class="quiet" onClick={answer(false)}>
          {t("offer.decline")}
        </button>
      </span>
    </div>
  );
}

/** After the opponent has left: the time until the match may be claimed, then the button. */
function Left({ match }: { match: Match }) {
  const since = match.presence.value.left_claim_at;
  const [wait, setWait] = useState(0);
  useEffect(() => {
    if (since === null) return;
    const look = () => setWait(Math.max(0, Math.ceil((since - Date.now() - match.aheadMs.peek()) / 1000)));
    look();
    const timer = setInterval(look, 1000);
    return () => clearInterval(timer);
  }, [since]);
  if (since === null || match.seat.value === null) return null;
  return (
    <p class="news">
      {wait > 0 ? t("match.left.wait", { seconds: wait }) : t("match.left")}
      {wait === 0 && (
        <button type="button" onClick={() => match.command({ type: "claim", what: "left" })}>
          {t("match.left.claim")}
        </button>
      )}
    </p>
  );
}
