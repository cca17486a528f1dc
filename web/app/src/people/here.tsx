import { signal } from "@preact/signals";
import { Mail, ShieldCheck, UserRound } from "lucide";
import { useEffect } from "preact/hooks";
import { at, identity } from "../client";
import * as people from "../client/people";
import { count, t } from "../i18n";
import { Icon } from "../parts/icon";
import type { News } from "../wire";
import { noticeText } from "./notice";
import "../style/people.css";

const EVERY_MS = 60_000;

/** What the server said last of new messages and of moderators. */
export const news = signal<News | null>(null);

export const look = () =>
  people.news().then(
    (found) => {
      news.value = found;
    },
    () => undefined,
  );

/** In the header: one's own page, new messages, and for moderators open reports. */
export function Here() {
  const token = identity.value?.token;
  useEffect(() => {
    news.value = null;
    void look();
    const timer = setInterval(() => document.hidden || look(), EVERY_MS);
    return () => clearInterval(timer);
  }, [token]);
  const found = news.value;
  return (
    <>
      <a href={at("/people")}>
        <Icon of={UserRound} /> <span class="own-name">{identity.value?.name}</span>
      </a>
      {!!found?.unread && (
        <a href={at("/messages")} aria-label={count("messages.unread", found.unread)}>
          <Icon of={Mail} /> {found.unread}
        </a>
      )}
      {found?.reports != null && (
        <a href={at("/moderation")} aria-label={count("moderation.open", found.reports)}>
          <Icon of={ShieldCheck} /> {found.reports}
        </a>
      )}
    </>
  );
}

/** What a moderator has done to the person, and why. */
export function Notices() {
  const seen = () => people.seen().then(look, () => undefined);
  return (
    <>
      {news.value?.notices.map((notice) => (
        <p class="offline of-moderators" role="status" key={notice.kind}>
          {noticeText(notice)}
          {notice.kind === "renamed" && (
            <button type="button" onClick={seen}>
              {t("close")}
            </button>
          )}
        </p>
      ))}
    </>
  );
}
