// What the board and those who use it say to each other: the shapes that Python tells, and names of squares.

export type * from "./shapes.ts";

/** A square's name: "g7", "l12". */
export type Square = string;
