import { tOr } from "../i18n";

/** Returns the name of an option or value: translated if the app has a text for it, else its id. */
export function nameOf(id: string): string {
  return tOr(`option.${id}`, id.replaceAll("_", " "));
}
