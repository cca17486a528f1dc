// What an element shows: a picture at once where that is possible, and with rules as soon as they are loaded.

import drawings from "../../board/pieces.svg?raw";
import boardLook from "../../board/src/board.css?inline";
import { createBoard } from "../../board/src/board.ts";
import { stillPosition, symbolOf } from "../../board/src/fen.ts";
import type { Board as Shown } from "../../board/src/settings.ts";
import { installPieces } from "../../board/src/sprite.ts";
import { squareName } from "../../board/src/squares.ts";
import type { PieceOn, Position, Reach, Side } from "../../board/src/types.ts";
import type * as Core from "./core.ts";
import { Line } from "./line.ts";
import { type Control, makeButton, type Parts } from "./parts.ts";
import { isStill, stillOf } from "./still.ts";
import { boardTexts, say, shared } from "./texts.ts";
import { isActive, short, Trouble, type Wanted } from "./wanted.ts";

/** The time of a move of an engine at full strength; weaker levels search a fixed number of positions. */
const FULL_LEVEL_SECONDS = 1;

/** What happens on a board, for the page. */
export type Tell = (name: "move" | "outcome" | "step", detail: object) => void;

/** The look of boards; elements share one style sheet. */
let look: CSSStyleSheet | null = null;

export function boardSheet(): CSSStyleSheet {
  if (!look) {
    look = new CSSStyleSheet();
    look.replaceSync(boardLook);
  }
  return look;
}

export class View {
  readonly #parts: Parts;
  #wanted: Wanted;
  readonly #tell: Tell;
  #board: Shown | null = null;
  #core: typeof Core | null = null;
  #line: Line | null = null;
  #engine: Core.Engine | null = null;
  #orientation: Side;
  #thinking = false;
  #ended = false;
  #seen: IntersectionObserver | null = null;

