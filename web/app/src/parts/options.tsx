import { t } from "../i18n";
import type { Game } from "../wire";
import { nameOf } from "./option";

/** The options of a game. `options` has those that are not at their default; `explained` shows the help of each. */
export function Options({
  game,
  options,
  onChange,
  explained = false,
}: {
  game: Pick<Game, "options">;
  options: Record<string, string>;
  onChange: (options: Record<string, string>) => void;
  explained?: boolean;
}) {
  return (
    <details open={explained && game.options.some((option) => option.name === "scoring")}>
      <summary>{t("new.options")}</summary>
      {game.options.map((option) => (
        <div class="field" key={option.name}>
          <label for={`option-${option.name}`}>{nameOf(option.name)}</label>
          <select
            id={`option-${option.name}`}
            value={options[option.name] ?? option.default}
            onChange={(event) => {
              const { [option.name]: _, ...others } = options;
              const { value } = event.currentTarget;
              onChange(value === option.default ? others : { ...others, [option.name]: value });
            }}
          >
            {option.values.map((value) => (
              <option key={value} value={value}>
                {nameOf(value)}
              </option>
            ))}
          </select>
          {explained && <p class="help">{option.help}</p>}
        </div>
      ))}
    </details>
  );
}
