import { Lightbulb } from "lucide";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import { useNarrow } from "../parts/narrow";
import type { Snapshot } from "../wire";
import type { Match } from "./match";

/** What a newcomer should know during the first game; on phones with the hint, which is in the closed panel there. */
export function FirstMatchAdvice({ match, state }: { match: Match; state: Snapshot }) {
  const narrow = useNarrow();
  const hint = narrow && state.may.includes("hint");
  const early = state.moves.length < 2;
  if (!early && !hint) return null;
  return (
    <div class="news">
      {early && <span>{t(matchMedia("(hover: none)").matches ? "first.advice.touch" : "first.advice")}</span>}
      {hint && (
        <button type="button" class="quiet" onClick={() => match.askHint()} disabled={match.waitsForHint.value}>
          <Icon of={Lightbulb} size={18} /> {t(match.waitsForHint.value ? "act.hint.waiting" : "act.hint")}
        </button>
      )}
    </div>
  );
}
