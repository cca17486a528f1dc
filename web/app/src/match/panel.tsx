import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n";
import { isLocal } from "../local/id";
import { TabPanel } from "../parts/panel";
import type { Game, Position, Snapshot } from "../wire";
import { Actions } from "./actions";
import { Chat } from "./chat";
import { Info } from "./info";
import type { Match } from "./match";
import { Moves } from "./moves";

const allTabs = ["moves", "chat", "info"] as const;
type Tab = (typeof allTabs)[number];

/** The panel beside the board, with moves, chat and information. */
export function Panel({
  match,
  state,
  game,
  shown,
  goTo,
  close,
}: {
  match: Match;
  state: Snapshot;
  game: Game;
  shown: Position | null;
  goTo: (moves: number | null) => void;
  close: () => void;
}) {
  const [tab, setTab] = useState<Tab>("moves");
  const unread = match.unread.value;
  // Nobody is behind an imported game, or one on this device.
  const tabs = state.opponent === "import" || isLocal(match.id) ? allTabs.filter((name) => name !== "chat") : allTabs;
  useEffect(() => {
    if (tab === "chat" && unread > 0) match.unread.value = 0;
  }, [tab, unread]);
  const title = (name: Tab) => (
    <>
      {t(`panel.${name}`)}
      {name === "chat" && unread > 0 && (
        <span class="unread">
          {unread}
          <span class="hidden"> {t("chat.unread")}</span>
        </span>
      )}
    </>
  );
  return (
    <TabPanel
      label={t("panel")}
      tabs={tabs}
      open={tab}
      choose={setTab}
      title={title}
      close={close}
      below={<Actions match={match} state={state} done={close} />}
    >
      {tab === "moves" && <Moves state={state} shown={shown} goTo={goTo} />}
      {tab === "chat" && <Chat match={match} state={state} />}
      {tab === "info" && <Info match={match} state={state} game={game} />}
    </TabPanel>
  );
}
