// The errors, with the names that they have in Python, and the guard that makes them of what the core throws.

/** A fault of a definition. Lines and columns count from 1; they are 0 if the fault is in the request, not the file. */
export interface Fault {
  file: string;
  line: number;
  column: number;
  key: string;
  message: string;
}

/** An input is invalid; the message says what is wrong and where. */
export class AcedrexError extends Error {
  override name = "AcedrexError";
}

/** A game's definition is wrong, or there is no such game or option. `faults` lists everything found. */
export class DefinitionError extends AcedrexError {
  override name = "DefinitionError";
  constructor(
    message: string,
    readonly faults: Fault[],
  ) {
    super(message);
  }
}

/** A text is not the FEN of a position of the game. */
export class InvalidFenError extends AcedrexError {
  override name = "InvalidFenError";
}

/** A text cannot be a move. */
export class InvalidMoveError extends AcedrexError {
  override name = "InvalidMoveError";
}

/** A move is not legal in the position. */
export class IllegalMoveError extends AcedrexError {
  override name = "IllegalMoveError";
}

/** A move's notation fits several legal moves. */
export class AmbiguousMoveError extends AcedrexError {
  override name = "AmbiguousMoveError";
}

const PLAIN = { AcedrexError, InvalidFenError, InvalidMoveError, IllegalMoveError, AmbiguousMoveError };

/** What crosses from a worker in place of an error. */
export interface PlainError {
  name: string;
  message: string;
  faults?: Fault[];
}

export function plainError(error: unknown): PlainError {
  if (error instanceof DefinitionError) return { name: error.name, message: error.message, faults: error.faults };
  return error instanceof Error ? { name: error.name, message: error.message } : { name: "Error", message: `${error}` };
}

/** Return the error that a plain one stands for. */
export function revive({ name, message, faults }: PlainError): Error {
  if (name === "DefinitionError") return new DefinitionError(message, faults ?? []);
  return new (PLAIN[name as keyof typeof PLAIN] ?? AcedrexError)(message);
}

/** Why the core of this thread cannot be used any more. */
let broken: string | null = null;

/** Call the core. What it throws becomes one of the errors above. */
export function guard<T>(action: () => T): T {
  if (broken !== null) throw new AcedrexError(`the core has failed and must be loaded anew: ${broken}`);
  try {
    return action();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const known = error.name === "DefinitionError" || error.name in PLAIN;
    // A panic, a trap, or no room on the stack: memory may be in any state.
    if (!known) broken = error.message;
    throw revive(known ? (error as PlainError) : { name: "", message: `the core has failed: ${error.message}` });
  }
}

/** Check that an argument is a text. */
export function text(name: string, value: unknown): string {
  if (typeof value !== "string") throw new AcedrexError(`${name}: expected a text, not ${typeOf(value)}`);
  return value;
}

/** Check that an argument is a list of texts. */
export function textList(name: string, value: unknown): string[] {
  if (!Array.isArray(value)) throw new AcedrexError(`${name}: expected a list of texts, not ${typeOf(value)}`);
  return value.map((item) => text(name, item));
}

/** Check that an argument is a whole number in a range. */
export function whole(name: string, value: unknown, least: number, most: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  const given = typeof value === "number" ? value : typeOf(value);
  throw new AcedrexError(`${name}: expected a whole number from ${least} to ${most}, not ${given}`);
}

/** Check that an argument is a number of seconds. */
export function seconds(name: string, value: unknown, least = 0): number {
  if (typeof value === "number" && Number.isFinite(value) && value >= least) return value;
  throw new AcedrexError(
    `${name}: expected a number of seconds, not ${typeof value === "number" ? value : typeOf(value)}`,
  );
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "a list" : typeof value;
}
