// Games: what a definition says, ready to be played.

import * as core from "../compiled/core.js";
import { AcedrexError, guard, seconds as secondsOf, text as textOf, whole } from "./errors.ts";
import { compiledCore, isWorker, startCore } from "./platform.ts";
import { withSession } from "./session.ts";
import type { GamePieceType, Reach } from "./types.ts";

/** A definition of one's own, and perhaps its translations. */
export interface Definition {
  /** The text of the definition file. */
  text: string;
  /** The name of the file, for messages. */
  file?: string;
  /** Whether the text is the `fullSource` that was stored with a game, perhaps by an earlier version of Acedrex. */
  stored?: boolean;
  /** The texts of translation files, by language. */
  translations?: Record<string, string>;
}

/** Choices of options by name: `true` is `on`, `false` is `off`. */
export type Choices = Record<string, string | number | boolean>;

export interface LoadOptions {
  /** The options that differ from their defaults. */
  options?: Choices;
  /** The language of the texts, `en` or `fr`; a text without a translation stays as it is. */
  language?: string;
  /** How long compiling a definition of one's own may take, in seconds; 10 by default. */
  seconds?: number;
}

/** An option of a game: its possible values, the default and the chosen value. */
export interface GameOption {
  name: string;
  help: string;
  values: string[];
  default: string;
  chosen: string;
}

/** What makes a game, in the form that the core reads. Without a text, `file` is the id of a game that ships. */
export interface GameParts {
  text: string | undefined;
  file: string;
  /** Names and values in turn. */
  options: string[];
  language: string;
  translation: string | undefined;
  stored: boolean;
}

interface Facts {
  readonly id: string;
  readonly name: string;
  readonly author: string;
  readonly year: number | null;
  readonly link: string;
  readonly summary: string;
  readonly story: string;
  readonly files: number;
  readonly ranks: number;
  readonly startFen: string;
  readonly source: string;
  readonly file: string;
  readonly isOutdated: boolean;
  readonly rulesHash: string;
  readonly scoring: "classic" | "four_points";
  readonly drawLimits: Record<string, number>;
  readonly hasCheck: boolean;
  readonly turnsOfSeveralMoves: boolean;
}

/** The largest number of a setup that JavaScript can write exactly. */
const MOST = Number.MAX_SAFE_INTEGER;
/** How long compiling a definition may take by default, in seconds. */
const LOAD_SECONDS = 10;

/** The setups of a game, by name and number; numbers count from 1. */
export class Setups {
  readonly #core: core.Game;
  readonly #name: string;

  /** @internal */
  constructor(game: core.Game, name: string) {
    this.#core = game;
    this.#name = name;
  }

