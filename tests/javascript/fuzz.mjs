// Random hostile input for the core. `node fuzz.mjs PACKAGE SECONDS [SEED]` runs it on the built package in a folder.
//
// Every round has its own seed; a failure tells it, and `SECONDS` 0 with that seed repeats the round alone.

import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const NAMES = ["AcedrexError", "DefinitionError", "InvalidFenError", "InvalidMoveError", "IllegalMoveError"];
NAMES.push("AmbiguousMoveError");
/** Milliseconds that one round may take; a definition is given ten seconds by the package itself. */
const MOST_MS = 4000;
const ODD = ["", " ", "\0", "\ufeff", "\ud800", "😀", "é", "'", '"', "!", "\\", "\n", "\r", "\t", "/", "-", "0", "9", "99999999999999999999"];
ODD.push("[[", "]]", "{", "}", "(", ")", "=", ",", ".", "#", "K", "k", "p", "P", "x", "=Q", "e4", "O-O", "end", "claim", "0000", "$1", "{x}");
ODD.push("[game]\n", "extends = \"maasai\"\n", '"""', "board = \"16x16\"\n", "move = \"KNADGHCZ\"\n", "mRcpR", "afs", "w", "b", "null", "__proto__");

/** Returns numbers from 0 to 1, the same for the same seed. */
function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What random choices are made with. */
function chooser(random) {
  const below = (most) => Math.floor(random() * most);
  const one = (all) => all[below(all.length)];
  /** Spoils a text at some places: cuts, doubles, swaps and inserts. */
  const spoiled = (text, most = 6) => {
    let made = text;
    for (let times = 1 + below(most); times > 0; times--) {
      const [from, size] = [below(made.length + 1), 1 + below(random() < 0.2 ? 400 : 12)];
      const part = made.slice(from, from + size);
      const kind = below(6);
      if (kind === 0) made = made.slice(0, from) + made.slice(from + size);
      else if (kind === 1) made = made.slice(0, from) + part.repeat(1 + below(4)) + made.slice(from);
      else if (kind === 2) made = made.slice(0, from) + one(ODD) + made.slice(from);
      else if (kind === 3) made = made.slice(0, from) + one(ODD) + made.slice(from + size);
      else if (kind === 4) made = made.slice(0, from) + [...part].reverse().join("") + made.slice(from + size);
      else made = made.slice(0, from) + String.fromCharCode(below(random() < 0.8 ? 128 : 65536)) + made.slice(from + 1);
    }
    return made;
  };
  return { random, below, one, spoiled };
}

/** Values of every type, for arguments. */
function odd({ one, below }) {
  return one([
    undefined, null, true, 0, -1, 0.5, Number.NaN, Infinity, 2 ** 31, 2 ** 32 + 1, 2 ** 53, 5n, Symbol("x"), "", one(ODD),
    "x".repeat(1 + below(5000)), [], [null], [one(ODD)], {}, { length: 1e9 }, () => {}, new Date(0), /x/, new Uint8Array(below(99)),
    Object.create(null), new Proxy({}, {}), { toString: () => "e2e4" }, { valueOf: () => 3 },
  ]);
}

/** Looks at a board in every way that an app does, and makes moves. */
function use(board, { one, below }) {
  for (let moves = below(6); moves > 0; moves--) {
    board.position();
    const legal = board.legalMoves;
    if (legal.length === 0 || board.isGameOver()) break;
    const move = one(legal);
    board.moveInfo(move);
    board.san(move);
    board.push(move);
  }
  for (const { square } of board.pieces.slice(0, 4)) board.reach(square);
  board.status();
  board.outcome({ claimDraw: true });
  board.perft(1);
  return board.fen();
}

