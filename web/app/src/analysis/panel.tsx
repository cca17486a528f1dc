import { useState } from "preact/hooks";
import { t } from "../i18n";
import { TabPanel } from "../parts/panel";
import type { Game } from "../wire";
import { Export } from "./export";
import { Note } from "./note";
import type { Opened } from "./opened";
import { OpeningsHere } from "./openings";
import type { Review } from "./review";
import { ReviewView } from "./review-view";
import { planOf } from "./saved";
import { TreeView } from "./tree-view";

const tabs = ["moves", "openings", "export"] as const;
type Tab = (typeof tabs)[number];

/** The moves with comments and review, and the export. */
export function Panel({
  study,
  review,
  game,
  close,
}: {
  study: Opened;
  review: Review;
  game: Game;
  close: () => void;
}) {
  const [tab, setTab] = useState<Tab>("moves");
  const moves = tab === "moves";
  return (
    <TabPanel
      label={t("analysis.panel")}
      tabs={tabs}
      open={tab}
      choose={setTab}
      title={(name) => t(`analysis.tab.${name}`)}
      close={close}
      below={
        moves && (
          <>
            <Note study={study} />
            {!planOf(study.id) && <ReviewView study={study} review={review} />}
          </>
        )
      }
    >
      {moves && <TreeView study={study} review={review} />}
      {tab === "openings" && <OpeningsHere study={study} game={game} />}
      {tab === "export" && <Export study={study} review={review} game={game} />}
    </TabPanel>
  );
}
