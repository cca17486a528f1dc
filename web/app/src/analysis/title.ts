import { t } from "../i18n";
import { nameOf } from "../parts/option";
import type { SavedAnalysis } from "./saved";

/** What an analysis is called: who played, or what is played. */
export function titleOf({ tags, name, setup }: Pick<SavedAnalysis, "tags" | "name" | "setup">): string {
  if (tags.White || tags.Black) return `${tags.White ?? "?"} – ${tags.Black ?? "?"}`;
  return setup ? t("analysis.title.setup", { name, setup }) : t("analysis.title", { name });
}

/** What is analysed, in a line: the game with its setup and what was chosen of its options, and who played. */
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
