import { effect, signal } from "@preact/signals";
import { LANGUAGES } from "../../../core/src/limits.ts";
import { load, save } from "./storage";

const choices = {
  theme: ["system", "light", "dark"],
  language: ["system", ...LANGUAGES],
  board: ["parchment", "slate", "green"],
  pieces: ["art", "geometric", "letters"],
  notation: ["figurines", "letters"],
  sounds: ["on", "off"],
  coordinates: ["on", "off"],
  confirm: ["several", "always", "never"],
  promotion: ["ask", "queen"],
  notify: ["off", "on"],
  analysis: ["device", "server"],
} as const;

export type Settings = { -readonly [K in keyof typeof choices]: (typeof choices)[K][number] };

/** Every setting with its values, the default first. */
export const settingChoices: { [K in keyof Settings]: readonly Settings[K][] } = choices;

function stored(): Settings {
  const found = load("settings");
  const saved = typeof found === "object" && found !== null ? (found as Record<string, unknown>) : {};
  return Object.fromEntries(
    Object.entries(choices).map(([name, values]) => [name, values.find((value) => value === saved[name]) ?? values[0]]),
  ) as Settings;
}

export const settings = signal<Settings>(stored());

export function set<K extends keyof Settings>(name: K, value: Settings[K]): void {
  settings.value = { ...settings.value, [name]: value };
  save("settings", settings.value);
}

effect(() => {
  const { theme, board } = settings.value;
  document.documentElement.dataset.board = board;
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
});

// Another tab has changed a setting.
addEventListener("storage", (event) => {
  if (event.key === "acedrex.settings") settings.value = stored();
});