  /** Show what is wanted. Throws `Trouble` if it is wrong at first sight. */
  constructor(parts: Parts, wanted: Wanted, tell: Tell) {
    this.#parts = parts;
    this.#wanted = wanted;
    this.#tell = tell;
    this.#orientation = wanted.orientation;
    installPieces(drawings, parts.around.getRootNode() as ShadowRoot);
    const still = stillOf(wanted);
    if (still) {
      const settings = this.#settings();
      const toMove = say(wanted.language, "toMove", { side: this.#side(still.position.turn) });
      this.#makeBoard({
        still: true,
        files: wanted.files,
        ranks: wanted.ranks,
        pieceTypes: still.pieceTypes,
        position: still.position,
        seat: null,
        ...settings,
        texts: { ...settings.texts, board: say(wanted.language, "label", { game: still.name, position: toMove }) },
      });
    }
    if (isStill(wanted)) {
      if (!still) throw new Trouble(`game: there is no game ${short(wanted.game)}`);
      return;
    }
    this.#say(say(wanted.language, "loading"));
    this.#seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        this.#seen?.disconnect();
        this.#open().catch((error: unknown) => this.#fail(error));
      },
      { rootMargin: "300px" },
    );
    this.#seen.observe(parts.around);
  }

  /** Whether it was closed, or could not be shown. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Forget everything, and end the engine. */
  close(): void {
    this.#ended = true;
    this.#seen?.disconnect();
    this.#board?.destroy();
    this.#engine?.close();
  }

  /** Show other moves, such as those of a game in progress. */
  follow(moves: string): void {
    this.#wanted = { ...this.#wanted, moves };
    if (!this.#line) return;
    this.#stop();
    try {
      this.#line.follow(moves);
      this.#draw();
      this.#answer();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Step through the moves. */
  go(where: Control): void {
    const line = this.#line;
    if (!line || this.#wanted.shown !== null) return;
    if (where === "flip") this.#flip();
    else {
      this.#stop();
      if (where === "again") line.follow(this.#wanted.moves);
      const [at, last] = [line.at, line.steps.length];
      const first = Math.min(this.#wanted.at ?? last, last);
      line.go({ start: 0, back: at - 1, on: at + 1, end: last, again: first }[where]);
      this.#draw();
      // The engine that was stopped begins anew at the last move.
      if (where === "again" || line.at === line.steps.length) this.#answer();
    }
    this.#tell("step", { at: line.at });
  }

  #settings() {
    const { language, pieces, coordinates } = this.#wanted;
    return {
      texts: boardTexts(language),
      pieceSet: pieces,
      coordinates,
      orientation: this.#orientation,
      fit: "width",
    } as const;
  }

  #makeBoard(options: Parameters<typeof createBoard>[1]): void {
    this.#board?.destroy();
    this.#parts.place.replaceChildren();
    this.#parts.place.classList.remove("empty");
    this.#board = createBoard(this.#parts.place, options);
  }

  /** Read what is wanted, also if its moves change meanwhile. */
  async #read(core: typeof Core): Promise<Line> {
    for (;;) {
      const wanted = this.#wanted;
      try {
        const line = await Line.read(core, wanted);
        if (wanted === this.#wanted || this.#ended) return line;
      } catch (error) {
        if (wanted === this.#wanted || this.#ended) throw error;
      }
    }
  }

  async #open(): Promise<void> {
    const core = await import("./core.ts");
    const line = await this.#read(core);
    if (this.#ended) return;
    this.#core = core;
    this.#line = line;
    const { game } = line;
    const { engine, interactive, orientation, shown } = this.#wanted;
    const docks = { bar: this.#parts.under, tools: this.#parts.tools };
    const common = { files: game.files, ranks: game.ranks, pieceTypes: game.pieces, docks, ...this.#settings() };
    this.#parts.around.style.setProperty("--files", String(game.files));
    this.#parts.around.style.setProperty("--ranks", String(game.ranks));
    if (shown !== null) return this.#diagram(core, common, shown);
    this.#makeBoard({
      ...common,
      position: line.board.position(),
      seat: interactive ? (engine === null ? "both" : orientation) : null,
      paced: true,
      premoves: false,
      onMove: ({ move }) => this.#made(move, "reader"),
      onUndo: () => this.go("back"),
      read: async (text) => line.board.parseSan(text),
      reach: async (square, _, alone) =>
        alone ? lone(core, game, [{ ...alone, square }]).reach(square) : line.board.reach(square),
    });
    if (engine !== null) this.#engine = new core.Engine({ level: engine });
    this.#draw();
    this.#answer();
  }

  /** A diagram: a piece that readers put on other squares, and where it can go. */
  #diagram(core: typeof Core, common: Parameters<typeof createBoard>[1], first: string): void {
    const { board } = this.#line as Line;
    const { language } = this.#wanted;
    const piece = board.pieces.find(({ square }) => square === first);
    if (!piece) throw new Trouble(`shown: there is no piece on ${short(first)}`);
    let square = first;
    const others = board.pieces.filter((one) => one.square !== first);
    const standing = (): [Position, Reach[]] => {
      const now = lone(core, board.game, [{ ...piece, square }, ...others.filter((one) => one.square !== square)]);
      return [stillPosition(now.fen()), now.reach(square)];
    };
    const tellReach = (reach: Reach[]): void => {
      const count = new Set(reach.map(({ to }) => to)).size;
      this.#say(say(language, count === 1 ? "reachedOne" : "reached", { count }));
    };
    const [position, reach] = standing();
    this.#makeBoard({
      ...common,
      position,
      seat: null,
      shown: { square, reach },
      onSquare: (to) => {
        square = to;
        const [next, found] = standing();
        this.#board?.set({ position: next, shown: { square, reach: found } });
        tellReach(found);
        this.#tell("step", { square });
      },
    });
    tellReach(reach);
  }

  #made(move: string, by: "reader" | "engine"): void {
    const line = this.#line;
    if (!line) return;
    const { san } = line.push(move);
    this.#draw();
    const moves = line.board.moveStack;
    this.#tell("move", { move, san, by, fen: line.board.fen(), moves });
    const outcome = line.board.outcome();
    if (outcome) this.#tell("outcome", { ...outcome });
    else if (by === "reader") this.#answer();
  }

  /** Let the engine play if it is its turn. */
  #answer(): void {
    const [line, engine] = [this.#line, this.#engine];
    if (!line || !engine || this.#thinking) return;
    const { board } = line;
    if (board.turn === this.#wanted.orientation || board.isGameOver()) return;
    this.#thinking = true;
    this.#draw();
    const over = (error: unknown): void => {
      if (line.board !== board || this.#ended) return;
      this.#thinking = false;
      this.#fail(error);
    };
    engine.play(board, { time: FULL_LEVEL_SECONDS }).then(({ moves }) => {
      if (line.board !== board || this.#ended) return;
      this.#thinking = false;
      for (const move of moves) this.#made(move, "engine");
    }, over);
  }

  /** End the engine's search, whose answer would be for another position. */
  #stop(): void {
    this.#engine?.stop();
    this.#thinking = false;
  }

  #flip(): void {
    this.#orientation = this.#orientation === "white" ? "black" : "white";
    this.#board?.set({ orientation: this.#orientation });
  }

  #draw(): void {
    const line = this.#line;
    if (!line) return;
    const { board, steps, at } = line;
    const { interactive, language } = this.#wanted;
    const position = board.position();
    this.#board?.set({ position, seat: this.#thinking ? null : this.#seat() });
    const { buttons } = this.#parts;
    for (const button of buttons.values()) button.disabled = false;
    for (const name of ["start", "back"] as const) buttons.get(name)?.toggleAttribute("disabled", at === 0);
    for (const name of ["on", "end"] as const) buttons.get(name)?.toggleAttribute("disabled", at === steps.length);
    const outcome = board.outcome();
    const step = steps[at - 1];
    const said = outcome
      ? this.#core?.outcomeText(outcome, language)
      : this.#thinking
        ? say(language, "thinking")
        : interactive || !step
          ? say(language, "toMove", { side: this.#side(board.turn) })
          : "";
    const move = step ? say(language, "after", { move: numbered(line), at, count: steps.length }) : "";
    this.#say([move, said].filter(Boolean).join(" · "));
    this.#parts.comment.textContent = step ? step.comment : line.comment;
    this.#parts.comment.hidden = this.#parts.comment.textContent === "";
    this.#special(interactive && !this.#thinking ? position : null);
  }

  /** Buttons for moves without squares; for the end of a turn the board has its own. */
  #special(position: Position | null): void {
    const { controls, tools } = this.#parts;
    for (const old of controls.querySelectorAll("[data-special]")) old.remove();
    for (const { from, move } of position?.legal ?? []) {
      if (from !== null || move === "end") continue;
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.special = move;
      button.textContent = shared(this.#wanted.language, `match.special.${move}`);
      button.addEventListener("click", () => this.#made(move, "reader"));
      tools.before(button);
    }
  }

  #seat(): Side | "both" | null {
    const { interactive, engine, orientation } = this.#wanted;
    return interactive ? (engine === null ? "both" : orientation) : null;
  }

  #side(side: Side): string {
    return shared(this.#wanted.language, `side.${side}`);
  }

  #say(text: string): void {
    if (this.#parts.said.textContent !== text) this.#parts.said.textContent = text;
  }

  #fail(error: unknown): void {
    if (this.#ended) return;
    this.close();
    fail(this.#parts, this.#wanted.language, error);
  }
}

/** Show why there is no board, in its place. */
export function fail(
  { place, said, under, controls, comment }: Parts,
  language: Wanted["language"],
  error: unknown,
): void {
  const sentence = document.createElement("p");
  sentence.className = "failed";
  sentence.setAttribute("role", "alert");
  sentence.textContent = say(language, "failed", { reason: messageOf(error).slice(0, 1000) });
  place.replaceChildren(sentence);
  place.classList.replace("empty", "wrong");
  for (const part of [said, under, controls, comment]) part.hidden = true;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Return a board with some pieces only, and the rights of the start, so that first moves are shown too. */
function lone(core: typeof Core, game: Core.Game, pieces: PieceOn[]): Core.Board {
  const at = new Map(pieces.map((piece) => [piece.square, symbolOf(piece)]));
  const rows = Array.from({ length: game.ranks }, (_, row) => {
    const squares = Array.from(
      { length: game.files },
      (_, file) => at.get(squareName(file, game.ranks - 1 - row)) ?? 1,
    );
    return squares
      .join(",")
      .replace(/\b1(,1)*\b/g, (run) => String(run.split(",").length))
      .replaceAll(",", "");
  });
  const rights = game.startFen.split(" ")[2] ?? "-";
  return new core.Board(game, { fen: `${rows.join("/")} w ${rights} - 0 1`, unfinished: true });
}

/** Write the last move with its number: `3... Nf6`. */
function numbered({ board, steps, at }: Line): string {
  const step = steps[at - 1];
  if (!step) return "";
  const before = board.copy();
  before.pop();
  return `${before.fullmoveNumber}${before.turn === "white" ? "." : "..."} ${step.san}`;
}

/** Make the buttons that a board has. */
export function addControls(parts: Parts, wanted: Wanted, press: (control: Control) => void): void {
  const { controls, tools, buttons } = parts;
  const names: Control[] = isActive(wanted) ? ["start", "back", "on", "end", "flip"] : [];
  if (wanted.interactive) names.push("again");
  for (const name of names) {
    const button = makeButton(name, say(wanted.language, name), controls, () => press(name));
    tools.before(button);
    // What is pressed before the moves are there would be lost.
    button.disabled = true;
    buttons.set(name, button);
  }
}