  /** How many there are: 0 if the game has no setup phase. */
  get length(): number {
    return guard(() => this.#core.setup_count());
  }

  /** Return the name of a setup. Throws `AcedrexError` if there is none with this number. */
  name(number: number): string {
    const name = guard(() => this.#core.setup_name(whole("number", number, 0, MOST)));
    if (name === undefined)
      throw new AcedrexError(`${this.#name} has no setup number ${number}; there are ${this.length}`);
    return name;
  }

  /** Return the number of a setup. Throws `AcedrexError` if there is none with this name. */
  number(name: string): number {
    const number = guard(() => this.#core.setup_number(textOf("setup", name)));
    if (number !== undefined) return number;
    throw new AcedrexError(`${this.#name} has no setup ${JSON.stringify(name.slice(0, 40))}; there are ${this.length}`);
  }

  /** Return the FEN of the start with a setup, by its name or number. Throws `AcedrexError` if there is no such setup. */
  fen(setup: string | number): string {
    const name = typeof setup === "number" ? this.name(setup) : textOf("setup", setup);
    return guard(() => this.#core.setup_fen(name));
  }

  /** White's squares of each group, in the order of the names. */
  get squares(): string[][] {
    return guard(() => this.#core.setup_squares());
  }
}

/** A loaded game. Get one from `load`. */
export class Game {
  /** @internal */
  readonly core: core.Game;
  /** @internal */
  readonly parts: GameParts;
  readonly #translations: Record<string, string>;
  readonly #facts: Facts;
  #pieceTypes: GamePieceType[] | null = null;

  /** @internal */
  constructor(parts: GameParts, translations: Record<string, string>) {
    this.parts = parts;
    this.#translations = translations;
    const { text, file, options, language, translation, stored } = parts;
    this.core = guard(() => new core.Game(text, file, options, language, translation, stored));
    this.#facts = guard(() => this.core.facts()) as Facts;
  }

  /** The id, such as `metamachy`. */
  get id(): string {
    return this.#facts.id;
  }
  /** The name, in the language of the texts. */
  get name(): string {
    return this.#facts.name;
  }
  /** The inventor; empty if unknown. */
  get author(): string {
    return this.#facts.author;
  }
  /** The year of the invention. */
  get year(): number | null {
    return this.#facts.year;
  }
  /** The address of a page about the game; may be empty. It is the author's: check it before you make a link of it. */
  get link(): string {
    return this.#facts.link;
  }
  /** The game in one sentence. */
  get summary(): string {
    return this.#facts.summary;
  }
  /** The history of the game in paragraphs; may be empty. */
  get story(): string {
    return this.#facts.story;
  }
  /** The number of files. */
  get files(): number {
    return this.#facts.files;
  }
  /** The number of ranks. */
  get ranks(): number {
    return this.#facts.ranks;
  }
  /** The FEN of the starting position. */
  get startFen(): string {
    return this.#facts.startFen;
  }
  /** The text of the definition. */
  get source(): string {
    return this.#facts.source;
  }
  /**
   * The definition with what it extends laid under it: what to store with a game of it, so that `load` still reads the
   * same rules when a later version of Acedrex has changed a shipped game.
   */
  get fullSource(): string {
    return guard(() => this.core.full_source());
  }
  /** Whether this is an earlier version of the shipped game with its id. */
  get isOutdated(): boolean {
    return this.#facts.isOutdated;
  }
  /** The special rules in the language of the game: its author's texts, and sentences for rules that have none. */
  get rules(): { key: string; title: string; text: string }[] {
    const flat: string[] = guard(() => this.core.rules(this.language));
    return flat.flatMap((key, at) =>
      at % 3 === 0 ? [{ key, title: flat[at + 1] ?? "", text: flat[at + 2] ?? "" }] : [],
    );
  }
  /** A hash of the rules in 16 hexadecimal digits: equal as long as stored games mean the same. */
  get rulesHash(): string {
    return this.#facts.rulesHash;
  }
  /** How points are scored. */
  get scoring(): "classic" | "four_points" {
    return this.#facts.scoring;
  }
  /**
   * The limit of each kind of draw that the game has, by its termination: occurrences of a position, or half-moves
   * without progress; turns, where a turn has several moves.
   */
  get drawLimits(): Record<string, number> {
    return { ...this.#facts.drawLimits };
  }
  /** Whether the game has check; without it, royal pieces are captured. */
  get hasCheck(): boolean {
    return this.#facts.hasCheck;
  }
  /** Whether a turn may have several moves. */
  get turnsOfSeveralMoves(): boolean {
    return this.#facts.turnsOfSeveralMoves;
  }
  /** The language of the texts. */
  get language(): string {
    return this.parts.language;
  }

  /**
   * The piece types, in the order of the definition, as the board shows them.
   *
   * A piece type that the definition gives no drawing has the drawing that is called like it, if the board has one.
   */
  get pieces(): GamePieceType[] {
    if (this.#pieceTypes) return this.#pieceTypes;
    const pieceTypes = guard(() => this.core.piece_types()) as Omit<GamePieceType, "emblem">[];
    // Drawings have English names.
    const english =
      this.language === "en" || pieceTypes.every((kind) => kind.art) ? pieceTypes : this.localized("en").pieces;
    this.#pieceTypes = pieceTypes.map((kind, index) => {
      const art = kind.art || (english[index] ?? kind).name.toLowerCase().trim().split(/\s+/).join("-");
      return { ...kind, art, emblem: { dots: "", lines: "", fine: "", letter: kind.letter } };
    });
    return this.#pieceTypes;
  }

  /**
   * Return where a piece, written as in FEN, could go alone on the board, captures included. Throws `AcedrexError` if the
   * game has no such piece or square.
   */
  reachAlone(piece: string, square: string): Reach[] {
    return JSON.parse(guard(() => this.core.reach_alone(textOf("piece", piece), textOf("square", square))));
  }

  /** The values of the piece types in centipawns, by letter, by which the engine plays without a network. */
  get pieceValues(): Record<string, number> {
    const values = guard(() => this.core.piece_values());
    return Object.fromEntries(this.pieces.map(({ letter }, index) => [letter, values[index] ?? 0]));
  }

  /** The options, by name. */
  get options(): Record<string, GameOption> {
    const options = guard(() => this.core.options()) as GameOption[];
    return Object.fromEntries(options.map((option) => [option.name, option]));
  }

  /** The options that differ from their defaults. */
  get chosenOptions(): Record<string, string> {
    const chosen = Object.values(this.options).filter((option) => option.chosen !== option.default);
    return Object.fromEntries(chosen.map((option) => [option.name, option.chosen]));
  }

  /** The setups; none if the game has no setup phase. */
  get setups(): Setups {
    return new Setups(this.core, this.name);
  }

  /**
   * Return the same game with its texts in another language; texts without a translation stay as they are.
   *
   * Throws `AcedrexError` if there is no such language.
   */
  localized(language: string): Game {
    if (language === this.language) return this;
    return new Game(inLanguage(this.parts, language, this.#translations), this.#translations);
  }
}

/** Return the ids of the games that ship with this package. `load` must have been called once. */
export function games(): string[] {
  return guard(() => core.games());
}

/** Return the languages of the games' texts. `load` must have been called once. */
export function languages(): string[] {
  return guard(() => core.languages());
}

/**
 * Load a game that ships by its id, or a definition of one's own. The first call loads the core.
 *
 * Options may also follow the id: `magi:classic_ep=on,scoring=four_points`. A definition of one's own is compiled in a
 * worker first, which is ended if that takes long: a text from a stranger cannot freeze a page.
 *
 * Throws `DefinitionError` if the definition has faults, or the game or an option does not exist; `AcedrexError` if
 * there is no such language, or if compiling takes too long.
 */
export async function load(
  game: string | Definition,
  { options = {}, language = "en", seconds = LOAD_SECONDS }: LoadOptions = {},
): Promise<Game> {
  startCore(await compiledCore());
  if (typeof game === "string") {
    const [id, chosen] = splitSpec(game);
    const parts = { text: undefined, file: id, options: written({ ...chosen, ...options }), stored: false };
    return new Game(inLanguage(parts, language, {}), {});
  }
  if (typeof game !== "object" || game === null) throw new AcedrexError("game: expected an id, or { text: ... }");
  const { translations = {} } = game;
  const wanted = inLanguage(plainParts(game, options), language, translations);
  const limit = secondsOf("seconds", seconds);
  if (!isWorker()) await withSession(limit, (session) => session.ask({ type: "load", game: wanted }));
  return new Game(wanted, translations);
}

function plainParts(
  { text, file = "game.toml", stored = false }: Definition,
  options: Choices,
): Omit<GameParts, "language" | "translation"> {
  return { text: textOf("text", text), file: textOf("file", file), options: written(options), stored: stored === true };
}

/** Return the parts of a definition's game; the core checks them where they are compiled. */
export function partsOf(definition: Definition, { options = {}, language = "en" }: LoadOptions): GameParts {
  const translations = definition.translations ?? {};
  const translation = Object.hasOwn(translations, language) ? translations[language] : undefined;
  return { ...plainParts(definition, options), language: textOf("language", language), translation };
}

/** Complete the parts of a game by its language and the translation into it. */
function inLanguage(
  { text, file, options, stored }: Omit<GameParts, "language" | "translation">,
  language: string,
  translations: Record<string, string>,
): GameParts {
  const known = languages();
  if (!known.includes(textOf("language", language))) {
    throw new AcedrexError(`no language ${JSON.stringify(language.slice(0, 10))}; there are ${known.join(", ")}`);
  }
  const translation = Object.hasOwn(translations, language) ? translations[language] : undefined;
  return { text, file, options, language, translation, stored };
}

function splitSpec(spec: string): [string, Choices] {
  const at = textOf("game", spec).lastIndexOf(":");
  return at < 0 ? [spec, {}] : [spec.slice(0, at), readOptions(spec.slice(at + 1))];
}

/** Read options such as `classic_ep=on,bent`; an option without a value is `on`. */
export function readOptions(text: string): Choices {
  const parts = text.split(",").filter(Boolean);
  const pairs = parts.map((part) => {
    const equals = part.indexOf("=");
    return equals < 0 ? [part.trim(), "on"] : [part.slice(0, equals).trim(), part.slice(equals + 1).trim()];
  });
  return Object.fromEntries(pairs);
}

/** Write options as the core reads them. */
function written(options: Choices): string[] {
  const value = (given: unknown): string => (given === true ? "on" : given === false ? "off" : String(given));
  return Object.entries(options).flatMap(([name, given]) => [name, value(given)]);
}
