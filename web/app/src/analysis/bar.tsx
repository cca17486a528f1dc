import {
  ChevronFirst,
  ChevronLast,
  ChevronLeft,
  ChevronRight,
  Crosshair,
  FlipVertical2,
  Hash,
  PanelBottomOpen,
} from "lucide";
import { t } from "../i18n";
import type { Dock } from "../parts/board";
import { Icon } from "../parts/icon";
import type { Overlays } from "./desk";
import type { Opened } from "./opened";
import { nodeOf, START } from "./tree";

/** Buttons that step, flip the board, toggle what is drawn over it, and on a phone open the panel. */
export function Bar({
  study,
  overlays,
  setOverlays,
  tools,
  open,
  setOpen,
}: {
  study: Opened;
  overlays: Overlays;
  setOverlays: (overlays: Overlays) => void;
  tools: Dock;
  open: boolean;
  setOpen: (open: boolean) => void;
}) {
  const at = study.at.value;
  const last = nodeOf(study.tree.value, at).children.length === 0;
  const button = (label: string, icon: typeof ChevronLeft, act: () => void, disabled = false) => (
    <button type="button" class="quiet" aria-label={label} title={label} disabled={disabled} onClick={act}>
      <Icon of={icon} />
    </button>
  );
  const toggle = (name: keyof Overlays, icon: typeof ChevronLeft) => (
    <button
      type="button"
      class="quiet"
      aria-label={t(`analysis.overlay.${name}`)}
      title={t(`analysis.overlay.${name}`)}
      aria-pressed={overlays[name]}
      onClick={() => setOverlays({ ...overlays, [name]: !overlays[name] })}
    >
      <Icon of={icon} />
    </button>
  );
  return (
    <div class="match-bar" role="toolbar" aria-label={t("bar")}>
      {button(t("bar.first"), ChevronFirst, () => study.goTo(START), at === START)}
      {button(t("bar.back"), ChevronLeft, () => study.step(-1), at === START)}
      {button(t("bar.forward"), ChevronRight, () => study.step(1), last)}
      {button(t("analysis.last"), ChevronLast, () => study.step(Number.MAX_SAFE_INTEGER), last)}
      {button(t("bar.flip"), FlipVertical2, () => study.turnBoard())}
      {toggle("threats", Crosshair)}
      {toggle("counts", Hash)}
      <div class="tools" ref={tools} />
      <button
        type="button"
        class="open-button"
        aria-expanded={open}
        aria-controls="panel"
        onClick={() => setOpen(!open)}
      >
        <Icon of={PanelBottomOpen} /> <span class="label">{t("bar.more")}</span>
      </button>
    </div>
  );
}
