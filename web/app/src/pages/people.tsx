import { Circle, Flag, MessageSquare, UserMinus, UserPlus } from "lucide";
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { useRoute } from "preact-iso";
import { at, identity, type Refusal } from "../client";
import * as people from "../client/people";
import { count, t } from "../i18n";
import { ArchivedRow } from "../parts/archived";
import { Icon } from "../parts/icon";
import { Show, Trouble, useFresh, useLoaded, Waiting } from "../parts/loaded";
import { Card } from "../parts/match-card";
import { Name } from "../parts/name";
import { Page } from "../parts/page";
import { day, moment } from "../people/notice";
import { ReportDialog } from "../people/report";
import { RatingsOf } from "../ratings/of-person";
import type { Acquaintance, PlayedRecord, Profile } from "../wire";
import "../style/people.css";

/** A profile, or without a name one's own page. */
export function People() {
  const { name } = useRoute().params;
  return name ? <ProfilePage name={decodeURIComponent(name)} key={name} /> : <OwnPage />;
}

export const Online = () => (
  <span class="here online">
    <Icon of={Circle} size={10} /> {t("people.online")}
  </span>
);

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function ProfilePage({ name }: { name: string }) {
  const loaded = useLoaded((signal) => people.profile(name, signal), [name, identity.value?.token]);
  return (
    <Page title={loaded.value?.name ?? name}>
      <Show loaded={loaded}>{(profile) => <Shown profile={profile} again={loaded.again} />}</Show>
    </Page>
  );
}

function OwnPage() {
  const who = identity.value;
  if (who?.account)
    return (
      <Page title={who.name}>
        <div class="profile">
          <Mine name={who.name} />
          <Lists />
        </div>
      </Page>
    );
  return (
    <Page title={t("people.title")} lead={t("people.guest")}>
      <p>
        <a class="button primary" href={at("/account")}>
          {t("account.create")}
        </a>
      </p>
      {who && (
        <div class="profile">
          <Lists />
        </div>
      )}
    </Page>
  );
}

function Mine({ name }: { name: string }) {
  const loaded = useLoaded((signal) => people.profile(name, signal), [name]);
  return (
    <>
      <p class="together">
        <a class="button" href={at("/messages")}>
          <Icon of={MessageSquare} size={18} /> {t("messages.title")}
        </a>
        <a class="button" href={at("/account")}>
          {t("account.title")}
        </a>
      </p>
      {loaded.value ? <Played profile={loaded.value} /> : loaded.error ? <Trouble error={loaded.error} /> : <Waiting />}
    </>
  );
}

function Shown({ profile, again }: { profile: Profile; again: () => void }) {
  const { relation } = profile;
  return (
    <div class="profile">
      <p class="lead">
        {profile.online ? <Online /> : profile.seen !== null && t("people.seen", { time: moment(profile.seen) })}
        {(profile.online || profile.seen !== null) && " · "}
        {t("people.since", { day: day(profile.since) })}
      </p>
      {relation && <Actions profile={profile} again={again} />}
      {relation && total(relation.record) > 0 && (
        <Section title={t("people.against", { name: profile.name })}>
          <p class="figures">{score(relation.record)}</p>
        </Section>
      )}
      <Played profile={profile} />
    </div>
  );
}

function Actions({ profile: { name, relation }, again }: { profile: Profile; again: () => void }) {
  const [reporting, setReporting] = useState(false);
  const [error, setError] = useState<Refusal | null>(null);
  if (!relation) return null;
  const change = (list: "follows" | "blocks", on: boolean) =>
    (on ? people.put : people.take)(list, name).then(again, setError);
  return (
    <>
      <p class="together">
        {!relation.blocks && (
          <button type="button" aria-pressed={relation.follows} onClick={() => change("follows", !relation.follows)}>
            <Icon of={relation.follows ? UserMinus : UserPlus} size={18} />{" "}
            {t(relation.follows ? "people.unfollow" : "people.follow")}
          </button>
        )}
        {relation.writes && (
          <a class="button" href={at(`/messages/${encodeURIComponent(name)}`)}>
            <Icon of={MessageSquare} size={18} /> {t("people.write")}
          </a>
        )}
        <button type="button" class="quiet" onClick={() => change("blocks", !relation.blocks)}>
          {t(relation.blocks ? "people.unblock" : "people.block")}
        </button>
        <button type="button" class="quiet" onClick={() => setReporting(true)}>
          <Icon of={Flag} size={18} /> {t("report.action")}
        </button>
      </p>
      {relation.blocks && <p class="muted">{t("people.blocked")}</p>}
      {error && <Trouble error={error} />}
      {reporting && <ReportDialog who={name} name={name} close={() => setReporting(false)} />}
    </>
  );
}

