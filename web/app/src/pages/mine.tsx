import { api, identity } from "../client";
import { t } from "../i18n";
import { Empty } from "../parts/empty";
import { Later } from "../parts/later";
import { Show, Trouble, useFresh, useLoaded, Waiting } from "../parts/loaded";
import { Card } from "../parts/match-card";
import { Page } from "../parts/page";
import type { MatchCard } from "../wire";

export function Mine() {
  // Without an identity there are no matches, and looking must not create a guest.
  const loaded = useLoaded<MatchCard[]>(
    (signal) => (identity.value ? api.mine(signal) : Promise.resolve([])),
    [identity.value?.token],
  );
  // Those of this device are there without a network too.
  const here = useLoaded<MatchCard[]>(() => import("../local/archive").then(({ cards }) => cards()));
  useFresh(loaded);
  return (
    <Page title={t("mine.title")} wide>
      {loaded.error && loaded.value === null && <Trouble error={loaded.error} again={loaded.again} />}
      <Later load={() => import("../local/archiving").then(({ Archiving }) => Archiving)} />
      <Show loaded={here}>
        {(cards) =>
          loaded.value || cards.length > 0 ? (
            <Lists matches={[...cards, ...(loaded.value ?? [])]} />
          ) : (
            !loaded.error && <Waiting />
          )
        }
      </Show>
    </Page>
  );
}

/** After all deadlines. */
const NEVER = Number.MAX_SAFE_INTEGER;

function Lists({ matches }: { matches: MatchCard[] }) {
  const latest = [...matches].sort((a, b) => b.at - a.at);
  const running = latest.filter((match) => match.phase !== "over");
  const over = latest.filter((match) => match.phase === "over");
  const first = [...running].sort(
    (a, b) => Number(b.your_turn ?? 0) - Number(a.your_turn ?? 0) || (a.deadline ?? NEVER) - (b.deadline ?? NEVER),
  );
  if (matches.length === 0) return <Empty text={t("mine.empty")} path="/new" action={t("nav.play")} />;
  return (
    <>
      <Group title={t("mine.running")} matches={first} />
      {running.some((match) => match.time.kind === "correspondence") && (
        <Later load={() => import("./days-off").then((its) => its.DaysOff)} />
      )}
      <Group title={t("mine.over")} matches={over} />
    </>
  );
}

function Group({ title, matches }: { title: string; matches: MatchCard[] }) {
  if (matches.length === 0) return null;
  return (
    <section class="more">
      <h2>{title}</h2>
      <ul class="cards">
        {matches.map((match) => (
          <Card key={match.match} match={match} />
        ))}
      </ul>
    </section>
  );
}
