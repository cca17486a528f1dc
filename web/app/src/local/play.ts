// A match on this device as its rules see it: what a command makes of it, and how it is shown.

import { type Refusal, refusal } from "../client/problem";
import type { Board, Core, Game } from "../core";
import type { Command } from "../match/match";
import type { Ending, May, MoveMade, Phase, Side, Snapshot } from "../wire";
import { loadGame } from "./load";
import { type LocalRecord, matches, playersOf } from "./record";

const other = (side: Side): Side => (side === "white" ? "black" : "white");

function refuse(code: string, message: string): Refusal {
  return refusal({ code, message, where: null });
}

/** Opens a stored match. Throws a refusal if there is none, or if it cannot be played here. */
export async function openPlay(id: string): Promise<Play> {
  const record = await matches.read<LocalRecord>(id).catch(() => {
    throw refusal("no_storage");
  });
  if (!record) throw refusal("no_such_record");
  const { core, game } = await loadGame(record);
  if (game.rulesHash !== record.rulesHash) throw refusal("rules_changed");
  return new Play(core, game, record);
}

/** The board of a match, and the decisions of its rules. */
export class Play {
  private board: Board;
  private made: MoveMade[] = [];
  /** The turns that the starting position counts as finished. */
  private turnsBefore = 0;

  /** Throws `AcedrexError` if the record cannot be played by the rules of the game. */
  constructor(
    readonly core: Core,
    private readonly game: Game,
    public record: LocalRecord,
  ) {
    this.board = this.begun(record);
    this.follow(record);
  }

  private begun({ setup, fen }: LocalRecord): Board {
    const start = setup !== null ? { setup } : fen !== null ? { fen } : {};
    const board = new this.core.Board(this.game, start);
    this.made = [];
    this.turnsBefore = turns(board);
    return board;
  }

  /** Goes on to another state of the record: forward, back, or into a setup. */
  follow(record: LocalRecord): void {
    if (record.setup !== this.record.setup) this.board = this.begun(record);
    const differs = record.moves.findIndex((move, index) => move !== this.made[index]?.move);
    const kept = differs < 0 ? record.moves.length : differs;
    while (this.made.length > kept) {
      this.board.pop();
      this.made.pop();
    }
    for (const move of record.moves.slice(kept)) {
      const { turn: side, fullmoveNumber: turn } = this.board;
      this.made.push({ move, san: this.board.san(move), side, turn, spent_ms: 0 });
      this.board.push(move);
    }
    const { board } = this;
    const card = { ...record.card, fen: board.fen(), turn: board.turn, phase: this.phaseOf(record) };
    this.record = { ...record, card: { ...card, ending: this.endingOf(record) } };
  }

  /** A copy of the board, to search on. */
  position(): Board {
    return this.board.copy();
  }

  get phase(): Phase {
    return this.record.card.phase;
  }

  /** The sides that people at this device play. */
  private get seat(): Side | "both" {
    return this.record.opponent === "self" ? "both" : this.record.side;
  }

  /** Whether it is the turn of a person. */
  private get mine(): boolean {
    return this.seat === "both" || this.seat === this.board.turn;
  }

  get engineDue(): boolean {
    return this.phase === "play" && !this.mine;
  }

  private phaseOf({ end, arranging, setup }: LocalRecord): Phase {
    if (end !== null || this.board.isGameOver()) return "over";
    return arranging && setup === null ? "setup" : "play";
  }

  private endingOf({ end }: LocalRecord): Ending | null {
    if (end?.what === "aborted") return { reason: "aborted", winner: null, score: "*", result: "*", limit: null };
    const { board } = this;
    const outcome =
      end?.what === "resigned"
        ? board.forfeit("resignation", end.by)
        : end?.what === "agreed"
          ? board.agreement()
          : board.outcome({ claimDraw: end?.what === "claimed" });
    if (!outcome) return null;
    const { termination: reason, winner, score, result } = outcome;
    return { reason, winner, score, result, limit: null };
  }

  /** Returns the record after moves of the engine. */
  afterEngine(moves: string[]): LocalRecord {
    return { ...this.record, moves: [...this.record.moves, ...moves] };
  }