const total = ({ won, drawn, lost }: PlayedRecord) => won + drawn + lost;
const score = ({ won, drawn, lost }: PlayedRecord) =>
  `${count("people.won", won)}, ${count("people.drawn", drawn)}, ${count("people.lost", lost)}`;

/** What somebody has played. */
function Played({ profile }: { profile: Profile }) {
  const { games, setups, streaks, running, finished } = profile;
  return (
    <>
      <Section title={t("ratings.title")}>
        <RatingsOf name={profile.name} />
      </Section>
      {games.length === 0 && <p class="notice">{t("people.nothing")}</p>}
      {games.length > 0 && (
        <Section title={t("people.games")}>
          <div class="scrolls">
            <table>
              <thead>
                <tr>
                  <th scope="col">{t("new.game")}</th>
                  <th scope="col">{t("people.column.won")}</th>
                  <th scope="col">{t("people.column.drawn")}</th>
                  <th scope="col">{t("people.column.lost")}</th>
                  <th scope="col">{t("people.column.engine")}</th>
                </tr>
              </thead>
              <tbody class="figures">
                {games.map(({ game, name, record, engine }) => (
                  <tr key={game}>
                    <th scope="row">
                      <a href={at(`/learn/${encodeURIComponent(game)}`)}>{name}</a>
                    </th>
                    <td>{record.won}</td>
                    <td>{record.drawn}</td>
                    <td>{record.lost}</td>
                    <td>{engine}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {streaks.longest > 1 && (
            <p>
              {t("people.streak", { longest: streaks.longest })}
              {streaks.current > 1 && ` ${t("people.streak.current", { current: streaks.current })}`}
            </p>
          )}
        </Section>
      )}
      {setups.length > 0 && (
        <Section title={t("people.setups")}>
          <ul class="plain">
            {setups.map(({ game, name, setup, matches }) => (
              <li key={`${game} ${setup}`}>
                {name} <code>{setup}</code> <span class="muted">{count("people.matches", matches)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {running.length > 0 && (
        <Section title={t("people.running")}>
          <ul class="cards small-cards">
            {running.map((match) => (
              <Card key={match.match} match={match} />
            ))}
          </ul>
        </Section>
      )}
      {finished.length > 0 && (
        <Section title={t("people.finished")}>
          <ul class="challenges">
            {finished.map((match) => (
              <ArchivedRow key={match.match} match={match} />
            ))}
          </ul>
          <p>
            <a href={at(`/archive?whose=public&player=${encodeURIComponent(profile.name)}`)}>{t("people.all")}</a>
          </p>
        </Section>
      )}
    </>
  );
}

function Lists() {
  const followed = useLoaded((signal) => people.listed("follows", signal), [identity.value?.token]);
  const blocked = useLoaded((signal) => people.listed("blocks", signal), [identity.value?.token]);
  useFresh(followed);
  const [error, setError] = useState<Refusal | null>(null);
  const take = (list: "follows" | "blocks", { who }: Acquaintance) =>
    people.take(list, who).then(list === "follows" ? followed.again : blocked.again, setError);
  const row = (list: "follows" | "blocks") => (one: Acquaintance) => (
    <li key={one.who}>
      <div class="what">
        <strong>
          <Name name={one.name} profile={one.account ? one.name : null} />
        </strong>{" "}
        {one.online && list === "follows" && <Online />}
        {one.playing.map((match) => (
          <p class="small" key={match}>
            <a href={at(`/match/${match}`)}>{t("people.watch")}</a>
          </p>
        ))}
      </div>
      <button type="button" class="quiet" onClick={() => take(list, one)}>
        {t(list === "follows" ? "people.unfollow" : "people.unblock")}
        <span class="hidden"> {one.name}</span>
      </button>
    </li>
  );
  return (
    <>
      <Section title={t("people.followed")}>
        <Show loaded={followed}>
          {(list) =>
            list.length ? (
              <ul class="challenges">{list.map(row("follows"))}</ul>
            ) : (
              <p class="muted">{t("people.followed.none")}</p>
            )
          }
        </Show>
      </Section>
      {!!blocked.value?.length && (
        <Section title={t("people.blocks")}>
          <ul class="challenges">{blocked.value.map(row("blocks"))}</ul>
        </Section>
      )}
      {error && <Trouble error={error} />}
    </>
  );
}
