// The element <acedrex-board>: a board on any page. docs/embedding.md describes its attributes.

import { make } from "../../board/src/dom.ts";
import tokens from "../../board/src/tokens.css?inline";
import { TOO_SMALL_PX } from "../../board/src/view.ts";
import look from "./look.css?inline";
import type { Control, Parts } from "./parts.ts";
import type { View } from "./view.ts";
import { ATTRIBUTES, isActive, languageOf, type Wanted, wantedOf } from "./wanted.ts";

let sheet: CSSStyleSheet | null = null;

function ownSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(`${tokens}\n${look}`);
  }
  return sheet;
}

/** Return whether a page writes in a light colour here, so that it is dark. */
function hasLightText(element: Element): boolean {
  const [red, green, blue] = rgbOf(getComputedStyle(element).color);
  return red * 0.3 + green * 0.6 + blue * 0.1 > 140;
}

/** Return red, green and blue, up to 255, of a computed colour; those such as `oklch()` keep their form until painted. */
function rgbOf(color: string): [number, number, number] {
  const parts = /^rgba?\((\d+)[ ,]+(\d+)[ ,]+(\d+)/.exec(color);
  if (parts) return [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return [0, 0, 0];
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

export class AcedrexBoard extends HTMLElement {
  static readonly observedAttributes = ATTRIBUTES;
  readonly #root = this.attachShadow({ mode: "open" });
  #view: View | null = null;
  /** What is drawn now, to tell whether an attribute has changed more than the moves. */
  #drawn = "";
  #waiting = false;
  #following: AbortController | null = null;
  /** Counts what was asked for, so that late answers to earlier questions are left aside. */
  #turn = 0;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [ownSheet()];
    this.addEventListener("keydown", (event) => this.#key(event));
  }

  connectedCallback(): void {
    this.#follow();
    this.#soon();
  }

  disconnectedCallback(): void {
    this.#following?.abort();
    this.#close();
    this.#drawn = "";
  }

  attributeChangedCallback(): void {
    this.#soon();
  }

  /** Follow the theme of the page, which may change. */
  #follow(): void {
    const following = new AbortController();
    this.#following = following;
    const paint = (): void => {
      const chosen = this.getAttribute("theme");
      this.dataset.acedrex = chosen === "light" || chosen === "dark" ? chosen : hasLightText(this) ? "dark" : "light";
    };
    const changes = new MutationObserver(paint);
    for (const element of [document.documentElement, document.body]) changes.observe(element, { attributes: true });
    changes.observe(this, { attributeFilter: ["theme"] });
    const { signal } = following;
    signal.addEventListener("abort", () => changes.disconnect());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint, { signal });
    paint();
  }

  /** Draw once for all attributes that are set together. The element's children are parsed by then. */
  #soon(): void {
    if (this.#waiting) return;
    this.#waiting = true;
    queueMicrotask(() => {
      this.#waiting = false;
      if (this.isConnected) this.#show();
    });
  }

  #close(): void {
    this.#turn++;
    this.#view?.close();
    this.#view = null;
  }

  #show(): void {
    let wanted: Wanted | null = null;
    let wrong: unknown = null;
    try {
      wanted = wantedOf(this);
    } catch (error) {
      wrong = error;
    }
    const drawn = wanted ? JSON.stringify({ ...wanted, moves: isActive(wanted), board: this.#squares() }) : "";
    if (wanted && drawn === this.#drawn && this.#view && !this.#view.ended) {
      this.#view.follow(wanted.moves);
      return;
    }
    this.#close();
    this.#drawn = drawn;
    const parts = this.#frame(wanted);
    this.#draw(parts, wanted, wrong, this.#turn).catch(() => {
      // The files of this site cannot be loaded; there are no texts to say so in the reader's language.
      parts.place.textContent = "This board cannot be loaded.";
    });
  }

  async #draw(parts: Parts, wanted: Wanted | null, wrong: unknown, turn: number): Promise<void> {
    const { addControls, boardSheet, fail, View } = await import("./view.ts");
    if (turn !== this.#turn) return;
    this.#root.adoptedStyleSheets = [ownSheet(), boardSheet()];
    if (!wanted) return fail(parts, languageOf(this), wrong);
    addControls(parts, wanted, (control) => this.#view?.go(control));
    const tell = (name: string, detail: object): void => {
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    };
    try {
      this.#view = new View(parts, wanted, tell);
    } catch (error) {
      fail(parts, wanted.language, error);
    }
  }

  #squares(): string {
    const chosen = this.getAttribute("board") ?? "";
    return ["parchment", "slate", "green"].includes(chosen) ? chosen : "";
  }

  /** Make the parts of the element, which have their sizes before anything is loaded. */
  #frame(wanted: Wanted | null): Parts {
    for (const child of [...this.#root.children]) child.remove();
    const around = make("div", "around", this.#root);
    around.style.setProperty("--files", String(wanted?.files ?? 8));
    around.style.setProperty("--ranks", String(wanted?.ranks ?? 8));
    // Where squares are too small for fingers, boards begin enlarged, in a square.
    if (wanted && (isActive(wanted) || wanted.shown !== null) && this.clientWidth / wanted.files < TOO_SMALL_PX + 1)
      around.style.setProperty("--ranks", String(wanted.files));
    if (wanted) around.dataset.coordinates = wanted.coordinates;
    if (this.#squares()) around.dataset.board = this.#squares();
    around.setAttribute("role", "group");
    around.setAttribute("aria-label", "Acedrex");
    const place = make("div", "place empty", around);
    const said = make("p", "said", around);
    said.setAttribute("role", "status");
    const controls = make("div", "controls", around);
    const tools = make("div", "tools", controls);
    const under = make("div", "under", around);
    const comment = make("p", "comment", around);
    comment.hidden = true;
    const active = wanted !== null && isActive(wanted);
    under.classList.toggle("playing", wanted?.interactive === true);
    under.classList.toggle("several", wanted?.several === true);
    for (const part of [said, controls, under]) part.hidden = !active && (wanted?.shown ?? null) === null;
    return { around, place, under, controls, tools, said, comment, buttons: new Map() };
  }

  /** Arrow keys step through the moves, unless the board itself uses them. */
  #key(event: KeyboardEvent): void {
    const keys: Record<string, Control> = { ArrowLeft: "back", ArrowRight: "on", Home: "start", End: "end" };
    const control = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (!control || !this.#view || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    this.#view.go(control);
    event.preventDefault();
  }
}

if (!customElements.get("acedrex-board")) customElements.define("acedrex-board", AcedrexBoard);
