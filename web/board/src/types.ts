// The types that the board shares with its hosts: those made from Python's, and names of squares.

export type * from "./shapes.ts";

/** A square's name: "g7", "l12". */
export type Square = string;
