// The elements around a board, and its buttons.

import { make } from "../../board/src/dom.ts";

const SVG = "http://www.w3.org/2000/svg";

/** Paths of the icons, in a box of 24 by 24. */
const ICONS = {
  start: "M17 18l-7-6 7-6zM7 6v12",
  back: "M15 18l-6-6 6-6",
  on: "M9 18l6-6-6-6",
  end: "M7 18l7-6-7-6zM17 6v12",
  flip: "M8 4v16M8 4L4 8M8 4l4 4M16 20V4M16 20l-4-4M16 20l4-4",
  again: "M4 12a8 8 0 1 0 3-6.2M4 4v4h4",
};

export type Control = keyof typeof ICONS;

/** What stands in an element, from top to bottom. */
export interface Parts {
  around: HTMLElement;
  place: HTMLElement;
  under: HTMLElement;
  controls: HTMLElement;
  tools: HTMLElement;
  said: HTMLElement;
  comment: HTMLElement;
  buttons: Map<Control, HTMLButtonElement>;
}

export function makeButton(control: Control, label: string, parent: HTMLElement, press: () => void): HTMLButtonElement {
  const button = make("button", "", parent);
  button.type = "button";
  button.title = label;
  button.setAttribute("aria-label", label);
  button.addEventListener("click", press);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[control]);
  svg.append(path);
  button.append(svg);
  return button;
}
