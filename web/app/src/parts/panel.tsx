import { X } from "lucide";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "./icon";

/** A panel with tabs: a column beside the board, or on phones a sheet over it. Arrow keys switch tabs. */
export function TabPanel<Tab extends string>({
  label,
  tabs,
  open,
  choose,
  title,
  close,
  children,
  below,
}: {
  label: string;
  tabs: readonly Tab[];
  open: Tab;
  choose: (tab: Tab) => void;
  title: (tab: Tab) => ComponentChildren;
  close: () => void;
  children: ComponentChildren;
  /** Shown below every tab. */
  below?: ComponentChildren;
}) {
  const buttons = useRef<Partial<Record<Tab, HTMLButtonElement | null>>>({});
  const turn = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[(tabs.indexOf(open) + by + tabs.length) % tabs.length] ?? open;
    choose(next);
    buttons.current[next]?.focus();
  };
  return (
    <section class="panel" id="panel" aria-label={label}>
      <div class="panel-head">
        <div role="tablist" aria-label={label} onKeyDown={turn}>
          {tabs.map((tab) => (
            <button
              type="button"
              role="tab"
              key={tab}
              id={`tab-${tab}`}
              ref={(button) => {
                buttons.current[tab] = button;
              }}
              aria-selected={tab === open}
              aria-controls="tab-panel"
              tabIndex={tab === open ? 0 : -1}
              onClick={() => choose(tab)}
            >
              {title(tab)}
            </button>
          ))}
        </div>
        <button type="button" class="quiet close-panel" aria-label={t("close")} onClick={close}>
          <Icon of={X} />
        </button>
      </div>
      <div class="panel-body" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${open}`}>
        {children}
      </div>
      {below}
    </section>
  );
}
