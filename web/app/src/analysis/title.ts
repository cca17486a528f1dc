import { t } from "../i18n";
import type { Kept } from "./store";

/** What an analysis is called: who played, or what is played. */
export function titleOf({ tags, name, setup }: Pick<Kept, "tags" | "name" | "setup">): string {
  if (tags.White || tags.Black) return `${tags.White ?? "?"} – ${tags.Black ?? "?"}`;
  return setup ? t("analysis.title.setup", { name, setup }) : t("analysis.title", { name });
}
