import { at } from "../client";
import { t } from "../i18n";
import type { Game } from "../wire";

/** White's score from a setup, with the study that measured it; nothing where there was none. */
export function SetupScore({ game, name }: { game: Game; name: string | null | undefined }) {
  const score = name && game.setup_scores?.scores[name];
  if (!score) return null;
  return (
    <span class="figures small">
      {t("setup.score", { score: Math.round(score.white), margin: Math.ceil(score.margin) })}{" "}
      <a href={at(`/api/games/${game.id}/study`)} target="_blank" rel="noreferrer">
        {t("setup.study")}
      </a>
    </span>
  );
}
