// A board: it keeps a state, lets events change it, has it drawn, and tells the host.

import { choose, inspect, lift, makeMove, play as playMove, putDown } from "./hand.ts";
import { press as pressKey } from "./keyboard.ts";
import { mover, specialMove } from "./moves.ts";
import { listenToPointers } from "./pointer.ts";
import { receive } from "./receive.ts";
import { makeRenderer, placePicker } from "./render.ts";
import type { Press, Surroundings } from "./render-bar.ts";
import type { Board, BoardOptions, Callbacks, Settings } from "./settings.ts";
import { arrange, nameOf } from "./setup.ts";
import { play as playSound } from "./sound.ts";
import { cornerOf, squareAt } from "./squares.ts";
import { type Change, type Effect, initialState, type State } from "./state.ts";
import type { LegalMove } from "./types.ts";
import { enter, notUnderstood } from "./typing.ts";
import { closer, firstView, NEEDS_LOUPE, type Room, reveal, type View, WHOLE, within } from "./view.ts";

/** How long a notice is shown, in milliseconds. */
const NOTICE = 5000;

/** Put a board into an element. */
export function createBoard(element: HTMLElement, options: BoardOptions): Board {
  const [settings, callbacks] = parted(options);
  let state = initialState(settings, callbacks.reach !== undefined, callbacks.onSquare !== undefined);
  let view: View = WHOLE;
  let room: Room = { files: 1, ranks: 1, square: 1, width: 1, height: 1 };
  let noticeTimer = 0;
  /** Whether the player has chosen how large the squares are. */
  let chosenScale = false;
  let destroyed = false;
  const renderer = makeRenderer(element, press, pick);

  function act(change: (state: State) => Change): void {
    const before = state;
    const [next, ...effects] = change(state);
    state = next;
    if (next !== before) render();
    if (next !== before) tell(before);
    for (const effect of effects) perform(effect);
  }

  function render(): void {
    renderer.draw(state, around());
    if (state.choice.length) placePicker(renderer.picker.element, renderer.viewport, state, view, room.square);
  }

  function around(): Surroundings {
    const { files, ranks, square } = room;
    return {
      small: square < NEEDS_LOUPE,
      zoomed: view.scale > 1,
      upright: files > ranks && square < 24 && matchMedia("(orientation: portrait)").matches,
      canUndo: callbacks.onUndo !== undefined && (state.seat === "both" || state.seat === state.position?.turn),
    };
  }

  /** What changes of the state mean for the host, the ear and the window. */
  function tell(before: State): void {
    if (state.premove !== before.premove) callbacks.onPremove?.(state.premove);
    if (state.drawn !== before.drawn) callbacks.onDraw?.(state.drawn);
    if (state.inspected?.square !== before.inspected?.square) callbacks.onInspect?.(state.inspected?.square ?? null);
    if (state.sound) sound(before);
    const seen = state.focus !== before.focus ? state.focus : newlyReached(before, state);
    if (seen && view.scale > 1) look(reveal(view, cornerOf(seen, state), room));
  }

  function perform(effect: Effect): void {
    if (effect.what === "move") callbacks.onMove?.(effect.move);
    else if (effect.what === "reach") askReach(effect.square);
    else if (effect.what === "square") callbacks.onSquare?.(effect.square);
    else if (effect.what === "say") renderer.say(effect.text);
    else if (effect.what === "arrange") callbacks.onArrange?.(effect.name);
    else if (callbacks.onType) callbacks.onType(effect.text);
    else announce(notUnderstood(state, effect.text));
  }

  function askReach(square: string): void {
    const asked = state.position;
    // Only for a premove a piece is asked about that is in hand.
    callbacks.reach?.(square, state.hand !== null).then(
      (reach) => {
        if (destroyed || state.position !== asked) return;
        if (state.inspected?.square === square) act((now) => [{ ...now, inspected: { square, reach } }]);
        else if (state.hand && "square" in state.hand && state.hand.square === square && !mover(state)) {
          act((now) => [{ ...now, premoveReach: reach }]);
        }
      },
      // The host tells people what went wrong; the piece stays unmarked.
      () => undefined,
    );
  }

  function press(what: Press): void {
    const { position, held, setup, inspected } = state;
    const end = position && specialMove(position, "end");
    if (what === "undo") callbacks.onUndo?.();
    else if (what === "end" && end) act((now) => makeMove(now, end));
    else if (what === "takeBack") act((now) => [{ ...now, held: null }]);
    else if (what === "confirm" && held) act((now) => makeMove(now, held));
    else if (what === "shuffle") callbacks.onShuffle?.();
    else if (what === "clear")
      act((now) => [
        { ...putDown(now), arrangement: {} },
        { what: "arrange", name: null },
      ]);
    else if (what === "last") arrangeAs(setup?.last ?? "");
    else if (what === "playSetup" && setup) callbacks.onSetup?.(nameOf(setup.phase, state.arrangement) ?? "");
    else if (what === "zoom") toggleZoom();
    else if (what === "stayUpright") act((now) => [{ ...now, staysUpright: true }]);
    else if (what === "inspect") {
      if (inspected) act((now) => inspect(now, null));
      else act((now) => [{ ...putDown(now), asking: !now.asking }]);
    }
  }

  function arrangeAs(name: string): void {
    const { setup } = state;
    if (!setup) return;
    const arrangement = arrange(setup.phase, name);
    act((now) => [
      { ...putDown(now), arrangement },
      { what: "arrange", name: nameOf(setup.phase, arrangement) },
    ]);
  }

  function pick(move: LegalMove | null): void {
    act((now) => (move ? playMove(now, move) : [putDown(now)]));
    renderer.grid.cell(state.focus)?.focus({ preventScroll: true });
  }

  function toggleZoom(): void {
    const at = cornerOf(state.focus, state);
    look(view.scale > 1 ? WHOLE : closer(at, room));
  }

  function look(next: View): void {
    const zoomed = view.scale > 1;
    chosenScale ||= next.scale !== view.scale;
    view = within(next, room);
    renderer.look(view, room);
    if (view.scale > 1 !== zoomed) render();
  }

  function announce(text: string): void {
    clearTimeout(noticeTimer);
    renderer.say(text);
    act((now) => [{ ...now, notice: text }]);
    noticeTimer = window.setTimeout(() => act((now) => [{ ...now, notice: "" }]), NOTICE);
  }

  function sound(before: State): void {
    const move = state.held ?? state.made;
    const [then, now] = [before.position, state.position];
    if (move && move !== (before.held ?? before.made)) {
      playSound(move.check ? "check" : move.captured_on ? "capture" : "move");
    } else if (state.arrangement !== before.arrangement) {
      playSound("place");
    } else if (then && now && !before.made && now.ply > then.ply) {
      playSound(now.check.length ? "check" : now.pieces.length < then.pieces.length ? "capture" : "move");
    }
  }

  /** Measure the element, and draw what fits into it. */
  function fit(): void {
    const { files, ranks, square } = room;
    room = renderer.measure(state);
    const other = files !== room.files || ranks !== room.ranks;
    if (other) chosenScale = false;
    const anew = other || (square !== room.square && !chosenScale);
    view = state.still ? WHOLE : anew ? firstView(room) : within(view, room);
    render();
    renderer.look(view, room);
  }

  function keyDown(event: KeyboardEvent): void {
    renderer.root.classList.add("keys");
    if (event.ctrlKey || event.metaKey || event.altKey || state.still) return;
    if (event.key === "Escape" && state.choice.length) {
      pick(null);
      return;
    }
    if (!(event.target as Element).closest(".grid")) return;
    const change = pressKey(state, event.key);
    if (!change) return;
    event.preventDefault();
    act(() => change);
    if (!state.choice.length) renderer.grid.cell(state.focus)?.focus({ preventScroll: true });
  }

  /** Screen readers move the focus themselves. */
  function focusIn(event: FocusEvent): void {
    const { square } = (event.target as HTMLElement).dataset;
    if (square && square !== state.focus) act((now) => [{ ...now, focus: square }]);
  }

  /** Screen readers click without a pointer. */
  function click(event: MouseEvent): void {
    if (event.detail !== 0) return;
    const at = (event.target as Element).closest<HTMLElement>("[data-square], [data-tray]");
    const { square, tray, group } = at?.dataset ?? {};
    if (square) act((now) => choose({ ...now, focus: square }, square));
    else if (tray) act((now) => lift(now, { tray, group: Number(group) }));
  }

  const stopPointers = listenToPointers(renderer, {
    state: () => state,
    view: () => view,
    room: () => room,
    act,
    look,
  });
  renderer.root.addEventListener("keydown", keyDown);
  renderer.root.addEventListener("keyup", (event) => {
    if (event.key === "Tab") renderer.root.classList.add("keys");
  });
  renderer.root.addEventListener("pointerdown", () => renderer.root.classList.remove("keys"));
  renderer.root.addEventListener("focusin", focusIn);
  renderer.root.addEventListener("click", click);
  state.focus = squareAt({ x: 0, y: state.ranks - 1 }, state) ?? "a1";
  // Drawn once for the sizes of its parts, then measured.
  render();
  fit();
  const sizes = new ResizeObserver(fit);
  sizes.observe(element);
  sizes.observe(renderer.barElement);

  return {
    set(changes: Partial<Settings>) {
      act((now) => receive(now, changes));
      if (RESIZING.some((key) => key in changes)) fit();
    },
    type(text: string) {
      const [next, ...effects] = enter(state, text.trim());
      act(() => [next, ...effects]);
      return !effects.some((effect) => effect.what === "type");
    },
    announce,
    destroy() {
      destroyed = true;
      clearTimeout(noticeTimer);
      sizes.disconnect();
      stopPointers();
      renderer.root.remove();
    },
  };
}

/** Settings after which the squares are measured again. */
const RESIZING: readonly (keyof Settings)[] = ["files", "ranks", "coordinates", "fit", "setup", "start", "still"];

/** The square to be seen after a move, if a move was made. */
function newlyReached(before: State, state: State): string | null {
  if (before.position === state.position || before.position?.ply === state.position?.ply) return null;
  return state.position?.last.at(-1) ?? null;
}

function parted(options: BoardOptions): [Partial<Settings>, Callbacks] {
  const {
    onMove,
    onUndo,
    onPremove,
    onSquare,
    reach,
    onInspect,
    onType,
    onDraw,
    onArrange,
    onShuffle,
    onSetup,
    ...settings
  } = options;
  const callbacks = {
    onMove,
    onUndo,
    onPremove,
    onSquare,
    reach,
    onInspect,
    onType,
    onDraw,
    onArrange,
    onShuffle,
    onSetup,
  };
  const given = Object.fromEntries(Object.entries(callbacks).filter(([, value]) => value !== undefined));
  return [settings, given as Callbacks];
}
