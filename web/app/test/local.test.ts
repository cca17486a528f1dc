// Matches on this device and puzzles without a server, with the real core.

import { beforeAll, describe, expect, test, vi } from "vitest";
import { type Game, gameOf, theCore } from "../src/core";
import { setLanguage } from "../src/i18n";
import { judge } from "../src/local/judge";
import { Play } from "../src/local/play";
import { cardOf, type LocalRecord } from "../src/local/record";
import { setupOf } from "../src/local/setup";
import type { Puzzle, Side } from "../src/wire";
import { hasCore } from "./disk-core";

interface Stored {
  puzzles: { fen: string; goal: Puzzle["goal"]; line: string }[];
}

const lessons = import.meta.glob<Stored>("../../../src/acedrex/lessons/puzzles/*.json", { import: "default" });

vi.mock("../src/core/platform", () => import("./disk-core"));

/** When the matches begin. */
const NOW = Date.UTC(2026, 10, 24);

describe.skipIf(!hasCore)("with the core", () => {
  beforeAll(() => setLanguage("en"));

  async function begin(id: string, changes: Partial<LocalRecord> = {}): Promise<Play> {
    const [core, game] = [await theCore(), await gameOf({ game: id, options: changes.options ?? {} })];
    if (!core || !game) throw new Error("the core is not there");
    return new Play(core, game, { ...recordOf(game), ...changes });
  }

  function recordOf({ id, name, files, ranks, startFen, rulesHash }: Game): LocalRecord {
    const card = { name, files, ranks, fen: startFen, turn: "white" as Side, phase: "play" as const, ending: null };
    return {
      id: "local-1",
      changed: 0,
      begun: NOW,
      number: 1,
      game: id,
      options: {},
      opponent: "self",
      level: 9,
      side: "white",
      setup: null,
      arranging: false,
      fen: null,
      hints: true,
      rulesHash,
      events: [],
      archived: false,
      card,
    };
  }

  function play(on: Play, ...moves: string[]): void {
    for (const move of moves) on.follow(on.after({ type: "move", move, number: on.state.number }));
  }

  const codeOf = (act: () => unknown): string => {
    try {
      act();
    } catch (error) {
      return (error as { code: string }).code;
    }
    return "";
  };

  test("two players on one device can play to mate, in coordinates and in SAN", async () => {
    const fool = await begin("chess");
    play(fool, "f2f3", "e5", "g4", "Qh4#");
    const { phase, ending, moves, may, position } = fool.snapshot();
    expect([phase, ending?.reason, ending?.winner, ending?.result]).toEqual(["over", "checkmate", "black", "0-1"]);
    expect(moves.map(({ san, side, turn }) => `${turn} ${side} ${san}`)).toEqual([
      "1 white f3",
      "1 black e5",
      "2 white g4",
      "2 black Qh4#",
    ]);
    expect([may, position.legal]).toEqual([["rematch"], []]);
    expect(codeOf(() => fool.after({ type: "resign" }))).toBe("over");
    expect(fool.pgn()).toContain("1. f3 e5 2. g4 Qh4# 0-1");
    expect(fool.pgn()).toContain('[Event "Acedrex local-1"]');
    expect(fool.pgn()).toContain('[TimeControl "-"]\n[Termination "normal"]');
    expect(cardOf(fool.record)).toMatchObject({ phase: "over", ply: 4, your_turn: false });
  });

  test("the player moves only in turn and only legally", async () => {
    const match = await begin("chess", { opponent: "engine", side: "white" });
    expect(match.snapshot().may).toEqual(["abort", "resign", "move", "hint"]);
    expect(codeOf(() => play(match, "e2e5"))).toBe("illegal");
    expect(codeOf(() => match.after({ type: "move", move: "e2e4", number: 1 }))).toBe("stale");
    play(match, "e4");
    expect([match.engineDue, match.snapshot().position.legal]).toEqual([true, []]);
    expect(codeOf(() => play(match, "e5"))).toBe("not_your_turn");
    match.follow(match.afterEngine(["e7e5"]));
    expect(match.engineDue).toBe(false);
    expect(match.snapshot().may).toEqual(["resign", "move", "hint", "takeback"]);
    expect(codeOf(() => match.after({ type: "abort" }))).toBe("too_late");
    expect(codeOf(() => match.after({ type: "offer", what: "draw" }))).toBe("engine_declines");
    match.follow(match.after({ type: "offer", what: "takeback" }));
    expect(match.snapshot().moves).toEqual([]);
    match.follow(match.after({ type: "resign" }));
    expect(match.snapshot().ending).toMatchObject({ reason: "resignation", winner: "black" });
  });

  test("a turn of several moves is undone move by move but taken back as a whole", async () => {
    const match = await begin("chieftain", { opponent: "engine", side: "white" });
    const first = match.snapshot().position.legal.find(({ ends_turn }) => !ends_turn)?.move ?? "";
    play(match, first);
    expect(match.snapshot().may).toContain("undo");
    match.follow(match.after({ type: "undo", number: match.state.number }));
    expect(match.snapshot().moves).toEqual([]);
    play(match, first);
    const last = match.snapshot().position.legal.find(({ move }) => move === "end")?.move ?? "";
    play(match, last);
    expect([match.engineDue, match.snapshot().moves.length]).toEqual([true, 2]);
    match.follow(match.after({ type: "offer", what: "takeback" }));
    expect(match.snapshot().moves).toEqual([]);
  });

  test("Black chooses the setup, which must exist in the game", async () => {
    const match = await begin("maasai", { opponent: "engine", side: "black", arranging: true });
    expect([match.phase, match.snapshot().may]).toEqual(["setup", ["abort", "resign", "setup"]]);
    expect(codeOf(() => match.after({ type: "setup", name: "XX", number: 1 }))).toBe("no_such_setup");
    const { name, fen } = await setupOf("maasai", 7);
    match.follow(match.after({ type: "setup", name, number: 1 }));
    expect([match.phase, match.snapshot().start_fen, match.engineDue]).toEqual(["play", fen, true]);
    expect(match.pgn()).toContain(`[Arrangement "${name}"]`);
    const white = await begin("maasai", { opponent: "engine", side: "white", arranging: true });
    expect(white.snapshot().may).toEqual(["abort", "resign"]);
  });

  test("draws can be claimed or agreed, and a win over a bare King can be claimed in Magi", async () => {
    const fen = "4k3/8/8/8/8/8/8/R3K3 w - - 100 90";
    const quiet = await begin("chess", { fen });
    expect(quiet.snapshot()).toMatchObject({ from_position: true, may: expect.arrayContaining(["claim", "draw"]) });
    const claimed = quiet.after({ type: "claim", what: "draw" });
    const agreed = quiet.after({ type: "offer", what: "draw" });
    quiet.follow(claimed);
    expect(quiet.snapshot().ending).toMatchObject({ reason: "fifty_moves", winner: null, result: "1/2-1/2" });
    quiet.follow({ ...agreed, number: 3 });
    expect(quiet.snapshot().ending?.reason).toBe("agreement");

    const bare = "10/10/10/4k5/10/6N3/10/10/4K5/10 w - - 7 61";
    const magi = await begin("magi", { options: { scoring: "four_points" }, fen: bare });
    expect(magi.snapshot().position.legal.map(({ move }) => move)).toEqual(["claim", "playon"]);
    play(magi, "claim");
    expect(magi.snapshot().ending).toMatchObject({ reason: "bare_king", winner: "white", score: "3-1" });
    expect(magi.pgn()).toContain('[Score "3-1"]');
  });

  test("a draw reports the move limit of its game", async () => {
    const fen = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 119 90";
    const xiangqi = await begin("xiangqi", { fen });
    expect(xiangqi.snapshot().game.draw_limits).toMatchObject({ fifty_moves: 100, seventyfive_moves: 120 });
    play(xiangqi, "a1a2");
    expect(xiangqi.snapshot().ending).toMatchObject({ reason: "seventyfive_moves", limit: 120 });
  });

  const fischer = { kind: "fischer", initial_ms: 60_000, increment_ms: 2_000 } as const;
  const move = (on: Play, text: string, at: number) =>
    on.follow(on.after({ type: "move", move: text, number: on.state.number }, at));
  const clockOf = (on: Play, now: number) => {
    const { white_ms, black_ms, running, periods } = on.clock(now) ?? {};
    return periods ? [white_ms, black_ms, running, periods] : [white_ms, black_ms, running];
  };

  test("the clocks start after each side's first turn, and a fallen flag loses", async () => {
    const match = await begin("chess", { time: fischer });
    move(match, "e4", NOW + 1000);
    expect([match.untilFlag(NOW + 90_000), match.clock(NOW)?.running]).toEqual([null, null]);
    move(match, "e5", NOW + 90_000);
    expect(clockOf(match, NOW + 90_000)).toEqual([60_000, 60_000, "white"]);
    move(match, "Nf3", NOW + 100_000);
    expect(clockOf(match, NOW + 100_000)).toEqual([52_000, 60_000, "black"]);
    expect(match.untilFlag(NOW + 159_000)).toBe(1000);
    expect(codeOf(() => match.flagged(NOW + 160_000))).toBe("in_time");
    match.follow(match.flagged(NOW + 160_001));
    expect(match.snapshot().ending).toMatchObject({ reason: "time", winner: "white", result: "1-0" });
    expect(match.snapshot()).toMatchObject({ time: fischer, clock: { white_ms: 52_000, black_ms: 0, running: null } });
    const pgn = match.pgn();
    expect(pgn).toContain('[TimeControl "60+2"]\n[Termination "time forfeit"]');
    expect(pgn.split("\n\n")[1]?.replace(/\s+/g, " ")).toContain(
      "1. e4 { [%clk 0:01:00] } 1... e5 { [%clk 0:01:00] } 2. Nf3 { [%clk 0:00:52] } 1-0",
    );
  });

  test("a side that cannot win does not win on time", async () => {
    const fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 90";
    const match = await begin("chess", { fen, time: fischer });
    move(match, "Ra2", NOW);
    // The clocks start after the first turns of this match, however many there were before it.
    expect(match.untilFlag(NOW + 90_000)).toBeNull();
    move(match, "Kd7", NOW + 1);
    match.follow(match.flagged(NOW + 100_000));
    expect(match.snapshot().ending).toMatchObject({ reason: "time", winner: null, result: "1/2-1/2" });
  });

  test("the clock ignores a closed page, goes back with a takeback and stops at the end", async () => {
    const match = await begin("chess", { opponent: "engine", time: fischer });
    move(match, "e4", NOW);
    match.follow(match.afterEngine(["e7e5"], NOW + 1000));
    move(match, "Nf3", NOW + 2000);
    // The page was closed for an hour.
    match.wake(NOW + 3_600_000);
    expect(match.untilFlag(NOW + 3_601_000)).toBe(59_000);
    match.follow(match.afterEngine(["b8c6"], NOW + 3_601_000));
    expect(clockOf(match, NOW + 3_601_000)).toEqual([61_000, 61_000, "white"]);
    match.follow(match.after({ type: "offer", what: "takeback" }, NOW + 3_611_000));
    expect(match.snapshot().moves).toHaveLength(2);
    // As it was when the move was about to be made; nobody gains by repeating it.
    expect(clockOf(match, NOW + 3_611_000)).toEqual([59_000, 60_000, "white"]);
    move(match, "Nf3", NOW + 3_611_000);
    match.follow(match.after({ type: "offer", what: "takeback" }, NOW + 3_619_000));
    expect(clockOf(match, NOW + 3_619_000)).toEqual([59_000, 60_000, "white"]);
    match.follow(match.after({ type: "resign" }, NOW + 3_620_000));
    expect(clockOf(match, NOW + 3_700_000)).toEqual([58_000, 60_000, null]);
  });

  test("a match can be opened while the engine is to move although the device's clock was set back", async () => {
    const match = await begin("chess", { opponent: "engine", side: "black", time: fischer });
    match.follow(match.afterEngine(["e2e4"], NOW));
    move(match, "e5", NOW + 90_000);
    for (const now of [NOW + 90_000, NOW - 3_600_000]) match.wake(now);
    expect(match.record.events).toHaveLength(2);
    match.wake(NOW + 91_000);
    expect(match.untilFlag(NOW + 91_000)).toBe(60_000);
  });

  test("the time to choose a setup begins anew when the page is opened again", async () => {
    const match = await begin("maasai", { arranging: true, time: fischer });
    match.wake(NOW + 3_600_000);
    expect([match.phase, match.untilFlag(NOW + 3_600_000)]).toEqual(["setup", 180_000]);
  });

  test("a setup that Black does not choose in time is drawn", async () => {
    const match = await begin("maasai", { arranging: true, time: fischer });
    expect([match.phase, match.untilFlag(NOW)]).toEqual(["setup", 180_000]);
    match.follow(match.flagged(NOW + 180_001));
    expect([match.phase, match.snapshot().setup]).toEqual(["play", expect.any(String)]);
  });

  describe("a match that an older version stored", () => {
    const byoyomi = { kind: "byoyomi", initial_ms: 10_000, period_ms: 5_000, periods: 3 } as const;
    const without = { changed: NOW + 50_000, events: undefined, end: null, rematch: null };
    const older = (changes: object) => begin("chess", { ...without, ...changes } as object);

    test("goes on with its moves, its clocks and what a takeback gives back", async () => {
      const moves = ["e2e4", "e7e5", "g1f3"];
      const [full, spent] = [25_000, 15_000];
      const restored = [full, full, spent].map((white) => ({ white, black: full }));
      const clock = { left: { white: spent, black: full }, running: "black", since: NOW + 20_000 };
      const match = await older({ time: byoyomi, moves, clock, restored });
      expect(clockOf(match, NOW + 21_000)).toEqual([5_000, 9_000, "black", { white: 2, black: 3 }]);
      expect(match.pgn().replace(/\s+/g, " ")).toContain("2. Nf3 { [%clk 0:00:05] } *");
      match.follow(match.after({ type: "offer", what: "takeback" }, NOW + 22_000));
      expect(clockOf(match, NOW + 22_000)).toEqual([5_000, 10_000, "white", { white: 2, black: 3 }]);
      // Before takebacks gave time back, nothing was noted of the moves.
      const before = await older({ time: byoyomi, moves, clock });
      expect(clockOf(before, NOW + 21_000)).toEqual([5_000, 9_000, "black", { white: 2, black: 3 }]);
    });

    test.each([
      [{ what: "resigned", by: "white" }, "resignation", "black"],
      [{ what: "flagged", by: "black" }, "time", "white"],
      [{ what: "agreed" }, "agreement", null],
      [{ what: "aborted" }, "aborted", null],
    ])("has ended as it did, and has its rematch: %o", async (end, reason, winner) => {
      const match = await older({ moves: ["e2e4"], end, rematch: "local-2" });
      expect(match.snapshot()).toMatchObject({ phase: "over", ending: { reason, winner }, rematch: "local-2" });
      expect(cardOf(match.record).ply).toBe(1);
    });

    test("has a draw that was claimed", async () => {
      const match = await older({ fen: "4k3/8/8/8/8/8/8/R3K3 w - - 99 90", moves: ["a1a2"], end: { what: "claimed" } });
      expect(match.snapshot().ending).toMatchObject({ reason: "fifty_moves" });
    });

    test("is listed before it is opened", async () => {
      const { record } = await begin("chess");
      const stored = { ...record, moves: ["e2e4", "e7e5"], card: { ...record.card, ply: undefined } };
      expect(cardOf(stored).ply).toBe(2);
    });
  });

  test("moves and takebacks from another tab are followed", async () => {
    const [one, other] = [await begin("chess"), await begin("chess")];
    play(other, "e4", "e5");
    one.follow(other.record);
    expect(one.snapshot().moves).toHaveLength(2);
    other.follow(other.after({ type: "offer", what: "takeback" }));
    play(other, "d5");
    one.follow(other.record);
    expect(one.snapshot().moves.map(({ san }) => san)).toEqual(["e4", "d5"]);
  });

  test.each(["magi", "chieftain", "maasai"])("puzzles of %s are judged as on the server", async (game) => {
    const stored = await lessons[`../../../src/acedrex/lessons/puzzles/${game}.json`]?.();
    const goals = new Map(stored?.puzzles.map((puzzle) => [puzzle.goal, puzzle]));
    expect(goals.size).toBeGreaterThan(1);
    for (const { fen, goal, line } of goals.values()) {
      const withReplies = ["mate", "win", "defence"].includes(goal);
      const puzzle = { fen, goal, line: line.split(" "), moves: 1, takes: 1, teaches: "", side: "white" } as Puzzle;
      const start = await judge(game, puzzle, [], false);
      expect(start).toMatchObject({ verdict: "right", moves: [] });
      const wrong = start.position.legal.find(({ move }) => !puzzle.line.includes(move))?.move ?? "";
      expect(await judge(game, puzzle, [wrong], false)).toMatchObject({ verdict: "wrong", moves: [] });
      let done: string[] = [];
      while (done.length < puzzle.line.length) {
        const answer = await judge(game, puzzle, [...done, puzzle.line[done.length] ?? ""], false);
        expect(answer.moves).toHaveLength(Math.min(puzzle.line.length, done.length + (withReplies ? 2 : 1)));
        done = answer.moves;
        expect(answer.verdict).toBe(done.length < puzzle.line.length ? "right" : "solved");
      }
      expect(await judge(game, puzzle, [], true)).toMatchObject({ verdict: "shown", moves: puzzle.line });
    }
  });
});
