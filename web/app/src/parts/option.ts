import { tOr } from "../i18n";

/** An option or its value in words: ours where we have some, else its own name. */
export function nameOf(id: string): string {
  return tOr(`option.${id}`, id.replaceAll("_", " "));
}
