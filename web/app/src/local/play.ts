// A match on this device as its rules see it: what a command makes of it, and how it is shown.

import { otherSide } from "@acedrex/board";
import type { Board, Core, Game, Rules } from "../core";
import type { Command } from "../match/match";
import { refusal } from "../refusal";
import type {
  Clock,
  Ending,
  Game as GameDetails,
  May,
  MoveMade,
  Offer,
  Phase,
  Problem,
  Series,
  Side,
  Snapshot,
} from "../wire";
import { loadStored } from "./load";
import { withEvents } from "./older";
import { type Event, firstEvents, type LocalRecord, matches, playersOf, timeOf } from "./record";

/** A match besides its moves and its position, as the rules write it. */
interface State {
  number: number;
  phase: Phase;
  setup: string | null;
  turn: Side;
  offers: Offer[];
  ending: Ending | null;
  rematch: string | null;
  series: Series;
  engine_due: boolean;
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

/** The decisions of a match's rules, and the match as it stands. */
export class Play {
  record: LocalRecord;
  state: State;
  private rules: Rules;
  private board: Board;

  /** Throws `AcedrexError` if the record cannot be played by the rules of the game. */
  constructor(
    readonly core: Core,
    private readonly game: Game,
    record: LocalRecord,
  ) {
    this.record = withEvents(core, game, record);
    this.rules = this.folded(this.record);
    [this.state, this.board] = this.read();
  }

  private folded(record: LocalRecord): Rules {
    return new this.core.Match(this.game, [...firstEvents(record), ...record.events]);
  }

  private read(): [State, Board] {
    const [state, board] = [this.rules.state() as State, this.rules.board()];
    const { phase, turn, ending } = state;
    const card = { ...this.record.card, fen: board.fen(), turn, phase, ending, ply: board.moveStack.length };
    this.record = { ...this.record, card };
    return [state, board];
  }

  /** Goes on to another state of the record, which need not follow from this one. */
  follow(stored: LocalRecord): void {
    const record = withEvents(this.core, this.game, stored);
    const { events } = this.record;
    if (events.every((event, index) => event === record.events[index]))
      for (const event of record.events.slice(events.length)) this.rules.apply(event);
    else this.rules = this.folded(record);
    this.record = record;
    [this.state, this.board] = this.read();
  }

  /** A copy of the board, to search on. */
  position(): Board {
    return this.board.copy();
  }

  get phase(): Phase {
    return this.state.phase;
  }

  /** The sides that people at this device play. */
  private get seats(): Side[] {
    return this.record.opponent === "self" ? ["white", "black"] : [this.record.side];
  }

  get engineDue(): boolean {
    return this.state.engine_due;
  }

  private decide(command: unknown, seats: Side[], context: { now: number; rematch?: string }) {
    return this.rules.decide(command, seats, context) as { events: Event[] } | { refusal: Problem };
  }

  private with(events: Event[]): LocalRecord {
    return { ...this.record, events: [...this.record.events, ...events] };
  }

  private decided(...asked: Parameters<Play["decide"]>): LocalRecord {
    const decided = this.decide(...asked);
    if ("refusal" in decided) throw refusal(decided.refusal);
    return this.with(decided.events);
  }

  /** Returns the record after a command; throws a refusal if it may not be sent now. */
  after(command: Command, now = Date.now()): LocalRecord {
    return this.decided(command, this.seats, { now });
  }

  /** Returns the record after moves of the engine. */
  afterEngine(moves: string[], now = Date.now()): LocalRecord {
    return this.decided({ type: "turn", moves }, [this.state.turn], { now });
  }

  /** Returns the record after a rematch has begun. */
  afterRematch(rematch: string, now = Date.now()): LocalRecord {
    return this.decided({ type: "offer", what: "rematch" }, this.seats, { now, rematch });
  }

  /** The clock as it is shown; `null` without one. */
  clock(now = Date.now()): Clock | null {
    return this.rules.clock(now) as Clock | null;
  }

