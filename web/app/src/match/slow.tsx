import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, at } from "../client";
import * as correspondence from "../client/correspondence";
import { count, t } from "../i18n";
import { useLoaded } from "../parts/loaded";
import { moment } from "../people/notice";
import type { Side, Snapshot } from "../wire";
import type { Match } from "./match";
import { nameOf } from "./player";

/** The key that opens the next match that waits for the player. */
const NEXT = ".";

/** What a player of a match over days sees: the other player's days off, the planned replies, and the next match. */
export function Slow({ match, state }: { match: Match; state: Snapshot }) {
  const { route } = useLocation();
  const other: Side = state.seat === "white" ? "black" : "white";
  const opponent = state.players[other];
  const waits = match.acting.value === null && state.phase === "play";
  const planned = useLoaded(() => correspondence.conditionalMoves(match.id), [match.id, waits]);
  const own = useLoaded(api.mine, [match.id, waits]);
  const waiting = (own.value ?? []).filter((one) => one.your_turn && one.match !== match.id);
  const next = [...waiting].sort((a, b) => (a.deadline ?? Infinity) - (b.deadline ?? Infinity))[0];
  const path = next && at(`/match/${next.match}`);
  useEffect(() => {
    if (!path) return;
    const press = (event: KeyboardEvent) => {
      const typing = (event.target as HTMLElement).closest("input, textarea, select, dialog");
      if (event.key === NEXT && !typing && !event.altKey && !event.ctrlKey && !event.metaKey) route(path);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [path]);
  const off = state.clock?.off[other];
  const lines = planned.value?.lines.length ?? 0;
  return (
    <>
      {off != null ? (
        <p class="news lasting">{t("slow.off", { name: nameOf(opponent), until: moment(off) })}</p>
      ) : (
        waits &&
        opponent.seen !== null &&
        !match.presence.value[other] && (
          <p class="muted small">{t("slow.seen", { name: nameOf(opponent), at: moment(opponent.seen) })}</p>
        )
      )}
      <p class="news lasting slow">
        {state.phase === "play" && (
          <a href={at(`/analysis/plan-${match.id}`)}>{lines > 0 ? count("slow.planned", lines) : t("slow.plan")}</a>
        )}
        {next && (
          <a href={path} aria-keyshortcuts={NEXT}>
            {count("slow.next", waiting.length)} <kbd>{NEXT}</kbd>
          </a>
        )}
      </p>
    </>
  );
}
