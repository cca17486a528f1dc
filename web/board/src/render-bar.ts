// The bar below the board: a status line and buttons.

import type { Press } from "./buttons.ts";
import { make, picture, setText, show } from "./dom.ts";
import { commandersInHand } from "./hand.ts";
import { commanded, mover, shownPieces, specialMove } from "./moves.ts";
import { canPlayBack } from "./playback.ts";
import { tray } from "./setup.ts";
import { pieceSymbol, treeOf } from "./sprite.ts";
import { pieceTypeOf, type State } from "./state.ts";
import { fill } from "./texts.ts";

/** Paths of the icons, in a box of 24 by 24. */
const GLASS = "M17 10a7 7 0 1 1-14 0a7 7 0 1 1 14 0M21 21l-6-6M7 10h6";
const ICONS = {
  zoomOut: GLASS,
  zoomIn: `${GLASS}M10 7v6`,
  ask: "M12 17v.01M12 13.5c0-2 3-2.2 3-4.7a3 3 0 0 0-6 0M22 12a10 10 0 1 1-20 0a10 10 0 1 1 20 0",
  close: "M6 6l12 12M18 6L6 18",
};

export interface Surroundings {
  /** Whether squares are so small that zooming helps. */
  small: boolean;
  zoomed: boolean;
  /** Whether the board would be larger in landscape. */
  upright: boolean;
  canUndo: boolean;
}

export interface Bar {
  draw(state: State, around: Surroundings): void;
  tray: HTMLElement;
}

/** Makes the bar; the buttons that are always there stand in `tools`, or else with the others. */
export function makeBar(bar: HTMLElement, tools: HTMLElement | undefined, press: (what: Press) => void): Bar {
  const offer = make("div", "offer", bar);
  const offered = make("p", "hint", offer);
  const trays = make("div", "tray", bar);
  const line = make("div", "line", bar);
  const status = make("p", "status", line);
  const name = make("strong", "", status);
  const help = make("span", "", status);
  const legend = make("span", "legend", status);
  make("span", "frame-swatch", legend);
  const framed = make("span", "", legend);
  const buttons = make("div", "buttons", line);
  const button = (what: Press, primary = false, parent: HTMLElement = buttons) => {
    const made = make("button", primary ? "primary" : "", parent);
    made.type = "button";
    made.dataset.press = what;
    made.addEventListener("click", () => press(what));
    return made;
  };
  const all: Record<Press, HTMLButtonElement> = {
    playback: button("playback"),
    undo: button("undo"),
    end: button("end"),
    confirm: button("confirm", true),
    clear: button("clear"),
    last: button("last"),
    shuffle: button("shuffle"),
    playSetup: button("playSetup", true),
    zoom: button("zoom", false, tools),
    alone: button("alone"),
    inspect: button("inspect", false, tools),
    stayUpright: button("stayUpright", false, offer),
  };
  const icons = { zoom: "", inspect: "", stayUpright: "" };
  all.inspect.setAttribute("aria-keyshortcuts", "?");
  let trayKey = "";

  function draw(state: State, around: Surroundings): void {
    const { texts, setup, position, held } = state;
    const mine = setup?.mine === true;
    const label = (what: Press, text: string, shown: boolean) => {
      setText(all[what], text);
      show(all[what], shown);
    };
    label("playback", state.playback === null ? texts.showTurn : texts.skipTurn, canPlayBack(state));
    const undoes = around.canUndo && (position?.turn_moves.length ?? 0) > 0;
    label("undo", texts.undo, held !== null || undoes);
    label(
      "end",
      texts.endTurn,
      !held && mover(state) !== null && position !== null && specialMove(position, "end") !== undefined,
    );
    label("confirm", texts.confirm, held !== null);
    label("clear", texts.clear, mine && Object.keys(state.arrangement).length > 0);
    label("last", texts.asLastTime, mine && setup.last !== null);
    label("shuffle", texts.shuffle, mine);
    label("playSetup", texts.confirmSetup, mine);
    all.playSetup.disabled = setup?.number == null || setup.problem !== null;
    label("alone", state.alone ? texts.here : texts.emptyBoard, state.inspected !== null && !setup);
    const inspecting = state.asks || state.inspected !== null;
    const { zoomed } = around;
    icon("zoom", zoomed ? ICONS.zoomOut : ICONS.zoomIn, zoomed ? texts.zoomOut : texts.zoomIn, around.small || zoomed);
    icon("inspect", inspecting ? ICONS.close : ICONS.ask, inspecting ? texts.close : texts.inspect, state.knowsReach);
    all.inspect.setAttribute("aria-pressed", String(state.asks));
    show(offer, around.upright && !state.staysUpright);
    setText(offered, texts.landscape);
    icon("stayUpright", ICONS.close, texts.close, true);
    const [strong, text] = statusText(state);
    // A notice has the room of what it stands in for, so that the board stays where it is.
    status.style.minHeight = state.notice ? `${status.offsetHeight}px` : "";
    setText(name, strong);
    setText(help, strong && text ? ` ${text}` : text);
    const quiet = text === "" && !setup && state.playback === null;
    const frames = quiet && position !== null && commanded(position).length > 0;
    show(legend, frames);
    setText(framed, frames ? texts.framed : "");
    drawTray(state);
  }

  function icon(what: keyof typeof icons, drawing: string, text: string, shown: boolean): void {
    show(all[what], shown);
    if (icons[what] === text) return;
    icons[what] = text;
    all[what].className = "icon";
    all[what].innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${drawing}"/></svg>`;
    all[what].title = what === "inspect" && drawing === ICONS.ask ? `${text} (?, Alt)` : text;
    all[what].setAttribute("aria-label", text);
  }

  function drawTray(state: State): void {
    const { setup, arrangement } = state;
    const mine = setup?.mine ? setup.phase.groups : [];
    const left = mine.map((group) => tray(group, arrangement));
    const chosen = state.hand && "tray" in state.hand ? `${state.hand.group}${state.hand.tray}` : "";
    const key = JSON.stringify([left, state.pieceSet, state.pieceTypes.length]);
    show(trays, left.length > 0);
    if (key !== trayKey) fillTray(state, left, key);
    for (const piece of trays.querySelectorAll<HTMLElement>("[data-tray]")) {
      piece.setAttribute("aria-pressed", String(chosen === `${piece.dataset.group}${piece.dataset.tray}`));
    }
  }

  function fillTray(state: State, left: string[][], key: string): void {
    trayKey = key;
    trays.replaceChildren();
    trays.setAttribute("role", "group");
    trays.setAttribute("aria-label", state.texts.tray);
    left.forEach((letters, group) => {
      const box = make("div", "group", trays);
      for (const letter of letters) {
        const kind = pieceTypeOf(state, letter);
        const piece = make("button", "", box);
        piece.type = "button";
        piece.dataset.tray = letter;
        piece.dataset.group = String(group);
        piece.setAttribute("aria-label", kind.name);
        piece.title = kind.name;
        picture(pieceSymbol(kind, "black", state.pieceSet, treeOf(piece)), "", piece);
      }
    });
  }

  return { draw, tray: trays };
}

