import { api, identity } from "../client";
import { t } from "../i18n";
import { Empty } from "../parts/empty";
import { Show, useFresh, useLoaded } from "../parts/loaded";
import { Card } from "../parts/match-card";
import { Page } from "../parts/page";
import type { MatchCard } from "../wire";

export function Mine() {
  // Without an identity there are no matches, and looking must not create a guest.
  const loaded = useLoaded<MatchCard[]>(
    (signal) => (identity.value ? api.mine(signal) : Promise.resolve([])),
    [identity.value?.token],
  );
  useFresh(loaded);
  return (
    <Page title={t("mine.title")} wide>
      <Show loaded={loaded}>
        {(matches) => {
          const running = matches.filter((match) => match.phase !== "over");
          const over = matches.filter((match) => match.phase === "over");
          const first = [...running].sort((a, b) => Number(b.your_turn ?? 0) - Number(a.your_turn ?? 0));
          return matches.length === 0 ? (
            <Empty text={t("mine.empty")} path="/new" action={t("nav.play")} />
          ) : (
            <>
              <Group title={t("mine.running")} matches={first} />
              <Group title={t("mine.over")} matches={over} />
            </>
          );
        }}
      </Show>
    </Page>
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
