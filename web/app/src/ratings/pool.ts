import { t } from "../i18n";
import type { Pool } from "../wire";

/** Returns the name of a game at a speed, or that of the ratings over all. */
export const poolName = ({ game, name, speed }: Pick<Pool, "game" | "name" | "speed">): string =>
  game === null ? t("ratings.overall") : `${name}, ${t(`ratings.${speed ?? "live"}`)}`;
