// Checks of the npm package that run in Node and in a browser alike: each gets the package and its data, and returns what
// is wrong, or what Python compares.

/** Larger counts are left to the tests in Rust. */
const MOST_NODES = 100_000;

const NAMES = ["AcedrexError", "DefinitionError", "InvalidFenError", "InvalidMoveError", "IllegalMoveError"];
NAMES.push("AmbiguousMoveError");

const spec = (id, options = "") => (options ? `${id}:${options.replaceAll(" ", ",")}` : id);
/** Loads each game once. */
function loader(load) {
  const loaded = new Map();
  return async (id, options) => {
    const name = spec(id, options);
    if (!loaded.has(name)) loaded.set(name, await load(name));
    return loaded.get(name);
  };
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Positions with their legal moves, checks and perft, as crates/rules/tests/vectors.rs reads them. */
export async function positionsMatchVectors({ Board, load }, files) {
  const loaded = loader(load);
  const wrong = [];
  let checked = 0;
  for (const file of files) {
    for (const entry of file.positions) {
      const game = await loaded(entry.game ?? file.game, entry.options);
      const board = new Board(game, entry.fen ? { fen: entry.fen } : {});
      for (const move of entry.plies ?? []) board.push(move);
      const expect = (what, found, wanted) => {
        checked++;
        if (!same(found, wanted)) wrong.push(`${game.id} ${board.fen()}: ${what} is ${found}, expected ${wanted}`);
      };
      const legal = board.legalMoves.sort();
      if (entry.moves) expect("moves", legal, entry.moves);
      if (entry.check !== undefined) expect("check", board.isCheck(), entry.check);
      if (entry.gives_check) expect("gives check", legal.filter((move) => board.givesCheck(move)), entry.gives_check);
      entry.perft?.forEach((nodes, index) => {
        if (nodes <= MOST_NODES) expect(`perft ${index + 1}`, board.perft(index + 1), nodes);
      });
    }
  }
  return { checked, wrong };
}

/** Cases built by hand, as tests/test_cases.py reads them. */
export async function boardsMatchCases({ Board, load, InvalidFenError, outcomeText }, all) {
  const loaded = loader(load);
  const wrong = [];
  let checked = 0;
  for (const entry of all) {
    const game = await loaded(entry.game, entry.options);
    const expect = (what, found, wanted) => {
      checked++;
      if (!same(found, wanted)) wrong.push(`${entry.name}: ${what} is ${JSON.stringify(found)}, expected ${JSON.stringify(wanted)}`);
    };
    const make = () => {
      const board = new Board(game, entry.setup ? { setup: entry.setup } : entry.fen ? { fen: entry.fen } : {});
      for (const move of entry.plies ?? []) board.push(move);
      return board;
    };
    if (entry.error) {
      let error = null;
      try {
        make();
      } catch (found) {
        error = found;
      }
      expect("an invalid FEN", error instanceof InvalidFenError, true);
      continue;
    }
    const board = make();
    const legal = board.legalMoves.sort();
    if (entry.setup) expect("fen", board.fen(), entry.fen);
    if (entry.legal) expect("legal", legal, [...entry.legal].sort());
    expect("includes", (entry.includes ?? []).filter((move) => !board.isLegal(move)), []);
    expect("excludes", (entry.excludes ?? []).filter((move) => board.isLegal(move)), []);
    if (entry.check !== undefined) expect("check", board.isCheck(), entry.check);
    for (const [move, gives] of Object.entries(entry.gives_check ?? {})) expect(move, board.givesCheck(move), gives);
    for (const [move, san] of Object.entries(entry.san ?? {})) {
      const moves = move.includes(",") ? board.parseTurn(move) : [move];
      expect(`san of ${move}`, board.turnSan(moves), san);
      if (san.includes(",")) expect(`turn of ${san}`, board.parseTurn(san).slice(0, moves.length), moves);
      else expect(`move of ${san}`, board.parseSan(san), moves[0]);
    }
    if (entry.fen_after) expect("fen", board.fen(), entry.fen_after);
    if (entry.number) {
      expect("number", game.setups.number(entry.setup), entry.number);
      expect("setup", [board.setupName(), game.setups.name(entry.number)], [entry.setup, entry.setup]);
    }
    if (entry.claimable) expect("claimable", board.claimable().sort(), [...entry.claimable].sort());
    if (entry.outcome === null) expect("outcome", board.outcome(), null);
    else if (entry.outcome) {
      const { reason, result, score } = entry.outcome;
      const claimDraw = ["threefold_repetition", "fifty_moves"].includes(reason);
      let outcome = board.outcome({ claimDraw });
      if (reason === "agreement") outcome = board.agreement();
      else if (entry.by?.loser) outcome = board.forfeit(reason, entry.by.loser === "w" ? "white" : "black");
      expect("outcome", [outcome?.termination, outcome?.result, outcome?.score], [reason, result, score]);
      const [english, french] = [outcomeText(outcome), outcomeText(outcome, "fr")];
      expect("text", [english, french].map((text) => /^[A-ZÉ][^{}]+\.$/.test(text)) + String(english === french), "true,truefalse");
    }
  }
  return { checked, wrong };
}

/** What the package says of boards, to be compared with what Python says. */
export async function describeBoards({ Board, load }, wanted) {
  const found = [];
  for (const { game, moves } of wanted) {
    const board = new Board(await load(game));
    for (const move of moves) board.push(move);
    const legal = board.legalMoves;
    const attackers = (side) => board.pieces.flatMap(({ square }) => board.attackers(side, square)).length;
    found.push({
      limits: board.game.drawLimits,
      rights: board.rights,
      attackers: [attackers("white"), attackers("black")],
      edited: edited(board),
      fen: board.fen(),
      key: String(board.key),
      position: board.position(),
      reach: Object.fromEntries(board.pieces.map(({ square }) => [square, board.reach(square)])),
      captured: Object.fromEntries(legal.map((move) => [move, board.moveInfo(move).captured])),
      san: board.variationSan(legal.slice(0, 1)),
      lan: legal.map((move) => board.lan(move)),
      repetitions: board.repetitions(),
      left: board.movesLeft,
    });
  }
  return found;
}

/** What becomes of a position by editing: without its first piece, with another one, the other side to move, no rights. */
function edited(from) {
  const board = from.copy();
  const [{ square }, { square: other, letter }] = board.pieces;
  board.setPieceAt(square, null);
  board.setPieceAt(other, letter.toLowerCase());
  board.turn = board.turn === "white" ? "black" : "white";
  board.rights = "-";
  const fen = board.fen();
  board.clear();
  return [fen, board.fen(), board.moveStack.length];
}

/** Lists the moves of PGN texts, and the messages of what takes too long or is no text. */
export async function listMoves({ readMoves }, texts) {
  const found = [];
  for (const text of texts) found.push(await readMoves(text));
  const message = (error) => error.message;
  const refused = [await readMoves(texts[0], { seconds: 0.001 }).catch(message), await readMoves(5).catch(message)];
  return { found, few: (await readMoves(texts[0], { most: 1 })).errors, refused };
}

/** Reads PGN texts, and writes them again. */
export async function rewriteRecords({ readPgn }, texts) {
  const shape = (node) => ({
    moves: node.moves,
    san: node.san,
    unfinished: node.unfinished,
    comment: node.comment,
    starting: node.startingComment,
    nags: node.nags,
    variations: node.variations.map(shape),
  });
  const found = [];
  for (const text of texts) {
    for (const game of await readPgn(text)) {
      const { headers, comment, errors } = game;
      const [variations, end, written] = [game.variations.map(shape), game.end().fen(), String(game)];
      found.push({ headers, comment, errors: errors.length, variations, end, written });
    }
  }
  return found;
}

/** Reads the annotations of comments, and writes others. */
export async function annotateComments({ load, ...acedrex }, comments) {
  // The first game loads the core.
  await load("chess");
  const { clockOf, withClock, evaluationOf, withEvaluation } = acedrex;
  return comments.map((comment) => ({
    clock: clockOf(comment),
    evaluation: evaluationOf(comment),
    timed: [298.5, null].map((seconds) => withClock(comment, seconds)),
    evaluated: [{ cp: -25, mate: null, depth: 12 }, { cp: null, mate: -3 }, null].map((one) => withEvaluation(comment, one)),
  }));
}

/** Calls everything with values that nobody should give: it must answer, or throw an error with a message. */
export async function hostileValuesThrowKnownErrors(acedrex, pgn) {
  const { Board, Game, Engine, PgnGame, readPgn, load, check, games, languages, outcomeText } = acedrex;
  const { clockOf, evaluationOf, withClock, withEvaluation } = acedrex;
  const long = "x".repeat(200_000);
  const values = [undefined, null, true, 0, -1, 1.5, Number.NaN, Infinity, 2 ** 31, 2 ** 32, 2 ** 53, 7n, Symbol("s")];
  values.push("", "\0", long, "\ud800", "😀e2e4", "e2e4", "end", "0000", "a1", "z99", "__proto__", "toString", "K".repeat(999));
  values.push([], ["e2e4"], [1, null], {}, { time: -1 }, { depth: 0 }, { nodes: "1" }, { fen: 5 }, { setup: -1 }, () => {});
  values.push("8/8/8/8/8/8/8/8 w - - 0 1", `${"k".repeat(300)}/ w - - 99999999999999999999 -1`);
  const wrong = [];
  let called = 0;
  async function call(name, action) {
    called++;
    try {
      await action();
    } catch (error) {
      // Where an object is expected, JavaScript itself refuses null.
      const refused = error?.name === "TypeError" && /of '?null|is null|of null/.test(error.message);
      const known = refused || (NAMES.includes(error?.name) && error.message && !error.message.includes("has failed"));
      if (!known) wrong.push(`${name}: ${error?.stack ?? String(error)}`.slice(0, 600));
      else if (error.message.length > 2000) wrong.push(`${name}: a message of ${error.message.length} characters`);
    }
  }
  for (const id of ["chess", "chieftain"]) {
    const game = await load(id);
    const board = new Board(game);
    const before = [board.fen(), board.perft(2)];
    const moved = board.copy();
    moved.push(board.legalMoves[0]);
    const methods = (of) => Object.entries(Object.getOwnPropertyDescriptors(of.prototype)).filter(([, { value }]) => value);
    for (const value of values) {
      for (const [name, method] of methods(Board)) {
        if (name === "constructor") continue;
        const copy = board.copy();
        await call(`board.${name}(${String(value).slice(0, 40)})`, () => method.value.call(copy, value, value));
      }
      await call("new Board", () => new Board(value));
      await call("new Board", () => new Board(game, { fen: value }));
      await call("new Board", () => new Board(game, { fen: value, unfinished: true }).perft(2));
      await call("new Board", () => new Board(game, { setup: value }));
      for (const name of ["name", "number", "fen"]) await call(`setups.${name}`, () => game.setups[name](value));
      await call("localized", () => game.localized(value));
      await call("load", () => load(value));
      await call("load", () => load(id, { language: value }));
      if (typeof value !== "symbol") await call("load", () => load(id, { options: { scoring: value } }));
      if (value !== undefined) await call("new Engine", () => new Engine({ hashMb: value, level: value, seed: value }).close());
      await call("readPgn", () => readPgn(value));
      for (const read of [clockOf, evaluationOf]) await call(read.name, () => read(value));
      for (const write of [withClock, withEvaluation]) await call(write.name, () => write("", value));
      for (const key of ["cp", "mate", "depth"]) await call(key, () => withEvaluation("", { cp: 1, [key]: value }));
      await call("outcomeText", () => outcomeText({ termination: value, winner: value, score: value, limit: value }));
      await call("outcomeText", () => outcomeText({ ...board.agreement(), winner: value, limit: value }, value));
      await call("fromBoard", () => PgnGame.fromBoard(board, { White: typeof value === "string" ? value : "" }).toString());
      await call("nags", async () => {
        const record = PgnGame.fromBoard(moved);
        record.variations[0].nags.push(value);
        const [{ errors }] = await readPgn(String(record));
        if (errors.length > 0) wrong.push(`the glyph ${String(value)} is written, and not read`);
      });
    }
    if (!same(before, [board.fen(), board.perft(2)])) wrong.push(`${id} has changed`);
  }
  await call("load", () => load({ text: long }));
  await call("load", () => load({ text: 5 }));
  await call("load", () => load({ text: "[game]\nid = 'x'", translations: { fr: "[" } }, { language: "fr" }));
  await call("check", () => check(long));
  if (!(games().includes("maasai") && languages().includes("fr"))) wrong.push("the core has forgotten its games");
  const engine = new Engine({ hashMb: 1 });
  const board = new Board(await load("chess"));
  for (const value of values.slice(3)) {
    await call("play", () => engine.play(board, { nodes: 10, depth: value }));
    await call("play", () => engine.play(board, { nodes: 10 }, { rootMoves: value }));
    await call("analyse", () => engine.analyse(board, { nodes: 10 }, { multipv: value }));
  }
  for (const fen of ["8/8/8/8/8/8/8/8 w - - 0 1", "kkkkkkkk/8/8/8/8/8/8/QQQQQQQQ w - - 0 1", "P6p/8/8/8/8/8/8/p6P b - - 0 1"]) {
    const odd = new Board(board.game, { fen, unfinished: true });
    await call(`play ${fen}`, () => engine.play(odd, { nodes: 300 }));
  }
  const { moves } = await engine.play(board, { nodes: 10 });
  if (moves.length !== 1) wrong.push("the engine plays no more");
  engine.close();
  for (const [name, text] of Object.entries(pgn)) {
    const begun = performance.now();
    await call(`readPgn of ${name}`, () => readPgn(text));
    const taken = performance.now() - begun;
    if (taken > 20_000) wrong.push(`${name}: read in ${taken} ms`);
  }
  return { called, wrong };
}

/** The engine: its limits, lines, levels, and how it is stopped. */
export async function tryEngine({ Board, Engine, load }, _) {
  const found = {};
  const board = new Board(await load("maasai"));
  const one = new Engine({ hashMb: 16 });
  const fixed = async () => {
    const { moves, info } = await one.play(board, { nodes: 3000 });
    await one.clear();
    return [moves, info.depth, info.nodes, info.score];
  };
  found.repeated = [await fixed(), await fixed()];
  found.lines = (await one.analyse(board, { depth: 4 }, { multipv: 3 })).map((info) => [info.multipv, info.depth, info.pv[0]]);
  found.root = (await one.play(board, { depth: 3 }, { rootMoves: ["a4a5"] })).move;
  const timed = performance.now();
  await one.play(board, { time: 0.3 });
  found.timed = performance.now() - timed;
  const begun = performance.now();
  const endless = one.play(board);
  setTimeout(() => one.stop(), 200);
  found.stopped = (await endless).moves;
  found.stoppedAfter = performance.now() - begun;
  const again = performance.now();
  for await (const lines of one.stream(board)) {
    found.first = performance.now() - again;
    found.streamed = lines.length;
    break;
  }
  // Both are stopped, the one that waits too.
  const waiting = [one.play(board), one.play(board)].map((play) => play.then(() => "played", (error) => error.message));
  setTimeout(() => one.stop(), 300);
  found.waiting = await Promise.all(waiting);
  const mated = new Board(await load("chess"), { fen: "6k1/8/5KQ1/8/8/8/8/8 b - - 0 1" });
  found.mate = (await one.analyse(mated, { depth: 4 }))[0].score;
  const over = new Board(mated.game, { fen: "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1" });
  found.over = [await one.play(over, { depth: 2 }), await one.analyse(over, { depth: 2 })];
  found.levels = [];
  for (const seed of [1, 1, 2, 3]) {
    const weak = new Engine({ level: 3, seed });
    const copy = board.copy();
    for (let turn = 0; turn < 6; turn++) for (const move of (await weak.play(copy)).moves) copy.push(move);
    found.levels.push(copy.moveStack.join(" "));
    weak.close();
  }
  const turns = new Board(await load("chieftain"));
  found.turn = (await one.play(turns, { nodes: 2000 })).moves;
  turns.pushTurn(found.turn.join(","));
  found.turned = turns.turn;
  one.close();
  found.closed = await one.play(board).catch((error) => error.message);
  const alien = await fetchNetwork(Engine, board);
  found.alien = alien;
  return found;
}

async function fetchNetwork(Engine, board) {
  const wrong = new Engine({ network: new TextEncoder().encode("no network") });
  const message = await wrong.play(board, { nodes: 10 }).catch((error) => error.message);
  wrong.close();
  const none = new Engine({ network: "none" });
  const { moves } = await none.play(board, { nodes: 100 });
  none.close();
  return [message, moves.length];
}

/** Definitions from strangers: faults, and one that would take for ever. */
export async function loadDefinitions({ load, check, Board }, { good, bad, slow }) {
  const game = await load({ text: good, file: "good.toml" });
  const found = { perft: new Board(game).perft(3), id: game.id, letters: game.pieces.map((piece) => piece.letter) };
  const faults = await load({ text: bad, file: "bad.toml" }).catch((error) => error);
  found.bad = { name: faults.name, message: faults.message, faults: faults.faults };
  found.checked = await check(bad, { file: "bad.toml" });
  const begun = performance.now();
  found.slow = await load({ text: slow }, { seconds: 0.001 }).catch((error) => error.message);
  found.slowAfter = performance.now() - begun;
  return found;
}

/** Definitions from strangers that stay in a worker. */
export async function tryRemote({ Remote, check }, { good, bad, slow }) {
  const [worker, definition] = [new Remote({ seconds: 60 }), { text: good }];
  const { faults, inherited, game } = await worker.study(definition);
  const found = { faults, board: inherited.game.board, knight: inherited.pieces.N.move, letters: game.pieces.map((piece) => piece.letter) };
  found.values = game.values;
  const wrong = await worker.study({ text: bad });
  found.bad = { same: same(wrong.faults, await check(bad)), game: wrong.game };
  const { position, san, outcome } = await worker.position(definition, { moves: ["e2e4", "e7e5"] });
  found.position = { fen: position.fen, legal: position.legal.length, san, outcome };
  found.reach = (await worker.reach(definition, "b1")).map(({ to }) => to).sort();
  found.turn = (await worker.turn(definition, { moves: ["e2e4"] }, 1, { seed: 1 })).length;
  const arranged = { text: '[game]\nid = "arranged"\nextends = "metamachy"\n' };
  found.setup = (await worker.position(arranged, { setup: 5, moves: ["a3a4"] })).position.fen;
  // Setups are numbered from 1.
  const zeroth = [worker.position(arranged, { setup: 0 }), worker.games(arranged, { count: 1, level: 1, setup: 0 }, () => {})];
  found.zeroth = (await Promise.allSettled(zeroth)).map(({ reason }) => reason?.message);
  const started = [];
  for (const setup of [5, "random"])
    await worker.games(arranged, { count: 1, level: 1, seed: 3, setup }, ({ turns }) => started.push(turns));
  found.started = started.filter((turns) => turns > 1).length;
  const games = [];
  await worker.games(definition, { count: 2, level: 1, seed: 1 }, (played) => games.push(played));
  found.games = games.map(({ turns, outcome }) => [turns, outcome?.result ?? null]);
  found.illegal = await worker.position(definition, { moves: ["e2e5"] }).catch((error) => error.name);
  // A stopped worker answers again; one that takes too long is ended, and so is what waits for it.
  const waiting = worker.study(definition).catch((error) => error.message);
  worker.stop();
  found.stopped = [await waiting, (await worker.study(definition)).faults.length];
  worker.close();
  found.closed = await worker.study(definition).catch((error) => error.message);
  const impatient = new Remote({ seconds: 0.001 });
  found.slow = await impatient.study({ text: slow }).catch((error) => error.message);
  impatient.close();
  return found;
}

/** The signature of the engine. */
export const signature = ({ bench }) => bench();