  /** How long a side has until its flag falls, in milliseconds; `null` if no clock runs. */
  untilFlag(now = Date.now()): number | null {
    const { deadline } = this.rules;
    return deadline === null ? null : deadline - now;
  }

  /** How long the engine may think about its turn, in seconds. */
  thinkingTime(now = Date.now()): number {
    return this.rules.thinking(now) / 1000;
  }

  /** Returns the record after the fall of the flag. A setup that Black has not chosen in time is drawn. */
  flagged(now = Date.now()): LocalRecord {
    const { setups } = this.game;
    const setup = setups.length > 0 ? setups.name(1 + Math.floor(Math.random() * setups.length)) : null;
    return this.decided({ type: "check_flag", setup }, [], { now });
  }

  /**
   * Starts the clock anew for the engine, which did not think while this page was closed, and for the choice of a setup,
   * which nobody was asked to make.
   */
  wake(now = Date.now()): void {
    if (this.rules.deadline === null || !(this.engineDue || this.phase === "setup")) return;
    const absences = [{ since: this.record.begun, until: now }];
    const woken = this.decide({ type: "resume_after_outage", absences }, [], { now });
    // It is refused where no time has passed, or where this device's clock was set back.
    if ("events" in woken) this.follow(this.with(woken.events));
  }

  /** What the match's page shows of its game, where today's version has other rules. */
  described(today: GameDetails): GameDetails {
    const { name, files, ranks, pieces, startFen: start_fen, rulesHash: rules_hash } = this.game;
    const own = { name, files, ranks, pieces, start_fen, rules_hash, rules: [], setup_scores: null };
    return { ...today, ...own, changed: true };
  }

  /** Writes the match as PGN. Its id is in the tag Event, so that the archive knows it again. */
  pgn(): string {
    const { record, board, state } = this;
    const { white: White, black: Black } = playersOf(record);
    const { result: Result, score: Score } = state.ending ?? { result: "*", score: "*" };
    const day = new Date(record.begun).toISOString().slice(0, 10).replaceAll("-", ".");
    const headers = {
      ...{ Event: `Acedrex ${record.id}`, Date: day, White, Black, Result },
      ...(Score === Result ? {} : { Score }),
      TimeControl: this.rules.timeTag,
      Termination: this.core.pgnTermination(state.ending?.reason ?? "unfinished"),
    };
    const game = this.core.PgnGame.fromBoard(board, headers);
    let made = 0;
    for (const node of game.mainline()) {
      made += node.moves.length;
      const left = this.rules.shown(made - 1);
      if (left !== null && !node.unfinished) node.comment = this.core.withClock(node.comment, left / 1000);
    }
    return String(game);
  }

  snapshot(): Snapshot {
    const { record, board, game, seats, state } = this;
    const names = playersOf(record);
    const player = (side: Side) => {
      const engine = record.opponent === "engine" && side === otherSide(record.side);
      return {
        name: names[side],
        kind: engine ? ("engine" as const) : ("guest" as const),
        level: engine ? record.level : null,
        profile: null,
        online: true,
        house: null,
        seen: null,
      };
    };
    const position = board.position();
    const { number, phase, setup, offers, ending, rematch } = state;
    return {
      type: "snapshot",
      match: record.id,
      number,
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
      seat: seats.length > 1 ? "both" : record.side,
      players: { white: player("white"), black: player("black") },
      time: timeOf(record),
      clock: this.clock(),
      setup,
      start_fen: board.rootFen,
      from_position: record.fen !== null,
      moves: this.rules.moves() as MoveMade[],
      position: phase === "play" && seats.includes(state.turn) ? position : { ...position, legal: [] },
      offers,
      ending,
      rematch,
      series: record.series ? state.series : null,
      chat: [],
      hints: record.hints,
      rated: false,
      tournament: null,
      side: record.side,
      ratings: null,
      watchers: 0,
      may: (this.rules.may(seats) as May[]).filter((command) => command !== "chat"),
    };
  }
}
