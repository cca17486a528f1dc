import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** What the browser's tab says: `title` of a page, and in a match whose turn it is. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Acedrex` : "Acedrex";
  }, [title]);
}

// The page that the browser itself opened begins where browsers begin.
let arrived = false;

/** Puts whoever came by a link to the beginning of the new page. */
export function useArrival(beginning: { current: HTMLElement | null }): void {
  useEffect(() => {
    if (arrived) beginning.current?.focus({ preventScroll: true });
    arrived = true;
  }, []);
}

/** A page of text or forms, with its heading. A reader who comes by keyboard or by ear begins at the heading. */
export function Page({
  title,
  lead,
  children,
  wide,
}: {
  title: string;
  lead?: string;
  children: ComponentChildren;
  wide?: boolean;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useArrival(heading);
  return (
    <main id="main" class={wide ? "page wide" : "page"} tabIndex={-1}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {lead && <p class="lead">{lead}</p>}
      {children}
    </main>
  );
}
