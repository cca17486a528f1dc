import { useEffect } from "preact/hooks";
import { gameOf, type Wanted } from "../core";

/** How long a page waits for a quiet moment in which to load the core. */
const MOST_WAIT_MS = 3000;

/** Loads the core and a game once the page is quiet, so that it answers the next questions. */
export function useCore(wanted: Wanted): void {
  useEffect(() => {
    const begin = () => void gameOf(wanted);
    if (!("requestIdleCallback" in window)) {
      const timer = setTimeout(begin, MOST_WAIT_MS);
      return () => clearTimeout(timer);
    }
    const id = requestIdleCallback(begin, { timeout: MOST_WAIT_MS });
    return () => cancelIdleCallback(id);
  }, []);
}
