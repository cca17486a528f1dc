// A board: it keeps the state, changes it on events, draws it, and calls the host.

import { press } from "./buttons.ts";
import { play as playMove, putDown, showReach } from "./hand.ts";
import { listenToKeys } from "./keys.ts";
import { aloneNow } from "./moves.ts";
import { advanced, shownMoves } from "./playback.ts";
import { listenToPointers } from "./pointer.ts";
import { receive } from "./receive.ts";
import { type Docks, makeRenderer, placePicker } from "./render.ts";
import type { Surroundings } from "./render-bar.ts";
import type { Board, BoardOptions, Callbacks, Settings } from "./settings.ts";
import { play as playSound, soundOf } from "./sound.ts";
import { squareAt } from "./squares.ts";
import { type Change, type Effect, initialState, type State } from "./state.ts";
import type { LegalMove, Square } from "./types.ts";
import { enter, notRead, readAs } from "./typing.ts";
import { NEEDS_LOUPE_PX, type Room, type View } from "./view.ts";
import { makeViewport } from "./viewport.ts";

/** How long each move of a turn is shown during playback before the next. */
const PACE_MS = 800;
/** How long a notice is shown. */
const NOTICE_MS = 5000;

/** Put a board into an element, and parts of it into docks. */
export function createBoard(
  element: HTMLElement,
  { docks = {}, ...options }: BoardOptions & { docks?: Partial<Docks> },
): Board {
  const [settings, callbacks] = split(options);
  let state = initialState(
    settings,
    callbacks.reach !== undefined,
    callbacks.onSquare !== undefined,
    callbacks.onArrow !== undefined,
  );
  let noticeTimer = 0;
  let paceTimer = 0;
  /** When the last move of a playback was shown. */
  let paceFrom = Number.NEGATIVE_INFINITY;
  let destroyed = false;
  const renderer = makeRenderer(element, docks, (button) => act((now) => press(now, button)), pick);
  const viewport = makeViewport(renderer, { state: () => state, render });

  function act(change: (state: State) => Change): void {
    const before = state;
    const [next, ...effects] = change(state);
    state = next;
    if (next !== before) render();
    if (next !== before) tell(before);
    if (next.playback !== before.playback || next.position !== before.position) pace(before);
    for (const effect of effects) perform(effect);
  }

  /** Show the next move of the playback once the one before has been on the board for a while. */
  function pace(before: State): void {
    clearTimeout(paceTimer);
    if (state.position === before.position) paceFrom = performance.now();
    if (state.playback === null) return;
    paceTimer = window.setTimeout(() => act((now) => [advanced(now)]), paceFrom + PACE_MS - performance.now());
  }

  function render(): void {
    const [view, room] = [viewport.view(), viewport.room()];
    renderer.draw(state, surroundings(state, view, room, callbacks.onUndo !== undefined));
    if (state.choice.length) placePicker(renderer.picker.element, renderer.viewport, state, view, room.square);
  }

  /** Tell the host and the player what has changed. */
  function tell(before: State): void {
    if (state.premove !== before.premove) callbacks.onPremove?.(state.premove);
    if (state.drawn !== before.drawn) callbacks.onDraw?.(state.drawn);
    if (state.inspected?.square !== before.inspected?.square) {
      callbacks.onInspect?.(state.inspected?.square ?? null);
      // On phones the text may be out of sight.
      if (state.inspected) renderer.barElement.scrollIntoView({ block: "nearest" });
    }
    const sound = state.sound && soundOf(before, state);
    if (sound) playSound(sound);
    const seen = state.focus !== before.focus ? [state.focus] : newlyShown(before, state);
    for (const square of seen) viewport.reveal(square);
  }

  function perform(effect: Effect): void {
    if (effect.what === "move") callbacks.onMove?.(effect.move);
    else if (effect.what === "reach") askReach(effect.square);
    else if (effect.what === "explain") explain(effect.square);
    else if (effect.what === "square") callbacks.onSquare?.(effect.square);
    else if (effect.what === "arrow") callbacks.onArrow?.(effect.arrow);
    else if (effect.what === "say") renderer.say(effect.text);
    else if (effect.what === "undo") callbacks.onUndo?.();
    else if (effect.what === "shuffle") callbacks.onShuffle?.();
    else if (effect.what === "setup") callbacks.onSetup?.(effect.name);
    else if (effect.what === "zoom") viewport.toggleZoom();
    else if (effect.what === "arrange") callbacks.onArrange?.(effect.name);
    else if (effect.what === "read") read(effect.text);
    else announce(effect.text);
  }

  /** Returns whether the board still shows the position that it shows now, which the host may have set again. */
  function asShown(): () => boolean {
    const shown = state.position?.fen;
    return () => !destroyed && state.position?.fen === shown;
  }

  function askReach(square: string): void {
    const [still, { alone }] = [asShown(), state];
    // The reach of a piece in hand is asked for only for a premove.
    callbacks.reach?.(square, state.hand !== null, aloneNow(state)).then(
      (reach) => {
        if (still() && state.alone === alone) act((now) => [showReach(now, square, reach)]);
      },
      // The host reports the error.
      () => undefined,
    );
  }

  function explain(square: Square): void {
    const still = asShown();
    callbacks.explain?.(square).then(
      (text) => {
        if (text && still()) announce(text);
      },
      () => undefined,
    );
  }

  /** Have the host read a text, and make the move that it means. */
  function read(text: string): void {
    const still = asShown();
    const answer = (change: (now: State) => Change) => {
      if (still()) act(change);
    };
    (callbacks.read?.(text) ?? Promise.resolve(null)).then(
      (move) => answer((now) => (move && readAs(now, move)) || notRead(now, text)),
      (error: unknown) => answer((now) => notRead(now, text, error instanceof Error ? error.message : undefined)),
    );
  }

  function pick(move: LegalMove | null): void {
    act((now) => (move ? playMove(now, move) : [putDown(now)]));
    renderer.grid.cell(state.focus)?.focus({ preventScroll: true });
  }

  function announce(text: string): void {
    clearTimeout(noticeTimer);
    renderer.say(text);
    act((now) => [{ ...now, notice: text }]);
    noticeTimer = window.setTimeout(() => act((now) => [{ ...now, notice: "" }]), NOTICE_MS);
  }

  const stopPointers = listenToPointers(renderer, { ...viewport, state: () => state, act });
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  /** Any key ends a playback, but on a button it presses that. */
  const skip = (event: KeyboardEvent) => {
    // In a shadow root, the target that the window sees is the host.
    const [target] = event.composedPath();
    if (state.playback !== null && !(target as Element).closest("button")) act((now) => [{ ...now, playback: null }]);
  };
  window.addEventListener("keydown", skip, { capture: true });
  listenToKeys(renderer, { state: () => state, act, pick });
  state.focus = squareAt({ x: 0, y: state.ranks - 1 }, state) ?? "a1";
  // The parts have sizes only once they are drawn.
  render();
  viewport.fit();
  const sizes = new ResizeObserver(viewport.fit);
  sizes.observe(element);
  sizes.observe(renderer.barElement);

  return {
    set(changes: Partial<Settings>) {
      act((now) => {
        const [next, ...effects] = receive(now, changes);
        return [calm.matches ? { ...next, playback: null } : next, ...effects];
      });
      if (RESIZING.some((key) => key in changes)) viewport.fit();
    },
    type(text: string) {
      act((now) => enter(now, text.trim()));
    },
    announce,
    destroy() {
      destroyed = true;
      clearTimeout(noticeTimer);
      clearTimeout(paceTimer);
      window.removeEventListener("keydown", skip, { capture: true });
      sizes.disconnect();
      stopPointers();
      for (const root of renderer.roots) root.remove();
    },
  };
}

