import { Check, Copy, Share2 } from "lucide";
import { useState } from "preact/hooks";
import { api, at, type Refusal } from "../client";
import { load, save } from "../client/storage";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import { Trouble } from "../parts/loaded";
import { timeText } from "../parts/time";
import type { Game, Snapshot } from "../wire";
import type { Match } from "./match";

/** The secret of an invitation is in the fragment of the link, which browsers do not send to the server. */
function secretHere(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get("invite");
}

/** The invitation link to send, for the player who waits for a friend. */
export function Invitation({ match, state }: { match: Match; state: Snapshot }) {
  const secret = load(`invite.${match.id}`);
  if (typeof secret !== "string")
    return (
      <p class="news" role="status">
        {t(state.opponent === "friend" ? "open.elsewhere" : "open.lobby")}
      </p>
    );
  const link = `${new URL(at(`/match/${match.id}`), location.href).href}#invite=${secret}`;
  return (
    <div class="invitation">
      <p>{t("open.friend", { time: timeText(state.time) })}</p>
      <CopyLink link={link} label={t("open.link")} />
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
      <p class="news" role="status">
        {t("open.watch")}
      </p>
    );
  const sit = () =>
    api.takeSeat(match.id, secret).then(() => {
      // Without the secret the address may be shared.
      history.replaceState(null, "", at(`/match/${match.id}`));
      save(`invite.${match.id}`, null);
      match.reconnect();
    }, setError);
  const host = state.players.white.kind === "nobody" ? state.players.black : state.players.white;
  return (
    <div class="invitation">
      <p>
        {t("open.join", { name: host.name, game: game.name })}{" "}
        {t(state.players.white.kind === "nobody" ? "open.white" : "open.black")} {timeText(state.time)}.
      </p>
      <button type="button" class="primary" onClick={sit}>
        {t("open.sit")}
      </button>
      {error && <Trouble error={error} />}
    </div>
  );
}
