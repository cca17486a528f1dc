import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { api, identity, type Refusal, Socket, type Standing, socketAt } from "../client";
import { isReady, withCore } from "../core";
import { refusal } from "../refusal";
import type { FromServer, May, Offer, Position, Presence, Side, Snapshot, ToServer, Update } from "../wire";

/** A command without its id, which is added when it is sent. */
export type Command = ToServer extends infer Message
  ? Message extends { id: string }
    ? Omit<Message, "id">
    : never
  : never;

interface Unanswered {
  message: Extract<ToServer, { id: string }>;
  /** The number of the last event when it was sent. */
  number: number;
}

/** A match that is shown and played: what is known of it, and what its player can do. */
export abstract class Match {
  readonly state = signal<Snapshot | null>(null);
  readonly presence = signal<Omit<Presence, "type">>({ white: false, black: false, watchers: 0, left_claim_at: null });
  readonly refused = signal<Refusal | null>(null);
  /** The hint that was requested, until the position changes. */
  readonly hint = signal<{ moves: string[]; san: string[] } | null>(null);
  readonly waitsForHint = signal(false);
  /** The offer that was declined last, until something else happens. */
  readonly declined = signal<Offer | null>(null);
  /** The move that was sent and that the server has not answered yet. */
  readonly sent = signal<string | null>(null);
  /** The position after that move, and the number of the last event before it: what is shown until the next event. */
  protected readonly ahead = signal<{ position: Position; number: number } | null>(null);
  /** The position to show: after the player's own move if this browser knows it, before the server has confirmed it. */
  readonly position = computed<Position | null>(() => {
    const [state, ahead] = [this.state.value, this.ahead.value];
    return ahead && ahead.number === state?.number ? ahead.position : (state?.position ?? null);
  });
  /** Why the match cannot be shown at all. */
  readonly gone = signal<Refusal | null>(null);
  readonly unread = signal(0);
  /** How far the server's clock is ahead of this browser's, in milliseconds. */
  readonly aheadMs = signal(0);
  /** The connection to whoever decides. */
  abstract readonly standing: ReadonlySignal<Standing>;

  readonly seat = computed(() => this.state.value?.seat ?? null);
  /** The side whose moves this player may make now. */
  readonly acting = computed<Side | null>(() => {
    const state = this.state.value;
    if (state?.phase !== "play") return null;
    return state.seat === "both" || state.seat === state.position.turn ? state.position.turn : null;
  });

  /** Whether the rematch was agreed while this page was open. */
  agreed = false;

  constructor(readonly id: string) {}

  may(what: May): boolean {
    return this.state.value?.may.includes(what) ?? false;
  }

  offer(what: Offer["what"]): Offer | undefined {
    return this.state.value?.offers.find((offer) => offer.what === what);
  }

  abstract move(move: string): void;

  undo(): void {
    if (this.state.value) this.command({ type: "undo", number: this.state.value.number });
  }

  setup(name: string): void {
    if (this.state.value) this.command({ type: "setup", name, number: this.state.value.number }, true);
  }

  askHint(): void {
    this.waitsForHint.value = this.command({ type: "hint" });
  }

  /** Sends a command, with `resend` again after a lost connection; returns whether there was a connection. */
  abstract command(command: Command, resend?: boolean): boolean;

  /** Reconnects with the current identity, after a seat was taken or an identity imported. */
  abstract reconnect(): void;

  abstract retryNow(): void;

  abstract close(): void;
}

/** A match on the server, kept up to date over its socket. The server makes all decisions. */
export class ServerMatch extends Match {
  readonly standing: ReadonlySignal<Standing>;
  private readonly socket: Socket<FromServer, ToServer>;
  private unanswered: Unanswered | null = null;
  private shortestLagMs = Number.POSITIVE_INFINITY;
  private readonly ids = `${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36)}-`;
  private commands = 0;