/** Settings that change the size of the squares. */
const RESIZING: readonly (keyof Settings)[] = ["files", "ranks", "coordinates", "fit", "setup", "start", "still"];

function surroundings(state: State, { scale }: View, room: Room, undoable: boolean): Surroundings {
  const { files, ranks, square } = room;
  return {
    small: square < NEEDS_LOUPE_PX,
    zoomed: scale > 1,
    upright: files > ranks && square < 24 && matchMedia("(orientation: portrait)").matches,
    canUndo: undoable && (state.seat === "both" || state.seat === state.position?.turn),
  };
}

/** The squares of a new move or of the next one to be played back, which have to be in sight. */
function newlyShown(before: State, state: State): Square[] {
  if (state.position?.ply === before.position?.ply && state.playback === before.playback) return [];
  const path = shownMoves(state).at(-1) ?? state.position?.last_turn[0]?.path ?? [];
  return [...path.slice(0, 1), ...path.slice(-1)];
}

/** Callbacks are functions, and settings are not. */
function split(options: BoardOptions): [Partial<Settings>, Callbacks] {
  const parts = [false, true].map((calls) =>
    Object.fromEntries(Object.entries(options).filter(([, value]) => (typeof value === "function") === calls)),
  );
  return parts as [Partial<Settings>, Callbacks];
}
