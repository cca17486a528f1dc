import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, FlipVertical2, PanelBottomOpen } from "lucide";
import { t } from "../i18n";
import type { Dock } from "../parts/board";
import { Icon } from "../parts/icon";
import type { Position, Snapshot } from "../wire";
import type { Match } from "./match";

/** Buttons that step through the moves, flip the board, and on a phone open the panel. */
export function Bar({
  match,
  state,
  shown,
  step,
  tools,
  open,
  setOpen,
  flip,
}: {
  match: Match;
  state: Snapshot;
  shown: Position | null;
  step: (by: number) => void;
  tools: Dock;
  open: boolean;
  setOpen: (open: boolean) => void;
  flip: () => void;
}) {
  const at = shown ? shown.ply : state.moves.length;
  const button = (label: string, icon: typeof ChevronLeft, act: () => void, disabled: boolean) => (
    <button type="button" class="quiet" aria-label={label} title={label} disabled={disabled} onClick={act}>
      <Icon of={icon} />
    </button>
  );
  return (
    <div class="match-bar" role="toolbar" aria-label={t("bar")}>
      {button(t("bar.first"), ChevronFirst, () => step(-at), at === 0)}
      {button(t("bar.back"), ChevronLeft, () => step(-1), at === 0)}
      {button(t("bar.forward"), ChevronRight, () => step(1), shown === null)}
      {button(t("bar.last"), ChevronLast, () => step(state.moves.length), shown === null)}
      {button(t("bar.flip"), FlipVertical2, flip, false)}
      <div class="tools" ref={tools} />
      <button
        type="button"
        class="open-button"
        aria-expanded={open}
        aria-controls="panel"
        onClick={() => setOpen(!open)}
      >
        <Icon of={PanelBottomOpen} /> <span class="label">{t("bar.more")}</span>
        {match.unread.value > 0 && <span class="unread">{match.unread.value}</span>}
      </button>
    </div>
  );
}