  constructor(id: string) {
    super(id);
    this.socket = new Socket<FromServer, ToServer>(socketAt(`/api/matches/${encodeURIComponent(id)}/socket`), {
      hello: () => this.hello(),
      ping: () => ({ type: "ping", at: Date.now() }),
      receive: (message) => this.receive(message),
    });
    this.standing = this.socket.standing;
    // HTTP answers before the socket is open, and says why a match cannot be shown.
    api.match(id).then(
      (snapshot) => this.state.value ?? this.apply(snapshot),
      (error: Refusal) => {
        if (error.code !== "offline" && !this.state.value) {
          this.gone.value = error;
          this.socket.close();
        }
      },
    );
  }

  move(move: string): void {
    const state = this.state.value;
    if (!state || this.unanswered) return;
    this.sent.value = move;
    this.command({ type: "move", move, number: state.number }, true);
    void this.lookAhead(state, move);
  }

  private async lookAhead(state: Snapshot, move: string): Promise<void> {
    if (!isReady()) return;
    const moves = [...state.moves.map((made) => made.move), move];
    const after = await withCore(state.game, ({ answers }, game) =>
      answers.position(game, { fen: state.start_fen, moves }),
    ).catch(() => undefined);
    if (!after || this.sent.value !== move || this.state.value?.number !== state.number) return;
    // Nothing can be played before the server has answered.
    this.ahead.value = { position: { ...after, legal: [] }, number: state.number };
  }

  command(command: Command, resend = false): boolean {
    const message = { ...command, id: this.ids + this.commands++ } as Unanswered["message"];
    this.refused.value = null;
    if (command.type === "hint") this.hintId = message.id;
    if (resend) this.unanswered = { message, number: this.state.value?.number ?? 0 };
    const sent = this.socket.send(message);
    if (!sent && !resend) this.refused.value = refusal("offline");
    return sent;
  }

  reconnect(): void {
    this.socket.reconnect();
  }

  retryNow(): void {
    this.socket.retryNow();
  }

  close(): void {
    this.socket.close();
  }

  private hello(): ToServer {
    const state = this.state.value;
    // The server forgets a hint whose asker has gone.
    this.waitsForHint.value = false;
    return {
      type: "hello",
      token: identity.value?.token ?? null,
      after: state && this.heardSnapshot ? state.number : null,
    };
  }

  private heardSnapshot = false;

  private receive(message: FromServer): void {
    switch (message.type) {
      case "snapshot":
        this.heardSnapshot = true;
        this.apply(message);
        // A command that was sent before the connection was lost and left no event did not arrive.
        if (this.unanswered) this.socket.send(this.unanswered.message);
        break;
      case "update":
        this.update(message);
        break;
      case "rated":
        if (this.state.value) this.state.value = { ...this.state.value, ratings: message.ratings };
        break;
      case "chat": {
        const state = this.state.value;
        if (!state || state.chat.some((line) => line.id === message.line.id)) break;
        // What was hidden during the game comes after it, with older ids.
        const chat = [...state.chat, message.line].sort((one, other) => one.id - other.id);
        this.state.value = { ...state, chat };
        if (message.line.by !== state.seat) this.unread.value++;
        break;
      }
      case "presence":
        this.presence.value = message;
        break;
      case "hint":
        // One for an earlier position comes too late.
        if (this.endsWait(message.id)) this.hint.value = message;
        break;
      case "ack":
        this.answered(message.id);
        break;
      case "refused":
        this.endsWait(message.id);
        if (message.id !== null && this.answered(message.id)) this.ahead.value = null;
        else if (message.id !== null && this.settled.has(message.id)) break;
        this.refused.value = refusal(message.error);
        break;
      case "pong": {
        const lag = Math.max(0, Date.now() - message.at);
        const aheadMs = message.now - message.at - lag / 2;
        // If no travel time explains the difference, one of the clocks has been set.
        if (lag <= this.shortestLagMs || Math.abs(aheadMs - this.aheadMs.value) > (lag + this.shortestLagMs) / 2) {
          this.shortestLagMs = lag;
          this.aheadMs.value = aheadMs;
        }
        break;
      }
      default:
        // The compiler checks that every message is handled above; those of a newer server are ignored.
        message satisfies never;
    }
  }