/** Return the text of the bar: a name in bold, and a sentence. */
function statusText(state: State): [string, string] {
  const { texts, position, setup, inspected } = state;
  if (state.typed) return ["", fill(texts.typing, { text: state.typed })];
  if (state.notice) return ["", state.notice];
  const piece = inspected && shownPieces(state).find((piece) => piece.square === inspected.square);
  if (piece) {
    const kind = pieceTypeOf(state, piece.letter);
    return [kind.name, inspected.reach?.length === 0 ? `${kind.help} ${texts.nowhere}` : kind.help];
  }
  if (state.asks) return ["", texts.inspectHint];
  if (state.held) return ["", state.held.ends_turn && position?.in_command ? texts.heldMove : texts.heldOnly];
  if (setup) return setupSaid(state, setup);
  const left =
    position?.in_command && position.moves_left > 0 ? fill(texts.movesLeft, { count: position.moves_left }) : "";
  if (commandersInHand(state).length === 0) return [left, ""];
  const royal = state.pieceTypes.find((kind) => kind.royal)?.name ?? "";
  return [left, fill(texts.commandedBy, { royal })];
}

function setupSaid({ texts }: State, setup: NonNullable<State["setup"]>): [string, string] {
  const { count } = setup.phase;
  if (setup.problem) return ["", setup.problem];
  const which =
    setup.number === null
      ? fill(texts.setupCount, { count })
      : fill(texts.setupNumber, { number: setup.number, count });
  return [which, setup.mine ? texts.setupHint : texts.setupWait];
}
