import { signal } from "@preact/signals";

/** The state of a connection; `lost` means that it will be tried again. */
export type Standing = "connecting" | "open" | "lost" | "closed";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
const PING_MS = 15_000;
const SILENCE_MS = 40_000;

/** Close codes after which it is useless to reconnect: refused, unknown, forbidden, not found. */
const FINAL = new Set([1008, 4400, 4401, 4403, 4404]);

/** The messages of a socket: `From` the server and `To` it. */
export interface Wire<From, To> {
  /** The first message on every new connection. */
  hello(): To;
  /** The message that keeps a quiet connection alive; `null` if the server needs none. */
  ping: (() => To) | null;
  receive(message: From): void;
}

/** A WebSocket that reconnects by itself, after a longer pause each time. */
export class Socket<From, To> {
  readonly standing = signal<Standing>("connecting");
  private socket: WebSocket | null = null;
  private pause = FIRST_PAUSE_MS;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setInterval> | undefined;
  private heardAt = 0;
  /** Whether nothing has been heard since the last ping. */
  private pinged = false;
  private ended = false;

  constructor(
    private readonly url: string,
    private readonly wire: Wire<From, To>,
  ) {
    addEventListener("online", this.retryNow);
    addEventListener("offline", this.drop);
    document.addEventListener("visibilitychange", this.becomeVisible);
    this.connect();
  }

  /** Sends a message if there is a connection; returns whether there was. */
  send(message: To): boolean {
    if (this.standing.value !== "open" || this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Reconnects at once instead of after the pause. */
  readonly retryNow = (): void => {
    if (this.standing.value !== "lost") return;
    clearTimeout(this.retry);
    this.connect();
  };

  /** Replaces this connection by a new one, as when the page has missed a message. */
  reconnect(): void {
    if (this.ended) return;
    this.part();
    clearTimeout(this.retry);
    this.connect();
  }

  close(): void {
    this.ended = true;
    this.standing.value = "closed";
    clearTimeout(this.retry);
    removeEventListener("online", this.retryNow);
    removeEventListener("offline", this.drop);
    document.removeEventListener("visibilitychange", this.becomeVisible);
    this.part();
  }

  private connect(): void {
    this.standing.value = "connecting";
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.heardAt = Date.now();
    this.pinged = false;
    socket.onopen = () => {
      this.standing.value = "open";
      socket.send(JSON.stringify(this.wire.hello()));
    };
    socket.onmessage = (event: MessageEvent) => {
      this.heardAt = Date.now();
      this.pinged = false;
      this.pause = FIRST_PAUSE_MS;
      if (typeof event.data !== "string") return;
      this.wire.receive(JSON.parse(event.data) as From);
    };
    socket.onclose = (event: CloseEvent) => {
      if (FINAL.has(event.code)) {
        this.part();
        this.standing.value = "closed";
      } else this.lose();
    };
    this.pulse = setInterval(() => this.beat(), PING_MS);
  }

  private beat(): void {
    // In hidden pages browsers let timers run once a minute: silence means something only after a ping.
    const expected = this.pinged || !document.hidden;
    if (expected && Date.now() - this.heardAt > SILENCE_MS) this.lose();
    else this.ping();
  }

  private ping(): void {
    if (this.wire.ping) this.send(this.wire.ping());
    this.pinged = true;
  }

  private readonly drop = (): void => {
    if (this.standing.value === "open" || this.standing.value === "connecting") this.lose();
  };

  /** The connection of a page that was suspended may be dead. */
  private readonly becomeVisible = (): void => {
    if (document.visibilityState !== "visible") return;
    if (this.standing.value === "lost") this.retryNow();
    else this.ping();
  };

  private lose(): void {
    this.part();
    if (this.standing.value === "closed") return;
    this.standing.value = "lost";
    // The pause is partly random, so that not all clients reconnect to a restarted server at once.
    this.retry = setTimeout(() => this.connect(), this.pause * (0.75 + Math.random() / 2));
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS);
  }

  private part(): void {
    clearInterval(this.pulse);
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }
}
