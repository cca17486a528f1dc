import { CloudOff, RotateCw, TriangleAlert } from "lucide";
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Refusal } from "../client";
import { language, t, tOr } from "../i18n";
import { thrownRefusal } from "../refusal";
import { online } from "./frame";
import { Icon } from "./icon";

export interface Loaded<T> {
  value: T | null;
  error: Refusal | null;
  again: () => void;
}

const SETTLING_MS = 2000;

/** Loads something, and loads it again when the language or `keys` change. The old value stays until the new one. */
export function useLoaded<T>(ask: (signal: AbortSignal) => Promise<T>, keys: unknown[] = []): Loaded<T> {
  const [state, setState] = useState<{ value: T | null; error: Refusal | null }>({ value: null, error: null });
  const [attempt, setAttempt] = useState(0);
  const again = useCallback(() => setAttempt((number) => number + 1), []);
  useEffect(() => {
    const abort = new AbortController();
    ask(abort.signal).then(
      (value) => abort.signal.aborted || setState({ value, error: null }),
      (error: unknown) => abort.signal.aborted || setState((before) => ({ ...before, error: thrownRefusal(error) })),
    );
    return () => abort.abort();
  }, [...keys, attempt, language.value]);
  // When the network is back, what failed may succeed, at once or when the connection has settled.
  const failed = useRef(false);
  failed.current = state.error !== null;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const back = () => {
      again();
      timer = setTimeout(() => failed.current && again(), SETTLING_MS);
    };
    addEventListener("online", back);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", back);
    };
  }, [again]);
  return { ...state, again };
}

const FRESH_MS = 15_000;

/** Loads again every few seconds while the page is visible. */
export function useFresh({ again }: { again: () => void }): void {
  useEffect(() => {
    const timer = setInterval(() => document.hidden || again(), FRESH_MS);
    return () => clearInterval(timer);
  }, [again]);
}

/** Returns the text of a refusal: the app's own if it knows the code, else the server's message. */
export function refusalText(error: Refusal): string {
  return tOr(`problem.${error.code}`, error.message);
}

export function Trouble({ error, again }: { error: Refusal; again?: (() => void) | undefined }) {
  const offline = error.code === "offline" || error.code === "unloaded";
  if (offline && !online.value)
    return (
      <div class="notice" role="status">
        <p>{t("problem.offline.page")}</p>
      </div>
    );
  return (
    <div class="notice" role="alert">
      <Icon of={offline ? CloudOff : TriangleAlert} size={28} />
      <p>{refusalText(error)}</p>
      {error.where && <p class="muted">{error.where}</p>}
      {again && (
        <button type="button" onClick={again}>
          <Icon of={RotateCw} size={18} /> {t("problem.again")}
        </button>
      )}
    </div>
  );
}

export function Waiting({ children }: { children?: ComponentChildren }) {
  return (
    <p class="notice waiting" role="status">
      {children ?? t("waiting")}
    </p>
  );
}

/** Shows what was loaded, or that it is loading, or why it failed. */
export function Show<T>({ loaded, children }: { loaded: Loaded<T>; children: (value: T) => ComponentChildren }) {
  if (loaded.value !== null) {
    return (
      <>
        {loaded.error && <Trouble error={loaded.error} again={loaded.again} />}
        {children(loaded.value)}
      </>
    );
  }
  return loaded.error ? <Trouble error={loaded.error} again={loaded.again} /> : <Waiting />;
}
