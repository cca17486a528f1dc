// A match on this device as its rules see it: what a command makes of it, and how it is shown.

import { otherSide } from "@acedrex/board";
import type { Board, Core, Game } from "../core";
import type { Command } from "../match/match";
import { type Refusal, refusal } from "../refusal";
import type { Ending, Game as GameDetails, May, MoveMade, Phase, Side, Snapshot } from "../wire";
import { beforeMove, begun, clockText, moved, type Running, shown, stopped, timeTag, untilFlag } from "./clock";
import { loadStored } from "./load";
import { type End, type LocalRecord, matches, playersOf, timeOf } from "./record";

function refuse(code: string, message: string): Refusal {
  return refusal({ code, message, where: null });
}

/** Opens a stored match. Throws a refusal if there is none, or if it cannot be played here. */
export async function openPlay(id: string): Promise<Play> {
  const record = await matches.read<LocalRecord>(id).catch(() => {
    throw refusal("no_storage");
  });
  if (!record) throw refusal("no_such_record");
  const { core, game } = await loadStored(record);
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
      end?.what === "resigned" || end?.what === "flagged"
        ? board.forfeit(end.what === "flagged" ? "time" : "resignation", end.by)
        : end?.what === "agreed"
          ? board.agreement()
          : board.outcome({ claimDraw: end?.what === "claimed" });
    if (!outcome) return null;
    const { termination: reason, winner, score, result } = outcome;
    return { reason, winner, score, result, limit: this.game.drawLimits[reason] ?? null };
  }

  /** Returns the record after moves of the engine. */
  afterEngine(moves: string[], now = Date.now()): LocalRecord {
    return this.played(moves, now);
  }

  /** Returns the record after moves, and the clock with it. */
  private played(moves: string[], now: number): LocalRecord {
    const { record, board } = this;
    const next = { ...record, moves: [...record.moves, ...moves] };
    if (!record.clock) return next;
    const after = board.copy();
    for (const move of moves) after.push(move);
    const clock = moved(timeOf(record), record.clock, after.turn !== board.turn, now);
    const again = beforeMove(timeOf(record), record.clock, now);
    const restored = next.moves.map((_, at) => (at < record.moves.length ? (record.restored?.[at] ?? null) : again));
    return { ...next, restored, clock: after.isGameOver() ? stopped(clock, now) : this.started(clock, after, now) };
  }

  /** Starts the clock of the side to move, after the first turn of each side. */
  private started(clock: Running, at: Board, now: number): Running {
    const waits = turns(at) - this.turnsBefore < 2;
    return clock.running === null && !waits ? { ...clock, running: at.turn, since: now } : clock;
  }

  /** How long a side has until its flag falls, in milliseconds; `null` if no clock runs. */
  untilFlag(now = Date.now()): number | null {
    const { clock } = this.record;
    return clock && this.phase === "play" ? untilFlag(clock, now) : null;
  }

  /** Returns the record after the fall of the flag. */
  flagged(now = Date.now()): LocalRecord {
    return this.ended({ what: "flagged", by: this.record.clock?.running ?? this.board.turn }, now);
  }

  private ended(end: End, now: number): LocalRecord {
    const { clock } = this.record;
    return { ...this.record, end, clock: clock ? stopped(clock, now) : null };
  }

  /** Starts the engine's clock anew: the time in which this page was closed, and the engine with it, does not count. */
  wake(now = Date.now()): void {
    const { clock } = this.record;
    if (clock && this.engineDue) this.record = { ...this.record, clock: { ...clock, since: now } };
  }

  private takenBack(now: number): LocalRecord {
    const { record, board } = this;
    const next = { ...record, moves: record.moves.slice(0, -this.takeback) };
    if (!record.clock) return next;
    const before = board.copy();
    for (let moves = this.takeback; moves > 0; moves--) before.pop();
    const left = record.restored?.[next.moves.length] ?? stopped(record.clock, now).left;
    return { ...next, clock: this.started({ left, running: null, since: now }, before, now) };
  }

  /** Returns the record after a command; throws a refusal if it may not be sent now. */
  after(command: Command, now = Date.now()): LocalRecord {
    const { board, record, phase } = this;
    if (phase === "over") throw refuse("over", "the match is over");
    if ((this.untilFlag(now) ?? 0) < 0) throw refuse("late", "your time is up");
    const [playing, moves] = [phase === "play" && this.mine, record.moves];
    switch (command.type) {
      case "move":
        if (!playing) throw refuse("not_your_turn", "it is not your turn");
        return this.played([this.read(command.move)], now);
      case "undo":
        if (!playing || board.turnMoves.length === 0) throw refuse("nothing_to_undo", "only your own turn is undone");
        return { ...record, moves: moves.slice(0, -1) };
      case "setup":
        if (phase !== "setup") throw refuse("no_setup", "there is no setup to choose now");
        return { ...record, setup: this.setup(command.name), clock: begun(timeOf(record)) };
      case "offer":
        if (command.what === "draw" && this.may().includes("draw")) return this.ended({ what: "agreed" }, now);
        if (command.what === "takeback" && this.takeback > 0) return this.takenBack(now);
        throw refuse("not_playing", `there is nothing to offer a ${command.what} for`);
      case "claim":
        if (!playing || board.turnMoves.length > 0 || board.claimable().length === 0)
          throw refuse("no_claim", "there is no draw to claim in this position");
        return this.ended({ what: "claimed" }, now);
      case "resign":
        return this.ended({ what: "resigned", by: this.seat === "both" ? board.turn : this.seat }, now);
      case "abort":
        if (!this.may().includes("abort")) throw refuse("too_late", "both sides have moved");
        return this.ended({ what: "aborted" }, now);
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

  /** What the match's page shows of its game, where today's version has other rules. */
  described(today: GameDetails): GameDetails {
    const { name, files, ranks, pieces, startFen: start_fen, rulesHash: rules_hash } = this.game;
    const own = { name, files, ranks, pieces, start_fen, rules_hash, rules: [], setup_scores: null };
    return { ...today, ...own, changed: true };
  }

  /** Writes the match as PGN. Its id is in the tag Event, so that the archive knows it again. */
  pgn(): string {
    const { record, board } = this;
    const { white: White, black: Black } = playersOf(record);
    const { result: Result, score: Score } = record.card.ending ?? { result: "*", score: "*" };
    const day = new Date(record.begun).toISOString().slice(0, 10).replaceAll("-", ".");
    const headers = {
      ...{ Event: `Acedrex ${record.id}`, Date: day, White, Black, Result },
      ...(Score === Result ? {} : { Score }),
      TimeControl: timeTag(timeOf(record)),
      Termination: this.core.pgnTermination(record.card.ending?.reason ?? "unfinished"),
    };
    const game = this.core.PgnGame.fromBoard(board, headers);
    let [made, side] = [0, game.start().turn];
    for (const node of game.mainline()) {
      made += node.moves.length;
      const left = this.leftAfter(made, side);
      if (left !== null && !node.unfinished) node.comment = `[%clk ${clockText(left)}]`;
      side = otherSide(side);
    }
    return String(game);
  }

  /** Returns what a side was shown on its clock after its turn, with `made` moves in all; `null` without a clock. */
  private leftAfter(made: number, side: Side): number | null {
    const { record } = this;
    const left = made < record.moves.length ? record.restored?.[made] : record.clock?.left;
    if (!record.clock || !left) return null;
    return shown(timeOf(record), { left, running: null, since: 0 }, 0)[`${side}_ms`];
  }

  snapshot(): Snapshot {
    const { record, board, game, phase } = this;
    const names = playersOf(record);
    const player = (side: Side) => {
      const engine = record.opponent === "engine" && side === otherSide(record.side);
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
        outdated: game.isOutdated,
        draw_limits: game.drawLimits,
      },
      phase,
      opponent: record.opponent,
      seat: this.seat,
      players: { white: player("white"), black: player("black") },
      time: timeOf(record),
      clock: record.clock ? shown(timeOf(record), record.clock, Date.now()) : null,
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
