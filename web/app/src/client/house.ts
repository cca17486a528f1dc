import { language } from "../i18n";
import type { HouseEngine, HousePage } from "../wire";
import { ask } from "./api";

export const engines = (signal?: AbortSignal) => ask<HouseEngine[]>(`/engines?lang=${language.value}`, { signal });
export const engine = (id: string, signal?: AbortSignal) =>
  ask<HousePage>(`/engines/${encodeURIComponent(id)}?lang=${language.value}`, { signal });
