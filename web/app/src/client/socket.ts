import { signal } from "@preact/signals";

/** How a connection stands: `lost` means that another attempt is coming. */
export type Standing = "connecting" | "open" | "lost" | "closed";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
const PING_MS = 15_000;
const SILENCE_MS = 40_000;

/** Codes by which the server says that trying again is of no use: refused, unknown, forbidden, not there. */
const FINAL = new Set([1008, 4400, 4401, 4403, 4404]);

/** What goes over a socket: messages `From` and `To` the server. */
export interface Wire<From, To> {
  /** What is said first on every new connection. */
  hello(): To;
  /** What keeps a quiet connection alive, or null where the server asks for nothing. */
  ping: (() => To) | null;
  heard(message: From): void;
}

/** A WebSocket that comes back by itself after every loss, waiting a little longer each time. */
export class Socket<From, To> {
  readonly standing = signal<Standing>("connecting");
  private socket: WebSocket | null = null;
  private pause = FIRST_PAUSE_MS;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setInterval> | undefined;
  private heardAt = 0;

  constructor(
    private readonly url: string,
    private readonly wire: Wire<From, To>,
  ) {
    addEventListener("online", this.hurry);
    addEventListener("offline", this.drop);
    document.addEventListener("visibilitychange", this.look);
    this.connect();
  }

  /** Sends a message if there is a connection; tells whether there was. */
  send(message: To): boolean {
    if (this.standing.value !== "open" || this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Tries at once instead of when the pause is over. */
  readonly hurry = (): void => {
    if (this.standing.value !== "lost") return;
    clearTimeout(this.retry);
    this.connect();
  };

  /** Leaves this connection for a new one, as when the server and the page no longer agree. */
  again(): void {
    this.part();
    clearTimeout(this.retry);
    this.connect();
  }

  close(): void {
    this.standing.value = "closed";
    clearTimeout(this.retry);
    removeEventListener("online", this.hurry);
    removeEventListener("offline", this.drop);
    document.removeEventListener("visibilitychange", this.look);
    this.part();
  }

  private connect(): void {
    this.standing.value = "connecting";
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.heardAt = Date.now();
    socket.onopen = () => {
      this.standing.value = "open";
      socket.send(JSON.stringify(this.wire.hello()));
    };
    socket.onmessage = (event: MessageEvent) => {
      this.heardAt = Date.now();
      this.pause = FIRST_PAUSE_MS;
      if (typeof event.data !== "string") return;
      this.wire.heard(JSON.parse(event.data) as From);
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
    if (Date.now() - this.heardAt > SILENCE_MS) this.lose();
    else if (this.wire.ping) this.send(this.wire.ping());
  }

  private readonly drop = (): void => {
    if (this.standing.value === "open" || this.standing.value === "connecting") this.lose();
  };

  /** A page that was asleep may hold a connection that died meanwhile. */
  private readonly look = (): void => {
    if (document.visibilityState !== "visible") return;
    if (this.standing.value === "lost") this.hurry();
    else if (this.wire.ping) this.send(this.wire.ping());
  };

  private lose(): void {
    this.part();
    if (this.standing.value === "closed") return;
    this.standing.value = "lost";
    // Some chance in it, so that a restarted server is not met by everybody at once.
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
