// What the buttons of the bar below the board do.

import { makeMove, putDown, stopAsking, toggleAlone } from "./hand.ts";
import { specialMove } from "./moves.ts";
import { arrange, nameOf } from "./setup.ts";
import type { Change, State } from "./state.ts";

export type Press =
  | "undo"
  | "playback"
  | "end"
  | "confirm"
  | "shuffle"
  | "last"
  | "clear"
  | "playSetup"
  | "zoom"
  | "stayUpright"
  | "inspect"
  | "alone";

/** Return the change that a button makes. */
export function press(state: State, button: Press): Change {
  const { position, held, setup, asks, inspected } = state;
  switch (button) {
    case "undo":
      return held ? [{ ...state, held: null }] : [state, { what: "undo" }];
    case "shuffle":
    case "zoom":
      return [state, { what: button }];
    case "end": {
      const end = position && specialMove(position, "end");
      return end ? makeMove(state, end) : [state];
    }
    case "playback":
      return [{ ...putDown(state), inspected: null, playback: state.playback === null ? 0 : null }];
    case "confirm":
      return held ? makeMove(state, held) : [state];
    case "clear":
      return [
        { ...putDown(state), arrangement: {} },
        { what: "arrange", name: null },
      ];
    case "last": {
      if (!setup) return [state];
      const arrangement = arrange(setup.phase, setup.last ?? "");
      return [
        { ...putDown(state), arrangement },
        { what: "arrange", name: nameOf(setup.phase, arrangement) },
      ];
    }
    case "playSetup":
      return setup ? [state, { what: "setup", name: nameOf(setup.phase, state.arrangement) ?? "" }] : [state];
    case "stayUpright":
      return [{ ...state, staysUpright: true }];
    case "inspect":
      return [asks || inspected ? stopAsking(state) : { ...putDown(state), asks: true }];
    case "alone":
      return toggleAlone(state);
  }
}
