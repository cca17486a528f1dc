import { useEffect, useRef } from "preact/hooks";
import { at, settings } from "../client";
import { t } from "../i18n";
import type { Snapshot } from "../wire";
import type { Match } from "./match";

/** Shows in the tab's title that it is the player's turn, and if the tab is hidden in a notification. */
export function useYourTurn(match: Match, state: Snapshot): void {
  const mine = (match.acting.value !== null && state.seat !== "both") || state.may.includes("setup");
  const title = `${state.game.name} · Acedrex`;
  useEffect(() => {
    document.title = mine ? `${t("match.yourTurn")} – ${title}` : title;
  }, [mine, title]);

  const before = useRef(mine);
  useEffect(() => {
    const began = mine && !before.current;
    before.current = mine;
    if (!began || !document.hidden || settings.value.notify === "off" || Notification.permission !== "granted") return;
    const address = new URL(at(`/match/${match.id}`), location.href).href;
    const options = { body: state.game.name, tag: match.id, data: address, icon: at("/icon-192.png") };
    void navigator.serviceWorker?.ready.then((worker) => worker.showNotification(t("match.yourTurn"), options));
  }, [mine]);
}
