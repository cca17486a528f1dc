// Helpers that make elements, and that change them only where something is different.

const SVG = "http://www.w3.org/2000/svg";

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  parent: ParentNode,
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.className = className;
  parent.append(element);
  return element;
}

export function makeSvg(className: string, parent: Element): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  parent.append(svg);
  return svg;
}

/** Make a piece's picture from the id of its symbol. */
export function picture(symbol: string, className: string, parent: Element): SVGSVGElement {
  const svg = makeSvg(className, parent);
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${symbol}`);
  svg.append(use);
  return svg;
}

export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function setAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

export function show(element: HTMLElement, shown: boolean): void {
  if (element.hidden === shown) element.hidden = !shown;
}

/** Set an element's size in pixels; `null` leaves it to the style sheet. */
export function resize({ style }: HTMLElement, width: number | null, height: number | null): void {
  style.width = width === null ? "" : `${width}px`;
  style.height = height === null ? "" : `${height}px`;
}
