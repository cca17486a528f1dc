import { Check } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, at, identity } from "../client";
import { count, language, t } from "../i18n";
import { before, daySolved, solvedDays, streak } from "../learn/progress";
import { PuzzleBoard } from "../learn/puzzle";
import { useGame } from "../parts/games";
import { Icon } from "../parts/icon";
import { Show, useLoaded } from "../parts/loaded";
import { Page } from "../parts/page";
import { RatingChange } from "../ratings/puzzle-rating";
import type { Daily as Puzzle, PuzzleChange } from "../wire";
import "../style/learn.css";

const DAYS_SHOWN = 7;

/** The puzzle of the day, the same for everyone, and the player's streak. */
export function Daily() {
  const { query } = useLocation();
  const loaded = useLoaded((signal) => api.daily(query.date, signal), [query.date, identity.value?.token]);
  useEffect(() => {
    // The other days of the week are solved without a network, too.
    if (loaded.value) void import("../local/keep").then(({ keepDays }) => keepDays()).catch(() => undefined);
  }, [loaded.value !== null]);
  return (
    <Page title={t("daily.title")} wide>
      <Show loaded={loaded}>{(daily) => <Day key={daily.date} daily={daily} />}</Show>
    </Page>
  );
}

function Day({ daily }: { daily: Puzzle }) {
  const { date, today, first, puzzle } = daily;
  const solved = new Set([...daily.solved, ...solvedDays.value]);
  const game = useGame(daily.game);
  const week = Array.from({ length: DAYS_SHOWN }, (_, index) => before(today, DAYS_SHOWN - 1 - index)).filter(
    (day) => day >= first,
  );
  const length = streak(solved, today);
  const [change, setChange] = useState<PuzzleChange | null>(null);
  const attempt = async (moves: string[], show: boolean) => {
    const result = await api.tryDaily(date, moves, show, !solved.has(date) && identity.value?.account === true);
    if (result.rated) setChange(result.rated);
    return result;
  };
  return (
    <div class="learn">
      <Show loaded={game}>
        {(game) =>
          game && (
            <PuzzleBoard
              game={game}
              puzzle={puzzle}
              attempt={attempt}
              onSolved={() => date === today && daySolved(date)}
              beside={
                <div class="days">
                  {change && <RatingChange of={change} />}
                  <p>
                    {t("daily.game")} <a href={at(`/learn/${encodeURIComponent(game.id)}`)}>{game.name}</a>
                  </p>
                  <p class="figures" role="status">
                    {length > 0 ? count("daily.streak", length) : t("daily.none")}
                  </p>
                  {date !== today && <p class="muted">{t("daily.past")}</p>}
                  <Week week={week} date={date} today={today} solved={solved} />
                </div>
              }
            />
          )
        }
      </Show>
    </div>
  );
}

function Week({ week, date, today, solved }: { week: string[]; date: string; today: string; solved: Set<string> }) {
  return (
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
  );
}

function dayName(day: string): string {
  const format = new Intl.DateTimeFormat(language.value, { weekday: "short", day: "numeric", timeZone: "UTC" });
  return format.format(new Date(`${day}T00:00:00Z`));
}
