import { Cpu } from "lucide";
import { loadedPart } from "../core";
import { t, tOr } from "../i18n";
import { Icon } from "../parts/icon";
import { San } from "../parts/notation";
import { scoreText, short } from "./judge";
import type { Look } from "./look";
import type { Opened } from "./opened";

/** The engine's switch, the number of its lines, and the lines. Pressing a line plays its first turn. */
export function Engine({ study, look }: { study: Opened; look: Look }) {
  const position = study.position.value;
  const lines = look.lines.value;
  const over = study.over.value;
  return (
    <div class="engine">
      <div class="engine-head">
        <button
          type="button"
          class="quiet"
          aria-pressed={look.on.value}
          onClick={() => {
            look.on.value = !look.on.value;
          }}
        >
          <Icon of={Cpu} size={18} /> {t(look.on.value ? "analysis.engine.on" : "analysis.engine.off")}
        </button>
        <span class="muted small figures" role="status">
          {look.on.value && lines && lines.depth > 0
            ? t(lines.done ? "analysis.engine.done" : "analysis.engine.depth", {
                depth: lines.depth,
                nodes: short(lines.nodes),
              })
            : look.on.value && !over && !look.refused.value
              ? t(look.loading.value ? "waiting" : "analysis.engine.waiting")
              : ""}
        </span>
        {look.loading.value && <progress aria-label={t("analysis.engine")} value={loadedPart.value} />}
        <label class="small">
          <span class="hidden">{t("analysis.engine.lines")}</span>
          <select
            value={look.count.value}
            title={t("analysis.engine.lines")}
            onChange={(event) => {
              look.count.value = Number(event.currentTarget.value);
            }}
          >
            {[1, 2, 3, 4, 5].map((number) => (
              <option key={number} value={number}>
                {number}
              </option>
            ))}
          </select>
        </label>
      </div>
      {look.on.value && look.refused.value && (
        <p class="muted small" role="alert">
          {tOr(`problem.${look.refused.value.code}`, look.refused.value.message)}
        </p>
      )}
      {look.on.value && over && <p class="muted small">{t("analysis.over")}</p>}
      {look.on.value && (
        <ol class="lines" style={{ "--lines": String(look.count.value) }}>
          {lines?.lines.map((line, index) => (
            <li key={index}>
              <button
                type="button"
                class="quiet"
                title={t("analysis.engine.play")}
                onClick={() => study.play(line.moves.slice(0, Math.max(1, position.moves_left)))}
              >
                <strong class="figures">{scoreText(line.score)}</strong>{" "}
                <span class="line">
                  <San of={line.san} />
                </span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
