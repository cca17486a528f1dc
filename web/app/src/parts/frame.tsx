import { signal } from "@preact/signals";
import { CloudOff, Menu, RotateCw, Settings, X } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { at, identity, wasSignedOut } from "../client";
import { type Key, t } from "../i18n";
import { Icon } from "./icon";
import { Later } from "./later";

const pages: { path: string; name: Key }[] = [
  { path: "/play", name: "nav.play" },
  { path: "/lobby", name: "nav.lobby" },
  { path: "/watch", name: "nav.watch" },
  { path: "/mine", name: "nav.mine" },
  { path: "/analysis", name: "nav.analysis" },
  { path: "/puzzles", name: "nav.puzzles" },
  { path: "/archive", name: "nav.archive" },
  { path: "/studio", name: "nav.studio" },
];

/** Whether the browser has a network connection. */
export const online = signal(navigator.onLine);
addEventListener("online", () => {
  online.value = true;
});
addEventListener("offline", () => {
  online.value = false;
});

/** Whether a part of the app could not be loaded although there is a network, as when the server has a newer version. */
const unloaded = signal(false);
addEventListener("vite:preloadError", () => {
  unloaded.value ||= online.value;
});

/** Whether the path is of a page with a board that fills the window. */
function boardFirst(path: string): boolean {
  if (path.startsWith(at("/study/"))) return true;
  return path.startsWith(at("/match/")) || (path.startsWith(at("/analysis/")) && path !== at("/analysis/edit"));
}

export function Header() {
  const { path } = useLocation();
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    document.documentElement.classList.toggle("board-first", boardFirst(path));
  }, [path]);
  const current = (to: string) => (path === at(to) ? "page" : undefined);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        {t("nav.skip")}
      </button>
      <header class="header">
        <a class="brand" href={at("/")} aria-current={current("/")}>
          Acedrex
        </a>
        <button
          type="button"
          class="menu-button quiet"
          aria-expanded={open}
          aria-controls="pages"
          aria-label={t("nav.menu")}
          onClick={() => setOpen(!open)}
        >
          <Icon of={open ? X : Menu} size={24} />
        </button>
        <nav id="pages" class={open ? "open" : ""} aria-label={t("nav.pages")}>
          {pages.map(({ path: to, name }) => (
            <a key={to} href={at(to)} aria-current={current(to)}>
              {t(name)}
            </a>
          ))}
          {identity.value?.account && <Later load={() => import("../people/here").then((its) => its.Here)} />}
          <a href={at("/settings")} aria-current={current("/settings")}>
            <Icon of={Settings} /> {t("nav.settings")}
          </a>
        </nav>
      </header>
      {/* A match says itself what a lost connection means for it. */}
      {!online.value && !path.startsWith(at("/match/")) && (
        <p class="offline" role="status">
          <Icon of={CloudOff} size={16} /> {t("offline")}
        </p>
      )}
      {wasSignedOut.value && (
        <p class="offline" role="alert">
          <a href={at("/account")}>{t("problem.signed_out")}</a>
        </p>
      )}
      {identity.value?.account && <Later load={() => import("../people/here").then((its) => its.Notices)} />}
      {unloaded.value && online.value && (
        <p class="offline" role="alert">
          {t("unloaded")}
          <button type="button" onClick={() => location.reload()}>
            <Icon of={RotateCw} size={18} /> {t("unloaded.reload")}
          </button>
        </p>
      )}
    </>
  );
}

export function Footer() {
  return (
    <footer class="footer">
      <a href={at("/about")}>{t("nav.about")}</a>
      <span>{t("footer.licence")}</span>
    </footer>
  );
}