  private apply(snapshot: Snapshot): void {
    const before = this.state.value;
    if (before && before.number > snapshot.number) return;
    if (before?.number !== snapshot.number) {
      this.declined.value = null;
      this.forget();
      this.moveOn(snapshot.number);
    }
    if (snapshot.clock && this.shortestLagMs === Number.POSITIVE_INFINITY && snapshot.clock.running) {
      this.aheadMs.value = Math.max(this.aheadMs.value, snapshot.clock.at - Date.now());
    }
    const { white, black } = snapshot.players;
    this.presence.value = {
      white: white.online,
      black: black.online,
      watchers: snapshot.watchers,
      left_claim_at: null,
    };
    this.state.value = snapshot;
  }

  private update(update: Update): void {
    const state = this.state.value;
    if (!state || update.number <= state.number) return;
    // `ply` counts the moves after the update, so that a takeback cuts the list.
    const before = state.moves.slice(0, update.ply - (update.made ? 1 : 0));
    const moves = update.made ? [...before, update.made] : before;
    if (update.number > state.number + 1 || moves.length !== update.ply) {
      // An update was missed: ask for a snapshot.
      this.heardSnapshot = false;
      this.socket.reconnect();
      return;
    }
    this.declined.value = declinedOffer(state, update);
    this.state.value = {
      ...state,
      number: update.number,
      phase: update.phase,
      position: update.position ?? state.position,
      clock: update.clock ?? state.clock,
      moves,
      offers: update.offers,
      ending: update.ending,
      rematch: update.rematch,
      series: update.series,
      may: update.may,
    };
    if (update.rematch && !state.rematch) this.agreed = true;
    if (update.position) this.forget();
    this.moveOn(update.number);
  }

  /** The id of the last request for a hint, until the position changes. */
  private hintId: string | null = null;

  /** Drops what was about a position that is gone. */
  private forget(): void {
    this.hintId = this.hint.value = this.refused.value = null;
    this.waitsForHint.value = false;
  }

  /** Stops waiting for a hint if this was the answer; returns whether it was. */
  private endsWait(id: string | null): boolean {
    const is = id !== null && id === this.hintId;
    if (is) this.waitsForHint.value = false;
    return is;
  }

  /** The commands that were answered, so that a late refusal of one that was sent again is not shown. */
  private readonly settled = new Set<string>();

  private answered(id: string): boolean {
    if (this.unanswered?.message.id !== id) return false;
    this.settled.add(id);
    this.unanswered = null;
    this.sent.value = null;
    return true;
  }

  /** A command that was sent before the latest event has either led to an event or come too late. */
  private moveOn(number: number): void {
    if (this.unanswered && this.unanswered.number < number) this.answered(this.unanswered.message.id);
  }
}

/** The earlier positions of a match, each worked out once. */
export class Past {
  private readonly cache = new Map<string, Position>();

  async at(state: Snapshot, moves: number, signal: AbortSignal): Promise<Position> {
    const made = state.moves.slice(0, moves).map(({ move }) => move);
    const key = made.join(" ");
    const cached = this.cache.get(key);
    if (cached) return cached;
    const { game, options, rules_hash } = state.game;
    const asked = { game, options, rules_hash, match: state.match, fen: state.start_fen, moves: made };
    const position = await api.position(asked, signal);
    this.cache.set(key, position);
    return position;
  }
}

/** Returns the offer that an update has taken away without accepting it; a move takes offers away without a word. */
function declinedOffer(before: Snapshot, update: Update): Offer | null {
  if ((update.ending === null) !== (before.ending === null) || update.rematch !== before.rematch) return null;
  if (update.ply !== before.moves.length) return null;
  return before.offers.find((offer) => update.offers.every((other) => other.what !== offer.what)) ?? null;
}