/** One round of each kind; what it throws must be one of the errors. */
function targets({ Board, Game, Engine, PgnGame, readMoves, readPgn, check, load }, { definitions, games }) {
  const made = (text, options = []) => new Game({ text, file: "game.toml", options, language: "en", translation: undefined }, {});
  return {
    "definition-text": (by) => use(new Board(made(by.spoiled(by.one(definitions)))), by),
    option: (by) => use(new Board(made(by.one(definitions), [by.one(ODD), by.one(ODD)])), by),
    fen: (by) => {
      const game = by.one(games);
      const board = new Board(game, { fen: by.spoiled(game.startFen), unfinished: by.random() < 0.5 });
      // What was read is written so that it can be read again.
      const fen = use(board, by);
      if (new Board(game, { fen, unfinished: true }).fen() !== fen) throw new Error(`${fen} is read otherwise`);
    },
    edits: (by) => {
      const game = by.one(games);
      const board = new Board(game);
      const squares = board.pieces.map(({ square }) => square);
      for (let times = 1 + by.below(8); times > 0; times--) {
        const { letter } = by.one(game.pieces);
        const piece = by.one([null, letter, letter.toLowerCase(), by.one(ODD)]);
        quietly(() => board.setPieceAt(by.one([...squares, "a1", "b3", by.one(ODD)]), piece));
        if (by.random() < 0.1) board.copy().clear();
        if (by.random() < 0.3) board.turn = by.one(["white", "black"]);
        quietly(() => {
          board.rights = by.spoiled(by.one(["-", new Board(game).rights]), 2);
        });
        for (const { square, side } of board.pieces.slice(0, 3)) board.attackers(side, square);
      }
      const fen = board.fen();
      if (new Board(game, { fen, unfinished: true }).fen() !== fen) throw new Error(`${fen} is read otherwise`);
      use(board, by);
    },
    moves: (by) => {
      const board = new Board(by.one(games));
      const legal = by.one(board.legalMoves);
      const text = by.spoiled(by.random() < 0.5 ? legal : board.san(legal), 3);
      for (const name of ["isLegal", "push", "pushSan", "pushTurn", "parseUci", "parseSan", "parseTurn", "san", "reach", "whyIdle"])
        quietly(() => board.copy()[name](text));
      quietly(() => new Board(board.game, { setup: text }));
    },
    pgn: async (by) => {
      const game = by.one(games);
      const board = new Board(game);
      for (let moves = by.below(12); moves > 0 && board.legalMoves.length > 0; moves--) board.push(by.one(board.legalMoves));
      const text = by.spoiled(String(PgnGame.fromBoard(board, { White: by.one(ODD) })), 10);
      for (const record of await readPgn(text)) quietly(() => String(record) && record.end());
      if (by.random() < 0.03) await readMoves(text);
    },
    arguments: (by) => {
      const board = new Board(by.one(games));
      const methods = Object.entries(Object.getOwnPropertyDescriptors(Board.prototype)).filter(([name, { value }]) => value && name !== "constructor");
      const [, { value }] = by.one(methods);
      value.call(board, odd(by), odd(by), odd(by));
      use(board, by);
    },
    search: async (by) => {
      if (by.random() > 0.05) return;
      const engine = new Engine({ hashMb: 1 });
      try {
        const board = new Board(by.one(games), { fen: by.spoiled(by.one(games).startFen, 2), unfinished: true });
        await engine.play(board, { nodes: 200 });
      } finally {
        engine.close();
      }
    },
    stranger: async (by) => {
      if (by.random() > 0.03) return;
      const text = by.spoiled(by.one(definitions));
      await check(text);
      await load({ text, file: odd(by) }, { language: odd(by), seconds: 5 });
    },
  };
}

/** Where an object is expected, JavaScript itself refuses null. */
const isRefused = (error) => error?.name === "TypeError" && /of '?null|is null|of null|destructure|of undefined/.test(error.message);

function isKnown(error) {
  return NAMES.includes(error?.name) && error.message !== "" && error.message.length < 3000 && !error.message.includes("has failed");
}

function quietly(action) {
  try {
    action();
  } catch (error) {
    if (!isKnown(error)) throw error;
  }
}

/** Runs rounds for some seconds or some rounds; returns how many, and what was wrong. */
export async function fuzz(acedrex, { definitions, seed = 1, seconds = Infinity, rounds = Infinity }) {
  await acedrex.load("chess");
  const games = await Promise.all(acedrex.games().map((id) => acedrex.load(id)));
  const all = Object.entries(targets(acedrex, { definitions, games }));
  const wrong = [];
  const began = performance.now();
  let done = 0;
  for (; done < rounds && performance.now() - began < seconds * 1000 && wrong.length < 5; done++) {
    const by = chooser(chance(seed + done));
    const [name, round] = by.one(all);
    const before = performance.now();
    try {
      await round(by);
    } catch (error) {
      const fine = isKnown(error) || (name === "arguments" && isRefused(error));
      if (!fine) wrong.push(`${name}, seed ${seed + done}: ${error?.stack ?? String(error)}`.slice(0, 1500));
    }
    const taken = performance.now() - before;
    const most = name === "stranger" ? 20_000 : MOST_MS;
    if (taken > most) wrong.push(`${name}, seed ${seed + done}: took ${Math.round(taken)} ms`);
  }
  return { rounds: done, wrong };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, seconds = "60", seed = "1"] = process.argv.slice(2);
  const acedrex = await import(pathToFileURL(`${folder}/core/src/node.js`).href);
  const root = new URL("../../games/", import.meta.url);
  const files = readdirSync(root).filter((name) => name.endsWith(".toml"));
  const definitions = files.map((name) => readFileSync(new URL(name, root), "utf8"));
  const length = seconds === "0" ? { rounds: 1 } : { seconds: Number(seconds) };
  const { rounds, wrong } = await fuzz(acedrex, { definitions, seed: Number(seed), ...length });
  console.log(`${rounds} rounds of hostile input for the core in JavaScript`);
  for (const fault of wrong) console.error(fault);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
