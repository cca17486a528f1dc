import { MoveUpRight } from "lucide";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import type { StudyArrow } from "../wire";

export type DrawingColour = StudyArrow["colour"] | null;

const colours = ["lapis", "vermilion", "gold"] as const;

/** Buttons that let every pointer draw arrows and rings in a colour, for screens without a right button. */
export function DrawButtons({ drawing, draw }: { drawing: DrawingColour; draw: (colour: DrawingColour) => void }) {
  return (
    <fieldset class="together drawing">
      <legend class="hidden">{t("study.draw")}</legend>
      {colours.map((colour) => (
        <button
          type="button"
          key={colour}
          class={`quiet draw-${colour}`}
          aria-pressed={drawing === colour}
          aria-label={t(`study.draw.${colour}`)}
          title={t(`study.draw.${colour}`)}
          onClick={() => draw(drawing === colour ? null : colour)}
        >
          <Icon of={MoveUpRight} size={18} />
        </button>
      ))}
      {drawing && (
        <span class="muted small" role="status">
          {t("study.draw.help")}
        </span>
      )}
    </fieldset>
  );
}
