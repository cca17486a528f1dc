import { X } from "lucide";
import { useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import type { Game } from "../wire";
import { Note } from "./note";
import type { Review } from "./review";
import { ReviewView } from "./review-view";
import type { Study } from "./study";
import { Take } from "./take";
import { TreeView } from "./tree-view";

const tabs = ["plies", "take"] as const;
type Tab = (typeof tabs)[number];

/** The plies with what is said of them, and what one may take away: a column, or a sheet over the board on a phone. */
export function Panel({ study, review, game, close }: { study: Study; review: Review; game: Game; close: () => void }) {
  const [tab, setTab] = useState<Tab>("plies");
  const buttons = useRef<Partial<Record<Tab, HTMLButtonElement | null>>>({});
  const turn = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    const next = tab === "plies" ? "take" : "plies";
    setTab(next);
    buttons.current[next]?.focus();
  };
  return (
    <section class="panel" id="panel" aria-label={t("analysis.panel")}>
      <div class="panel-head">
        <div role="tablist" aria-label={t("analysis.panel")} onKeyDown={turn}>
          {tabs.map((one) => (
            <button
              type="button"
              role="tab"
              key={one}
              id={`tab-${one}`}
              ref={(button) => {
                buttons.current[one] = button;
              }}
              aria-selected={one === tab}
              aria-controls="tab-panel"
              tabIndex={one === tab ? 0 : -1}
              onClick={() => setTab(one)}
            >
              {t(`analysis.tab.${one}`)}
            </button>
          ))}
        </div>
        <button type="button" class="quiet close-panel" aria-label={t("close")} onClick={close}>
          <Icon of={X} />
        </button>
      </div>
      <div class="panel-body" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`}>
        {tab === "plies" ? (
          <TreeView study={study} review={review} />
        ) : (
          <Take study={study} review={review} game={game} />
        )}
      </div>
      {tab === "plies" && <Note study={study} />}
      {tab === "plies" && <ReviewView study={study} review={review} />}
    </section>
  );
}
