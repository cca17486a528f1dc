import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** What the browser's tab says: `title` of a page, and in a match whose turn it is. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Acedrex` : "Acedrex";
  }, [title]);
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
  useEffect(() => {
    if (document.activeElement !== document.body) heading.current?.focus();
  }, []);
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
