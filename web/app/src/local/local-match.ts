// A match on this device: the core decides here, the engine thinks in a worker, and every change is stored at once.

import { signal } from "@preact/signals";
import { HINT_THINKING } from "../../../core/src/limits.ts";
import type { Standing } from "../client";
import type { Engine } from "../core";
import { type Command, Match } from "../match/match";
import { Refusal, refusal } from "../refusal";
import { archivings } from "./archive";
import { networkOf } from "./load";
import { openPlay, type Play } from "./play";
import { type LocalRecord, matches, store } from "./record";
import { beginRematch } from "./start";

export class LocalMatch extends Match {
  readonly standing = signal<Standing>("open");
  private play: Play | null = null;
  private engine: Promise<Engine> | null = null;
  private thinking = false;
  private rematching = false;
  private closed = false;
  private readonly ends: (() => void)[];

  constructor(id: string) {
    super(id);
    this.presence.value = { white: true, black: true, watchers: 0, left_claim_at: null };
    const reread = () => void this.reread();
    this.ends = [matches.onChange(id, reread), archivings.subscribe(reread)];
    this.open().catch((error: unknown) => {
      this.gone.value = refused("broken_record", error);
    });
  }

  private async open(): Promise<void> {
    const play = await openPlay(this.id);
    if (this.closed) return;
    this.play = play;
    play.wake();
    if (play.record.opponent === "engine" && play.phase !== "over") this.warmUp(play);
    this.show();
  }

  /** Loads the engine, its game and its network, for which its first turn would have to wait. */
  private warmUp(play: Play): void {
    const board = play.position();
    this.theEngine(play)
      .then((engine) => engine.analyse(board, { nodes: 1 }))
      // What is wrong is told when the engine has to move.
      .catch(() => undefined);
  }

  private theEngine(play: Play): Promise<Engine> {
    this.engine ??= this.newEngine(play);
    return this.engine;
  }

  private async newEngine({ core, record }: Play): Promise<Engine> {
    const network = await networkOf(core, record.game);
    if (network === null) this.refused.value = refusal("no_network_file");
    const engine = new core.Engine({ level: record.level, network: network ?? "none" });
    if (this.closed) engine.close();
    return engine;
  }

  private show(): void {
    if (!this.play) return;
    if (this.play.state.number !== this.state.value?.number) {
      this.hint.value = null;
      // What is wrong with this device stays so.
      if (!/^no_/.test(this.refused.value?.code ?? "")) this.refused.value = null;
    }
    this.state.value = this.play.snapshot();
    this.watchFlag();
    void this.think();
  }

  private flag: ReturnType<typeof setTimeout> | undefined;

  /** Ends the match once the flag of the side to move falls; returns whether it has fallen. */
  private watchFlag(): boolean {
    clearTimeout(this.flag);
    const left = this.play?.untilFlag() ?? null;
    if (!this.play || left === null) return false;
    if (left < 0) this.commit(this.play.flagged());
    else this.flag = setTimeout(() => this.watchFlag(), left + 1);
    return left < 0;
  }

  /** Lets the engine play for as long as it is its turn. */
  private async think(): Promise<void> {
    const { play } = this;
    if (!play?.engineDue || this.thinking || this.closed) return;
    this.thinking = true;
    const { number } = play.record;
    const changed = () => this.closed || play.record.number !== number;
    try {
      const engine = await this.theEngine(play);
      const turn = changed() ? null : await engine.play(play.position(), { time: play.thinkingTime() });
      if (turn && !changed() && !this.watchFlag()) this.commit(play.afterEngine(turn.moves));
    } catch (error) {
      // A takeback stops the search.
      if (!changed()) this.refused.value = refused("engine_failed", error);
    }
    this.thinking = false;
    if (changed()) void this.think();
  }

  move(move: string): void {
    this.command({ type: "move", move, number: this.state.value?.number ?? 0 });
  }

  command(command: Command): boolean {
    this.refused.value = null;
    if (!this.play || this.watchFlag()) return false;
    if (command.type === "hint") void this.giveHint(this.play);
    else if (command.type === "offer" && command.what === "rematch") void this.begin(this.play);
    else {
      try {
        this.commit(this.play.after(command));
      } catch (error) {
        this.refused.value = refused("broken_record", error);
      }
    }
    return true;
  }

  /** Shows a change at once and stores it; where another tab was faster, its change is shown instead. */
  private commit(next: LocalRecord): void {
    const { play } = this;
    if (!play) return;
    this.interrupt();
    play.follow({ ...next, number: play.record.number + 1, changed: Date.now() });
    this.show();
    store(play.record).then(
      (stored) => (stored ? undefined : this.reread(true)),
      (error: unknown) => {
        this.refused.value = refused("no_storage", error);
      },
    );
  }

  /** Takes over what another tab has stored. */
  private async reread(anyway = false): Promise<void> {
    const record = await matches.read<LocalRecord>(this.id).catch(() => null);
    if (!record || !this.play || (!anyway && record.number <= this.play.record.number)) return;
    this.interrupt();
    this.play.follow(record);
    this.show();
  }

  /** Stops a search whose position is about to change. */
  private interrupt(): void {
    if (this.thinking || this.waitsForHint.value) void this.engine?.then((engine) => engine.stop());
  }

  private async giveHint(play: Play): Promise<void> {
    const { number } = play.record;
    try {
      const board = play.position();
      const [best] = await (await this.theEngine(play)).analyse(board, { time: HINT_THINKING / 1000 });
      const turn: { move: string; san: string }[] = [];
      const side = board.turn;
      for (const move of best?.pv ?? []) {
        if (board.turn !== side) break;
        turn.push({ move, san: board.san(move) });
        board.push(move);
      }
      if (play.record.number === number)
        this.hint.value = { moves: turn.map(({ move }) => move), san: turn.map(({ san }) => san) };
    } catch (error) {
      if (play.record.number === number) this.refused.value = refused("engine_failed", error);
    }
    this.waitsForHint.value = false;
  }

  private async begin(play: Play): Promise<void> {
    if (this.rematching) return;
    this.rematching = this.agreed = true;
    try {
      const rematch = await beginRematch(play.record, play.state.series);
      // Another tab may change the match meanwhile; if it has begun a rematch too, that one is played here as well.
      while (play.state.rematch === null) {
        const next = { ...play.afterRematch(rematch), number: play.record.number + 1, changed: Date.now() };
        if (await store(next)) {
          play.follow(next);
          return this.show();
        }
        await this.reread(true);
      }
      await matches.remove(rematch);
    } catch (error) {
      this.rematching = this.agreed = false;
      this.refused.value = refused("no_storage", error);
    }
  }

  reconnect(): void {}

  retryNow(): void {}

  close(): void {
    this.closed = true;
    clearTimeout(this.flag);
    for (const end of this.ends) end();
    void this.engine?.then((engine) => engine.close());
  }
}

function refused(code: string, error: unknown): Refusal {
  return error instanceof Refusal ? error : refusal({ code, message: String(error), where: null });
}
