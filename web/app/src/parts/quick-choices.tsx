import { Play } from "lucide";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { at, type Refusal } from "../client";
import { t } from "../i18n";
import { thrownRefusal } from "../refusal";
import type { GameSummary } from "../wire";
import { Icon } from "./icon";
import { Trouble } from "./loaded";
import { type Choice, lastChoice, playNow, QUICK } from "./play-now";

/** *Play now* with the last settings, the other quick choices, and the way to all options. */
export function QuickChoices({ games }: { games: GameSummary[] }) {
  const { route } = useLocation();
  const [error, setError] = useState<Refusal | null>(null);
  const [busy, setBusy] = useState(false);
  const last = lastChoice();
  const nameOf = (id: string) => games.find((game) => game.id === id)?.name ?? id;
  const play = (choice: Choice) => () => {
    setBusy(true);
    setError(null);
    playNow(choice, games).then(
      (match) => route(at(`/match/${match}`)),
      (problem: unknown) => {
        setError(thrownRefusal(problem));
        setBusy(false);
      },
    );
  };
  const quick = QUICK.filter((id) => games.some((game) => game.id === id));
  return (
    <section class="quick" aria-labelledby="play-now">
      <h2 id="play-now" class="hidden">
        {t("quick")}
      </h2>
      <button type="button" class="primary wide-button" disabled={busy || !games.length} onClick={play(last)}>
        <Icon of={Play} size={20} />
        <span>
          {t("quick.now")}{" "}
          <span class="small">
            {nameOf(last.game)} · {t(`quick.${last.pace}`)}
          </span>
        </span>
      </button>
      <table class="small">
        <thead class="hidden">
          <tr>
            <th>{t("new.game")}</th>
            <th colSpan={2}>{t("time.clock")}</th>
          </tr>
        </thead>
        <tbody>
          {quick.map((game) => (
            <tr key={game}>
              <th scope="row">{nameOf(game)}</th>
              {(["live", "days"] as const).map((pace) => (
                <td key={pace}>
                  <button type="button" class="quiet" disabled={busy} onClick={play({ game, pace })}>
                    <span class="hidden">{nameOf(game)}, </span>
                    {t(`quick.${pace}`)}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {error && <Trouble error={error} />}
      <p class="muted small">{t("quick.help")}</p>
      <a href={at("/new")}>{t("quick.options")}</a>
    </section>
  );
}
