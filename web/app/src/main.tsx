import { effect } from "@preact/signals";
import { render } from "preact";
import { App, preloadMatch } from "./app";
import { at, identity } from "./client";
import { load } from "./client/storage";
import { followLanguage } from "./i18n";
import "./style/tokens.css";
import "./style/base.css";
import "./style/frame.css";
import "./style/forms.css";
import "./style/lists.css";

// The router throws on addresses that cannot be decoded, such as /match/%; show "Page not found" instead.
try {
  decodeURIComponent(location.pathname);
} catch {
  history.replaceState(null, "", at("/missing"));
}

preloadMatch();
const root = document.getElementById("app");
if (root) {
  followLanguage().then(() => {
    root.replaceChildren();
    render(<App />, root);
  });
}

effect(() => {
  if (identity.value?.account) void import("./learn/sync").then((its) => its.follow());
});

// The worker caches the shell, so that without a network the app says so itself.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () => {
    navigator.serviceWorker.register(at("/service-worker.js"), { scope: at("/") }).catch(() => undefined);
    // The installed app, and one that was asked to, keeps everything for play without a network.
    if (matchMedia("(display-mode: standalone)").matches || load("kept") !== null)
      void import("./local/keep").then(({ keepUpToDate }) => keepUpToDate());
  });
}
