import { language, t } from "../i18n";
import type { Notice } from "../wire";

export const moment = (at: number) =>
  new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }).format(at);
export const day = (at: number) => new Intl.DateTimeFormat(language.value, { dateStyle: "medium" }).format(at);

/** Says what a moderator has done to a person, until when, and why. */
export function noticeText({ kind, until, reason }: Notice): string {
  return t(`notice.${kind}`, { until: until === null ? "" : moment(until), reason });
}