  /** Returns the record after a command; throws a refusal if it may not be sent now. */
  after(command: Command): LocalRecord {
    const { board, record, phase } = this;
    if (phase === "over") throw refuse("over", "the match is over");
    const [playing, moves] = [phase === "play" && this.mine, record.moves];
    switch (command.type) {
      case "move":
        if (!playing) throw refuse("not_your_turn", "it is not your turn");
        return { ...record, moves: [...moves, this.read(command.move)] };
      case "undo":
        if (!playing || board.turnMoves.length === 0) throw refuse("nothing_to_undo", "only your own turn is undone");
        return { ...record, moves: moves.slice(0, -1) };
      case "setup":
        if (phase !== "setup") throw refuse("no_setup", "there is no setup to choose now");
        return { ...record, setup: this.setup(command.name) };
      case "offer":
        if (command.what === "draw" && this.may().includes("draw")) return { ...record, end: { what: "agreed" } };
        if (command.what === "takeback" && this.takeback > 0)
          return { ...record, moves: moves.slice(0, -this.takeback) };
        throw refuse("not_playing", `there is nothing to offer a ${command.what} for`);
      case "claim":
        if (!playing || board.turnMoves.length > 0 || board.claimable().length === 0)
          throw refuse("no_claim", "there is no draw to claim in this position");
        return { ...record, end: { what: "claimed" } };
      case "resign":
        return { ...record, end: { what: "resigned", by: this.seat === "both" ? board.turn : this.seat } };
      case "abort":
        if (!this.may().includes("abort")) throw refuse("too_late", "both sides have moved");
        return { ...record, end: { what: "aborted" } };
      default:
        throw refuse("not_playing", "a match on this device has no such command");
    }
  }

  /** Reads a move in coordinates or SAN. */
  private read(text: string): string {
    try {
      return this.board.isLegal(text) ? text : this.board.parseSan(text);
    } catch (error) {
      throw refuse("illegal", String(error));
    }
  }

  private setup(name: string): string {
    try {
      return this.game.setups.name(this.game.setups.number(name.toUpperCase()));
    } catch (error) {
      throw refuse("no_such_setup", String(error));
    }
  }

  /** How many moves a takeback undoes: back to before the last finished turn of a person. */
  private get takeback(): number {
    const { made, board } = this;
    const by = this.seat === "both" ? (made.at(-1)?.side ?? board.turn) : this.seat;
    let at = made.length - (board.turn === by ? board.turnMoves.length : 0);
    while (at > 0 && made[at - 1]?.side !== by) at--;
    const turn = made[at - 1]?.turn;
    while (at > 0 && made[at - 1]?.side === by && made[at - 1]?.turn === turn) at--;
    return turn === undefined ? 0 : made.length - at;
  }

  private may(): May[] {
    const { phase, board, record } = this;
    if (phase === "over") return record.rematch === null && record.end?.what !== "aborted" ? ["rematch"] : [];
    const may: May[] = ["resign"];
    if (phase === "setup" || turns(board) - this.turnsBefore < 2) may.push("abort");
    if (phase === "setup") return this.seat === "white" ? may : [...may, "setup"];
    if (this.mine) {
      may.push("move");
      if (board.turnMoves.length > 0) may.push("undo");
      else if (board.claimable().length > 0) may.push("claim");
      if (record.hints) may.push("hint");
    }
    if (this.takeback > 0) may.push("takeback");
    if (record.opponent === "self") may.push("draw");
    return may;
  }

  /** Writes the match as PGN. Its id is in the tag Event, so that the archive knows it again. */
  pgn(): string {
    const { record, board } = this;
    const { white: White, black: Black } = playersOf(record);
    const { result: Result, score: Score } = record.card.ending ?? { result: "*", score: "*" };
    const day = new Date(record.begun).toISOString().slice(0, 10).replaceAll("-", ".");
    const headers = { Event: `Acedrex ${record.id}`, Date: day, White, Black, Result };
    return String(this.core.PgnGame.fromBoard(board, Score === Result ? headers : { ...headers, Score }));
  }

  snapshot(): Snapshot {
    const { record, board, game, phase } = this;
    const names = playersOf(record);
    const player = (side: Side) => {
      const engine = record.opponent === "engine" && side === other(record.side);
      return {
        name: names[side],
        kind: engine ? ("engine" as const) : ("guest" as const),
        level: engine ? record.level : null,
        online: true,
      };
    };
    const position = board.position();
    return {
      type: "snapshot",
      match: record.id,
      number: record.number,
      game: {
        game: record.game,
        options: record.options,
        name: game.name,
        rules_hash: record.rulesHash,
        draw_limits: {},
      },
      phase,
      opponent: record.opponent,
      seat: this.seat,
      players: { white: player("white"), black: player("black") },
      time: { kind: "none" },
      clock: null,
      setup: record.setup,
      start_fen: board.rootFen,
      from_position: record.fen !== null,
      moves: [...this.made],
      position: phase === "play" && this.mine ? position : { ...position, legal: [] },
      offers: [],
      ending: record.card.ending,
      rematch: record.rematch,
      series: null,
      chat: [],
      hints: record.hints,
      watchers: 0,
      may: this.may(),
    };
  }
}

function turns(board: Board): number {
  return 2 * (board.fullmoveNumber - 1) + (board.turn === "black" ? 1 : 0);
}
