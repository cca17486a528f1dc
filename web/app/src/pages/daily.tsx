import { Check } from "lucide";
import { useLocation } from "preact-iso";
import { api, at, identity } from "../client";
import { count, language, t } from "../i18n";
import { before, daySolved, solvedDays, streak } from "../learn/progress";
import { PuzzleBoard } from "../learn/puzzle";
import { useGame } from "../parts/games";
import { Icon } from "../parts/icon";
import { Show, useLoaded } from "../parts/loaded";
import { Page } from "../parts/page";
import type { Daily as Told } from "../wire";
import "../style/learn.css";

const WEEK = 7;

/** The puzzle of the day, the same for everybody, and how many days running one has solved it. */
export function Daily() {
  const { query } = useLocation();
  const loaded = useLoaded((signal) => api.daily(query.date, signal), [query.date, identity.value?.token]);
  return (
    <Page title={t("daily.title")} wide>
      <Show loaded={loaded}>{(daily) => <Day key={daily.date} daily={daily} />}</Show>
    </Page>
  );
}

function Day({ daily }: { daily: Told }) {
  const { date, today, first, puzzle } = daily;
  const solved = new Set([...daily.solved, ...solvedDays.value]);
  const game = useGame(daily.game);
  const week = Array.from({ length: WEEK }, (_, index) => before(today, WEEK - 1 - index)).filter(
    (day) => day >= first,
  );
  return (
    <div class="learn">
      <nav aria-label={t("daily.days")} class="numbers">
        {week.map((day) => (
          <a
            key={day}
            class="button"
            href={at(day === today ? "/daily" : `/daily?date=${day}`)}
            aria-current={day === date ? "page" : undefined}
          >
            {dayName(day)}
            {solved.has(day) && (
              <>
                <Icon of={Check} size={14} />
                <span class="hidden">{t("daily.solved")}</span>
              </>
            )}
          </a>
        ))}
      </nav>
      <p class="figures" role="status">
        {count("daily.streak", streak(solved, today))}
      </p>
      <Show loaded={game}>
        {(game) =>
          game && (
            <>
              <h2>{game.name}</h2>
              <PuzzleBoard
                game={game}
                puzzle={puzzle}
                attempt={(plies, show) => api.tryDaily(date, plies, show)}
                onSolved={() => date === today && daySolved(date)}
                after={
                  <p>
                    <a href={at(`/learn/${encodeURIComponent(game.id)}`)}>{t("daily.learn", { game: game.name })}</a>
                  </p>
                }
              />
            </>
          )
        }
      </Show>
      {date !== today && <p class="muted">{t("daily.past")}</p>}
    </div>
  );
}

function dayName(day: string): string {
  const format = new Intl.DateTimeFormat(language.value, { weekday: "short", day: "numeric", timeZone: "UTC" });
  return format.format(new Date(`${day}T00:00:00Z`));
}
