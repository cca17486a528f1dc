// The engine in this browser as an analyst.

import { ANALYSIS_THINKING, REVIEW_LINE, REVIEW_NODES, REVIEW_THINKING } from "../../../core/src/limits.ts";
import type { Core, Engine, Game, Info } from "../core";
import type { Evaluation, Finding } from "../wire";
import type { Analyst, Found, Hearer, Place } from "./analyst";

/** A larger table takes longer to prepare. */
const HASH_MB = 16;

type Network = Uint8Array | "none";

/**
 * Analyses with the engine in this browser.
 *
 * Ending a search ends its worker, and the next worker needs a moment until it has the game: so there are two engines.
 * One searches, and the other is ready for the next position.
 */
export class Device implements Analyst {
  private readonly engines: Engine[];
  /** The engines that can search at once. */
  private readonly ready: Engine[] = [];
  private searching: Engine | null = null;
  /** What the next engine that is ready will search. */
  private wanted: { place: Place; lines: number } | null = null;

  constructor(
    private readonly core: Core,
    private readonly game: Game,
    network: Network,
    private readonly hearer: Hearer,
  ) {
    this.engines = [1, 2].map(() => new core.Engine({ hashMb: HASH_MB, network }));
    for (const engine of this.engines) void this.prepare(engine);
  }

  look(place: Place, lines: number): void {
    this.stop();
    this.wanted = { place, lines };
    this.begin();
  }

  stop(): void {
    this.wanted = null;
    const engine = this.searching;
    this.searching = null;
    if (!engine) return;
    engine.stop();
    void this.prepare(engine);
  }

  close(): void {
    this.wanted = this.searching = null;
    for (const engine of this.engines) engine.close();
  }

  /** Has an engine load the game and its network, by the shortest of searches. */
  private async prepare(engine: Engine): Promise<void> {
    try {
      await engine.analyse(new this.core.Board(this.game), { nodes: 1 });
      this.ready.push(engine);
      this.begin();
    } catch (error) {
      this.fail(error);
    }
  }

  private begin(): void {
    if (!this.wanted || this.searching) return;
    const engine = this.ready.pop();
    if (!engine) return;
    const { place, lines } = this.wanted;
    this.wanted = null;
    this.searching = engine;
    void this.search(engine, place, lines);
  }

  private async search(engine: Engine, { fen, moves }: Place, multipv: number): Promise<void> {
    let found: Found = { depth: 0, nodes: 0, nps: 0, lines: [], done: false };
    const latest: Info[] = [];
    try {
      const board = new this.core.Board(this.game, { fen });
      for (const move of moves) board.push(move);
      for await (const infos of engine.stream(board, { time: ANALYSIS_THINKING / 1000 }, { multipv })) {
        if (this.searching !== engine) return;
        // A bound is no score yet.
        for (const info of infos) if (info.bound === null) latest[info.multipv - 1] = info;
        found = foundOf(latest) ?? found;
        this.hearer.found(found);
      }
      if (this.searching !== engine) return;
      this.searching = null;
      this.ready.push(engine);
      this.hearer.found({ ...found, done: true });
    } catch (error) {
      if (this.searching === engine) this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.hearer.refused({ code: "engine_failed", message: error instanceof Error ? error.message : "", where: null });
  }
}

/** The limit for each position of a review. */
const REVIEW = { time: REVIEW_THINKING / 1000, nodes: REVIEW_NODES };

/** Reviews a game: evaluates its positions after `from` moves and more, one after another. */
export async function* reviewed(
  core: Core,
  game: Game,
  network: Network,
  { fen, moves }: Place,
  from: number,
): AsyncGenerator<Finding, void> {
  const board = new core.Board(game, { fen });
  const engine = new core.Engine({ hashMb: HASH_MB, network });
  try {
    for (let ply = 0; ply <= moves.length; ply++) {
      if (ply > 0) board.push(moves[ply - 1] as string);
      if (ply < from) continue;
      const outcome = board.outcome();
      const [line] = outcome ? [] : await engine.analyse(board, REVIEW);
      if (line) {
        const { depth, pv, pvSan: san } = line;
        yield { ply, score: evaluationOf(line), depth, best: pv.slice(0, REVIEW_LINE), san };
      } else {
        const chance = outcome?.winner ? Number(outcome.winner === "white") : 0.5;
        yield { ply, score: { cp: null, mate: 0, chance }, depth: 0, best: [], san: "" };
      }
    }
  } finally {
    engine.close();
  }
}

function foundOf(infos: readonly Info[]): Found | null {
  const first = infos[0];
  if (!first) return null;
  const lines = infos.map((info) => ({ score: evaluationOf(info), moves: info.pv, san: info.pvSan }));
  return { depth: first.depth, nodes: first.nodes, nps: first.nps, lines, done: false };
}

/** A score from White's point of view. */
function evaluationOf({ score, turn }: Info): Evaluation {
  const { cp, mate, wdl } = score;
  const seen = (number: number | null) => (number === null || turn === "white" ? number : 0 - number);
  const [wins, draws] = turn === "white" ? wdl : [wdl[2], wdl[1]];
  const whiteMates = seen(mate);
  const chance = whiteMates === null ? (wins + draws / 2) / 1000 : Number(whiteMates > 0);
  return { cp: seen(cp), mate: whiteMates, chance };
}
