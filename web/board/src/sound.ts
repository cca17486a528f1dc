// Short sounds, synthesised rather than loaded.

import { shownPieces } from "./moves.ts";
import type { State } from "./state.ts";

type Name = "move" | "capture" | "check" | "place" | "low";

/** Pitch in hertz, length in seconds, loudness. */
const SOUNDS: Record<Name, readonly [number, number, number][]> = {
  move: [[190, 0.07, 0.5]],
  place: [[230, 0.05, 0.4]],
  capture: [
    [150, 0.09, 0.6],
    [95, 0.12, 0.5],
  ],
  check: [
    [190, 0.07, 0.5],
    [520, 0.16, 0.25],
  ],
  low: [
    [660, 0.1, 0.3],
    [660, 0.1, 0.3],
    [660, 0.2, 0.3],
  ],
};

/** Return the sound of a change of state; `null` if it is silent. */
export function soundOf(before: State, state: State): Name | null {
  const move = state.held ?? state.made;
  const [then, now] = [before.position, state.position];
  if (move && move !== (before.held ?? before.made)) {
    return move.check ? "check" : move.captured_on ? "capture" : "move";
  }
  if (state.arrangement !== before.arrangement) return "place";
  if (then && then === now && before.playback !== null && state.playback !== 0) {
    return shownPieces(state).length < shownPieces(before).length ? "capture" : "move";
  }
  if (then && now && !before.made && now.ply > then.ply && state.playback === null) {
    return now.check.length ? "check" : now.pieces.length < then.pieces.length ? "capture" : "move";
  }
  return null;
}

let context: AudioContext | null = null;

/** Play a sound; browsers allow it only once the user has touched the page. */
export function play(name: Name): void {
  if (typeof AudioContext === "undefined" || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [pitch, length, loudness] of SOUNDS[name]) {
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(pitch * 1.6, at);
    tone.frequency.exponentialRampToValueAtTime(pitch, at + length);
    gain.gain.setValueAtTime(loudness * 0.5, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
    at += length * 0.7;
  }
}
