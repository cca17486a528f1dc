import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Sets the title of the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Acedrex` : "Acedrex";
  }, [title]);
}

// The browser sets the focus of the first page itself.
let arrived = false;

/** Moves the focus to the beginning of a page that was opened by a link within the app. */
export function useArrival(beginning: { current: HTMLElement | null }): void {
  useEffect(() => {
    if (arrived) beginning.current?.focus({ preventScroll: true });
    arrived = true;
  }, []);
}

/** A page of text or forms. The focus starts at its heading, for keyboards and screen readers. */
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
