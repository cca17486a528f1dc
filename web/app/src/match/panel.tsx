import { X } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import type { Game, Position, Snapshot } from "../wire";
import { Actions } from "./actions";
import { Chat } from "./chat";
import { Info } from "./info";
import type { Match } from "./match";
import { Plies } from "./plies";

const tabs = ["plies", "chat", "info"] as const;
type Tab = (typeof tabs)[number];

/** Plies, chat and what else there is to know: a column beside the board, or a sheet over it on a phone. */
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
  goTo: (plies: number | null) => void;
  close: () => void;
}) {
  const [tab, setTab] = useState<Tab>("plies");
  const buttons = useRef<Partial<Record<Tab, HTMLButtonElement | null>>>({});
  const unread = match.unread.value;
  useEffect(() => {
    if (tab === "chat" && unread > 0) match.unread.value = 0;
  }, [tab, unread]);
  const turn = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length] ?? tab;
    setTab(next);
    buttons.current[next]?.focus();
  };
  return (
    <section class="panel" id="panel" aria-label={t("panel")}>
      <div class="panel-head">
        <div role="tablist" aria-label={t("panel")} onKeyDown={turn}>
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
              {t(`panel.${one}`)}
              {one === "chat" && unread > 0 && (
                <span class="unread">
                  {unread}
                  <span class="hidden"> {t("chat.unread")}</span>
                </span>
              )}
            </button>
          ))}
        </div>
        <button type="button" class="quiet close-panel" aria-label={t("close")} onClick={close}>
          <Icon of={X} />
        </button>
      </div>
      <div class="panel-body" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`}>
        {tab === "plies" && <Plies state={state} shown={shown} goTo={goTo} />}
        {tab === "chat" && <Chat match={match} state={state} />}
        {tab === "info" && <Info match={match} state={state} game={game} />}
      </div>
      <Actions match={match} state={state} done={close} />
    </section>
  );
}
