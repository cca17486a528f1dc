// What analysts have in common: the engine in this browser, and those of the server.

import type { Lines, Problem } from "../wire";

/** A position with the moves that led to it. */
export interface Place {
  fen: string;
  moves: string[];
}

/** What an analyst has found so far. */
export type Found = Omit<Lines, "type" | "id">;

/** Analyses one position at a time. */
export interface Analyst {
  /** Analyses a position, and ends the analysis before. */
  look(place: Place, lines: number): void;
  stop(): void;
  close(): void;
}

/** Whom an analyst tells what it finds, or why it does not. */
export interface Hearer {
  found(found: Found): void;
  refused(problem: Problem): void;
}
