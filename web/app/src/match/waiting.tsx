import { otherSide } from "@acedrex/board";
import { Check, Copy, ExternalLink, Share2 } from "lucide";
import { useState } from "preact/hooks";
import { api, at, type Refusal } from "../client";
import { load, save } from "../client/storage";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import { Trouble } from "../parts/loaded";
import { timeText } from "../parts/time";
import type { Game, Side, Snapshot } from "../wire";
import type { Match } from "./match";

const SIDES = ["white", "black"] as const;

/** The secret of an invitation is in the fragment of the link, which browsers do not send to the server. */
function secretHere(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get("invite");
}

/** What both players should know before the match: the side, who chooses the setup, the rules. */
function Terms({ state, game, side }: { state: Snapshot; game: Game; side: Side | null }) {
  // A chosen or random setup is known, and so is a position to play from.
  const chooses = game.setup && state.setup === null && state.start_fen === game.start_fen;
  return (
    <>
      <p>
        {side && t(side === "white" ? "open.white" : "open.black")}{" "}
        {chooses && t(side === "black" ? "open.setup.mine" : "open.setup.theirs")}
      </p>
      <p>
        <a href={at(`/learn/${encodeURIComponent(game.id)}`)} target="_blank" rel="noopener">
          {t("open.rules", { game: game.name })}
          <span class="hidden"> {t("open.newTab")}</span> <Icon of={ExternalLink} size={16} />
        </a>
      </p>
    </>
  );
}

/** The invitation link to send, for the player who waits for a friend. */
export function Invitation({ match, state, game }: { match: Match; state: Snapshot; game: Game }) {
  const secret = load(`invite.${match.id}`);
  const settled = state.seat !== "both" && state.side !== "opponent";
  const terms = <Terms state={state} game={game} side={settled ? (state.seat as Side | null) : null} />;
  if (typeof secret !== "string")
    return (
      <div class="invitation">
        <p role="status">{t(state.opponent === "friend" ? "open.elsewhere" : "open.lobby")}</p>
        {terms}
      </div>
    );
  const link = `${new URL(at(`/match/${match.id}`), location.href).href}#invite=${secret}`;
  return (
    <div class="invitation">
      <p>{t("open.friend", { time: timeText(state.time) })}</p>
      <CopyLink link={link} label={t("open.link")} />
      {terms}
    </div>
  );
}

export function CopyLink({ link, label }: { link: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => setCopied(true),
      () => undefined,
    );
  return (
    <div class="copy-link">
      <input readOnly value={link} aria-label={label} onFocus={(event) => event.currentTarget.select()} />
      <button type="button" onClick={copy}>
        <Icon of={copied ? Check : Copy} size={18} /> {t(copied ? "copied" : "copy")}
      </button>
      {"share" in navigator && (
        <button
          type="button"
          class="quiet"
          aria-label={t("share")}
          onClick={() => void navigator.share({ url: link }).catch(() => undefined)}
        >
          <Icon of={Share2} size={18} />
        </button>
      )}
      <span class="hidden" role="status">
        {copied && t("copied")}
      </span>
    </div>
  );
}

/** The invitation as the friend sees it, with the button that joins the match. */
export function Joining({ match, state, game }: { match: Match; state: Snapshot; game: Game }) {
  const [error, setError] = useState<Refusal | null>(null);
  const secret = secretHere();
  if (!secret)
    return (
      <div class="invitation">
        <p role="status">{t("open.watch")}</p>
        <Terms state={state} game={game} side={null} />
      </div>
    );
  const sit = (chosen: Side | null) =>
    api.takeSeat(match.id, secret, chosen).then(() => {
      // Without the secret the address may be shared.
      history.replaceState(null, "", at(`/match/${match.id}`));
      save(`invite.${match.id}`, null);
      match.reconnect();
    }, setError);
  const free: Side = state.players.white.kind === "nobody" ? "white" : "black";
  const host = state.players[otherSide(free)];
  const theirs = state.side === "opponent";
  return (
    <div class="invitation">
      <p>
        {t("open.join", { name: host.name, game: game.name })} {timeText(state.time)}.
        {state.rated && ` ${t("open.rated")}`}
      </p>
      <Terms state={state} game={game} side={theirs ? null : free} />
      {theirs ? (
        <div class="together">
          {SIDES.map((side) => (
            <button type="button" key={side} class="strong" onClick={() => sit(side)}>
              {t(`open.sit.${side}`)}
            </button>
          ))}
        </div>
      ) : (
        <button type="button" class="primary" onClick={() => sit(null)}>
          {t("open.sit")}
        </button>
      )}
      {error && <Trouble error={error} />}
    </div>
  );
}
