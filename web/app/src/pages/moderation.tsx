import { useId, useState } from "preact/hooks";
import { at, identity, type Refusal } from "../client";
import * as people from "../client/people";
import * as studies from "../client/studies";
import { count, t } from "../i18n";
import { Show, Trouble, useFresh, useLoaded } from "../parts/loaded";
import { Name } from "../parts/name";
import { Page } from "../parts/page";
import { FairPlay } from "../people/fair-play";
import { look } from "../people/here";
import { moment, noticeText } from "../people/notice";
import type { Action, LogEntry, Report } from "../wire";
import "../style/people.css";

const DAYS = [1, 3, 7, 30, 365];

/** Open reports, what moderators can do, and what they have done. */
export function Moderation() {
  const reports = useLoaded(people.reports, [identity.value?.token]);
  const [done, setDone] = useState(0);
  useFresh(reports);
  const after = () => {
    setDone(done + 1);
    reports.again();
    void look();
  };
  return (
    <Page title={t("moderation.title")} lead={t("moderation.lead")}>
      <Show loaded={reports}>
        {(open) => (
          <div class="moderation">
            <section aria-labelledby="reports">
              <h2 id="reports">{count("moderation.open", open.length)}</h2>
              {open.map((report) => (
                <Open key={report.id} report={report} after={after} />
              ))}
            </section>
            <section aria-labelledby="account">
              <h2 id="account">{t("moderation.account")}</h2>
              <Act after={after} />
            </section>
            <FairPlay />
            <Log key={done} />
          </div>
        )}
      </Show>
    </Page>
  );
}

function Open({ report, after }: { report: Report; after: () => void }) {
  const { about } = report;
  return (
    <article class="report">
      <h3>
        {t(`moderation.about.${report.kind}`)} <Name name={about.name} profile={about.account ? about.name : null} />
      </h3>
      <p>
        {t("moderation.reason", { name: report.by || t("moderation.deleted"), reason: report.reason })}{" "}
        <span class="muted small">{moment(report.at)}</span>
      </p>
      {about.notices.map((notice) => (
        <p class="small" key={notice.kind}>
          {noticeText(notice)}
        </p>
      ))}
      {report.kind !== "person" && report.context.every(({ reported }) => !reported) && (
        <blockquote>{report.text}</blockquote>
      )}
      {report.context.length > 0 && (
        <ol class="plain context">
          {report.context.map((line) => (
            <li key={`${line.at} ${line.text}`} class={line.reported ? "reported" : ""}>
              <strong>{line.name || "?"}</strong> {line.text}
            </li>
          ))}
        </ol>
      )}
      {report.study && <a href={at(`/study/${report.study}`)}>{t("moderation.study")}</a>}
      {report.match && <a href={at(`/match/${report.match}`)}>{t("moderation.match")}</a>}
      {about.moderator ? <p class="muted">{t("problem.is_moderator")}</p> : null}
      <Act report={report} after={after} />
    </article>
  );
}

const ACTIONS = ["mute", "close", "rename", "unmute", "reopen"] as const;

function Act({ report, after }: { report?: Report; after: () => void }) {
  const id = useId();
  const [action, setAction] = useState<Action["action"] | "withdraw">(report ? "dismiss" : "mute");
  const [error, setError] = useState<Refusal | null>(null);
  const [worked, setWorked] = useState(false);
  const act = (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const value = (name: string) => String(new FormData(form).get(name) ?? "").trim();
    setError(null);
    setWorked(false);
    const done = () => {
      form.reset();
      setWorked(true);
      after();
    };
    if (action === "withdraw") {
      if (report?.study) studies.withdraw(report.study, value("reason")).then(done, setError);
      return;
    }
    const body: Action = { action, reason: value("reason") };
    if (report) body.report = report.id;
    else body.who = value("who");
    if (action === "mute") body.hours = 24 * Number(value("days"));
    if (action === "rename") body.name = value("name");
    people.act(body).then(done, setError);
  };
  return (
    <form onSubmit={act} class="act">
      {!report && (
        <div class="field">
          <label for={`${id}who`}>{t("account.name")}</label>
          <input id={`${id}who`} name="who" required maxLength={40} autocomplete="off" />
        </div>
      )}
      <div class="field">
        <label for={`${id}action`}>{t("moderation.action")}</label>
        <select
          id={`${id}action`}
          value={action}
          onChange={(event) => setAction(event.currentTarget.value as typeof action)}
        >
          {report && <option value="dismiss">{t("moderation.dismiss")}</option>}
          {report?.study && <option value="withdraw">{t("moderation.withdraw")}</option>}
          {ACTIONS.map((one) => (
            <option key={one} value={one}>
              {t(`moderation.${one}`)}
            </option>
          ))}
        </select>
      </div>
      {action === "mute" && (
        <div class="field">
          <label for={`${id}days`}>{t("moderation.days")}</label>
          <select id={`${id}days`} name="days">
            {DAYS.map((days) => (
              <option key={days} value={days}>
                {count("days", days)}
              </option>
            ))}
          </select>
        </div>
      )}
      {action === "rename" && (
        <div class="field">
          <label for={`${id}name`}>{t("moderation.name")}</label>
          <input id={`${id}name`} name="name" required maxLength={20} autocomplete="off" />
        </div>
      )}
      <div class="field">
        <label for={`${id}reason`}>{t("report.reason")}</label>
        <input id={`${id}reason`} name="reason" required maxLength={300} autocomplete="off" />
        {action !== "dismiss" && <p class="help">{t("moderation.told")}</p>}
      </div>
      <button type="submit" class={report ? "" : "strong"}>
        {t(`moderation.${action}`)}
      </button>
      <p role="status">{worked && t("moderation.done")}</p>
      {error && <Trouble error={error} />}
    </form>
  );
}

function Log() {
  const loaded = useLoaded((signal) => people.log(null, signal));
  const [older, setOlder] = useState<{ entries: LogEntry[]; more: boolean } | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  return (
    <section aria-labelledby="log">
      <h2 id="log">{t("moderation.log")}</h2>
      <Show loaded={loaded}>
        {(page) => {
          const entries = [...page.entries, ...(older?.entries ?? [])];
          const next = () =>
            people
              .log(entries.at(-1)?.id ?? null)
              .then(
                (found) => setOlder({ entries: [...(older?.entries ?? []), ...found.entries], more: found.more }),
                setError,
              );
          return (
            <>
              {entries.length === 0 && <p class="muted">{t("moderation.log.none")}</p>}
              <ul class="challenges">
                {entries.map((entry) => (
                  <li key={entry.id}>
                    <div class="what">
                      {t("moderation.entry", {
                        by: entry.by || t("moderation.operator"),
                        action: t(
                          `moderation.log.${entry.action as Action["action"] | "appoint" | "remove" | "withdraw"}`,
                        ),
                        whom: entry.name ? `${entry.whom} → ${entry.name}` : entry.whom,
                      })}
                      <p class="muted small">
                        {entry.reason}
                        {entry.until !== null && ` · ${t("moderation.until", { until: moment(entry.until) })}`}
                      </p>
                    </div>
                    <span class="muted small figures">{moment(entry.at)}</span>
                  </li>
                ))}
              </ul>
              {(older ? older.more : page.more) && (
                <button type="button" onClick={next}>
                  {t("moderation.older")}
                </button>
              )}
            </>
          );
        }}
      </Show>
      {error && <Trouble error={error} />}
    </section>
  );
}
