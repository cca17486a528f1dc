import { render } from "preact";
import { App, hurry } from "./app";
import { at } from "./client";
import { speakAsSet } from "./i18n";
import "./style/tokens.css";
import "./style/base.css";
import "./style/frame.css";
import "./style/forms.css";
import "./style/lists.css";

// The router cannot read an address such as /match/%, and there is no such page.
try {
  decodeURIComponent(location.pathname);
} catch {
  history.replaceState(null, "", at("/missing"));
}

hurry();
const root = document.getElementById("app");
if (root) {
  speakAsSet().then(() => {
    root.replaceChildren();
    render(<App />, root);
  });
}

// The worker keeps the shell, so that the app can say that there is no network instead of the browser.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () => {
    navigator.serviceWorker.register(at("/service-worker.js"), { scope: at("/") }).catch(() => undefined);
  });
}
