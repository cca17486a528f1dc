import { Bell, BellOff, Flag, SendHorizontal } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { identity, whoAmI } from "../client";
import { load, save } from "../client/storage";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import { Later } from "../parts/later";
import type { ChatLine, Snapshot } from "../wire";
import type { Match } from "./match";

const LONGEST_TEXT = 300;

/** The chat, with a switch that mutes it; players and spectators read each other's once the match is over. */
export function Chat({ match, state }: { match: Match; state: Snapshot }) {
  const key = `muted.${match.id}`;
  const [muted, setMuted] = useState(load(key) === true);
  const [text, setText] = useState("");
  const [line, setLine] = useState<ChatLine | null>(null);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = end.current?.closest(".panel-body");
    if (box) box.scrollTop = box.scrollHeight;
  }, [state.chat.length, muted]);
  const mute = () => {
    save(key, !muted || null);
    setMuted(!muted);
  };
  const say = (event: Event) => {
    event.preventDefault();
    if (text.trim() && match.command({ type: "chat", text: text.trim() })) setText("");
  };
  const lines = muted ? state.chat.filter((line) => line.by === state.seat) : state.chat;
  return (
    <div class="chat">
      <button type="button" class="quiet mute" aria-pressed={muted} onClick={mute}>
        <Icon of={muted ? BellOff : Bell} size={18} /> {t(muted ? "chat.unmute" : "chat.mute")}
      </button>
      <div role="log" aria-label={t("panel.chat")} aria-live={muted ? "off" : "polite"}>
        {state.phase !== "over" && state.seat !== "both" && (
          <p class="muted small">{t(state.seat ? "chat.players" : "chat.spectators")}</p>
        )}
        {lines.length === 0 && <p class="muted small">{t(muted ? "chat.muted" : "chat.empty")}</p>}
        {lines.map((line) => (
          <p key={line.id}>
            <strong>{line.name}</strong>
            {state.phase === "over" && (
              <span class="muted small"> {t(line.by === "watcher" ? "chat.watcher" : "chat.player")}</span>
            )}{" "}
            {line.text}
            {identity.value && line.by !== state.seat && (
              <button type="button" class="quiet flag" aria-label={t("report.line")} onClick={() => setLine(line)}>
                <Icon of={Flag} size={14} />
              </button>
            )}
          </p>
        ))}
        <div ref={end} />
      </div>
      {line && (
        <Later
          load={() => import("../people/report").then((its) => its.ReportDialog)}
          who={`${match.id}.${line.id}`}
          name={line.name}
          text={line.text}
          close={() => setLine(null)}
        />
      )}
      {!identity.value && (
        <button type="button" onClick={() => void whoAmI().catch(() => undefined)}>
          {t("chat.join")}
        </button>
      )}
      {identity.value && state.may.includes("chat") && (
        <form onSubmit={say} class="say">
          <input
            value={text}
            maxLength={LONGEST_TEXT}
            aria-label={t("chat.write")}
            placeholder={t("chat.write")}
            autocomplete="off"
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button type="submit" aria-label={t("chat.send")} disabled={!text.trim()}>
            <Icon of={SendHorizontal} size={18} />
          </button>
        </form>
      )}
    </div>
  );
}
