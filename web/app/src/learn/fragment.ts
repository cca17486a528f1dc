import { useEffect } from "preact/hooks";

/** Returns a link to a part of this page. The page's `<base>` would change a bare fragment. */
export function partLink(id: string): string {
  return `${location.pathname}${location.search}#${encodeURIComponent(id)}`;
}

/** Lets the browser follow a link within the page itself; the router would only change the address. */
export function withinPage(event: Event): void {
  event.stopPropagation();
}

/** Returns the id in the page's address. */
export function fragmentHere(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

/**
 * Shows the part of the page that the address names, once the page is `ready`. Boards above it are built only later, so
 * it is brought back into sight until the person scrolls.
 */
export function useFragment(ready: boolean): void {
  useEffect(() => {
    if (!ready) return;
    let watching = new AbortController();
    const show = () => document.getElementById(fragmentHere())?.scrollIntoView();
    const sizes = new ResizeObserver(show);
    const settle = () => {
      sizes.disconnect();
      watching.abort();
    };
    const begin = () => {
      settle();
      if (!fragmentHere()) return;
      watching = new AbortController();
      for (const act of ["wheel", "touchmove", "keydown", "pointerdown"]) {
        addEventListener(act, settle, { signal: watching.signal, passive: true });
      }
      // The observer calls at once, and then whenever the page has another height.
      sizes.observe(document.body);
    };
    begin();
    addEventListener("hashchange", begin);
    return () => {
      removeEventListener("hashchange", begin);
      settle();
    };
  }, [ready]);
}
