import { t } from "../i18n";
import { nameOf } from "../parts/option";
import type { SavedAnalysis } from "./saved";

/** Returns the title of an analysis: the players, or else the game. */
export function titleOf({ tags, name, setup }: Pick<SavedAnalysis, "tags" | "name" | "setup">): string {
  if (tags.White || tags.Black) return `${tags.White ?? "?"} – ${tags.Black ?? "?"}`;
  return setup ? t("analysis.title.setup", { name, setup }) : t("analysis.title", { name });
}

/** Returns a line with the game, its setup, the options that were chosen, the players and the result. */
export function subjectOf({
  tags,
  name,
  setup,
  options,
}: Pick<SavedAnalysis, "tags" | "name" | "setup" | "options">): string {
  const players = tags.White || tags.Black ? titleOf({ tags, name, setup }) : null;
  const chosen = Object.entries(options).map(([option, value]) => `${nameOf(option)}: ${nameOf(value)}`);
  return [name, setup, ...chosen, players, tags.Result].filter(Boolean).join(" · ");
}
