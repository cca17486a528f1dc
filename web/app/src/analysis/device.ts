// The engine in this browser as an analyst.

import type { Core, Engine, Game, Info } from "../core";
import type { Evaluation, Problem } from "../wire";
import type { Analyst, Found, Hearer, Place } from "./analyst";

/** How long a position is analysed, in seconds: as long as by the server. */
const LONGEST = 30;
const HASH_MB = 32;

/**
 * Analyses with the engine in this browser.
 *
 * Ending a search ends its worker, and the next worker needs a moment until it has the game: so there are two engines.
 * One searches, and the other is ready for the next position.
 */
export class Device implements Analyst {
  private readonly engines: Engine[];
  /** The engine that searches. */
  private busy: Engine | null = null;
  /** Counts searches, so that what an earlier one still says is not heard. */
  private search = 0;

  constructor(
    private readonly core: Core,
    private readonly game: Game,
    private readonly hearer: Hearer,
  ) {
    this.engines = [1, 2].map(() => this.prepared(new core.Engine({ hashMb: HASH_MB })));
  }

  look({ fen, moves }: Place, lines: number): void {
    this.stop();
    const engine = this.engines.shift();
    if (!engine) return;
    this.engines.push(engine);
    this.busy = engine;
    void this.follow(this.search, engine, { fen, moves }, lines);
  }

  stop(): void {
    this.search += 1;
    const { busy } = this;
    this.busy = null;
    busy?.stop();
    if (busy) this.prepared(busy);
  }

  close(): void {
    this.search += 1;
    for (const engine of this.engines) engine.close();
  }

  private async follow(search: number, engine: Engine, { fen, moves }: Place, multipv: number): Promise<void> {
    let found: Found = { depth: 0, nodes: 0, nps: 0, lines: [], done: false };
    const latest: Info[] = [];
    try {
      const board = new this.core.Board(this.game, { fen });
      for (const move of moves) board.push(move);
      for await (const infos of engine.stream(board, { time: LONGEST }, { multipv })) {
        if (search !== this.search) return;
        // A bound is no score yet.
        for (const info of infos) if (info.bound === null) latest[info.multipv - 1] = info;
        found = foundOf(latest) ?? found;
        this.hearer.found(found);
      }
      if (search === this.search) this.hearer.found({ ...found, done: true });
    } catch (error) {
      if (search === this.search) this.hearer.refused(failure(error));
    }
  }

  /** Has an engine load the game and its network, by the shortest of searches. */
  private prepared(engine: Engine): Engine {
    engine.analyse(new this.core.Board(this.game), { nodes: 1 }).catch(() => undefined);
    return engine;
  }
}

function failure(error: unknown): Problem {
  return { code: "engine_failed", message: error instanceof Error ? error.message : "", where: null };
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
  const [wins, draws] = turn === "white" ? wdl : [...wdl].reverse();
  const whiteMates = seen(mate);
  const chance = whiteMates === null ? ((wins ?? 0) + (draws ?? 0) / 2) / 1000 : Number(whiteMates > 0);
  return { cp: seen(cp), mate: whiteMates, chance };
}
