/**
 * A connection to the server that reconnects: it opens another socket whenever one is lost.
 *
 * Of the messages it knows only that the server sends a welcome and answers a ping.
 */

import { steady } from "../clock.ts";
import { delayOf } from "./backoff.ts";
import { another } from "./gateways.ts";

/** The part of a WebSocket that is used here. */
export interface Socket {
  readonly readyState: number;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(data: string): void;
  close(code?: number): void;
}

/** The state of a socket that is being opened. */
const CONNECTING = 0;

export type MakeSocket = (url: string) => Socket;

export interface ConnectionOwner {
  /** The socket is open: send the Hello. */
  opened(): void;
  received(data: string): void;
  /** Send a ping; any message received after it counts as the answer. */
  ping(): void;
  /** Called every few seconds, for work that is done from time to time. */
  tick(): void;
  /** It was lost; returns whether to reconnect. The code is 0 if the server gave none. */
  lost(code: number, reason: string): boolean;
}

const RECONNECT = { first: 500, most: 30_000 };
/** A connection that lasted this long resets the reconnection delay. */
const GOOD_MS = 5_000;
/** The server must send its welcome within this time. */
const WELCOME_MS = 10_000;
const TICK_MS = 5_000;
export const PING_MS = 20_000;
/** A connection that received nothing for this long is lost. */
export const SILENT_MS = 45_000;
/** The same for a connection in doubt, after the machine woke up or changed its network. */
export const DOUBTED_MS = 5_000;

export class Connection {
  /** All addresses of the server, and the one that the socket uses. */
  #urls: readonly string[];
  #url: string;
  readonly #make: MakeSocket;
  readonly #owner: ConnectionOwner;
  readonly #waking = (): void => {
    this.#wake();
  };
  #socket: Socket | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ticking: ReturnType<typeof setInterval> | undefined;
  #attempt = 0;
  #welcomedAt: number | null = null;
  #pingedAt = 0;
  /** When the oldest unanswered ping was sent; null if every ping was answered. */
  #pingedSince: number | null = null;
  #closed = false;

  constructor(url: string, make: MakeSocket, owner: ConnectionOwner) {
    this.#urls = [url];
    this.#url = url;
    this.#make = make;
    this.#owner = owner;
    addEventListener("online", this.#waking);
    addEventListener("offline", this.#waking);
    document.addEventListener("visibilitychange", this.#waking);
  }

  /** Open a socket, in place of the present one. */
  open(): void {
    this.#letGo();
    const socket = (this.#socket = this.#make(this.#url));
    socket.onopen = () => {
      this.#owner.opened();
    };
    socket.onmessage = (event) => {
      this.#pingedSince = null;
      this.#owner.received(String(event.data));
    };
    socket.onclose = (event) => {
      this.#lose(event.code, event.reason);
    };
    this.#timer = setTimeout(() => {
      this.drop();
    }, WELCOME_MS);
  }

  /** The server sent its welcome: from now on it is pinged, and its silence is noticed. */
  welcomed(): void {
    clearTimeout(this.#timer);
    this.#welcomedAt = steady();
    this.#ping();
    this.#ticking = setInterval(() => {
      this.#tick();
    }, TICK_MS);
  }

  /** Set all addresses of the server. */
  isAt(urls: readonly string[]): void {
    this.#urls = urls;
  }

  send(frame: string): void {
    this.#socket?.send(frame);
  }

  /** Treat the connection as lost, and reconnect after a delay. */
  drop(): void {
    if (this.#socket !== null) this.#lose(0, "");
  }

  /** Close for good. */
  close(): void {
    this.#closed = true;
    this.#letGo();
    removeEventListener("online", this.#waking);
    removeEventListener("offline", this.#waking);
    document.removeEventListener("visibilitychange", this.#waking);
  }

  #lose(code: number, reason: string): void {
    if (this.#welcomedAt !== null && steady() - this.#welcomedAt >= GOOD_MS) this.#attempt = 0;
    this.#letGo();
    if (!this.#owner.lost(code, reason)) {
      this.close();
    } else if (!this.#closed) {
      const delay = delayOf(RECONNECT, this.#attempt);
      this.#attempt += 1;
      this.#url = another(this.#urls, this.#url);
      this.#timer = setTimeout(() => {
        this.open();
      }, delay);
    }
  }

  /** Detach from the old socket, which may take long to close. */
  #letGo(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#ticking);
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomedAt = this.#pingedSince = null;
    if (socket === null) return;
    socket.onmessage = socket.onclose = null;
    // A socket that is still opening is closed once it is open: browsers log an error for less.
    socket.onopen = () => {
      socket.close();
    };
    if (socket.readyState !== CONNECTING) socket.close();
  }

  #ping(): void {
    this.#pingedAt = steady();
    this.#pingedSince ??= this.#pingedAt;
    this.#owner.ping();
  }

  #tick(): void {
    const now = steady();
    // Timers of a hidden page run late: the server is silent only if it was pinged in time.
    if (this.#pingedSince !== null && now - this.#pingedSince >= SILENT_MS - PING_MS) {
      this.drop();
      return;
    }
    if (now - this.#pingedAt >= PING_MS) this.#ping();
    this.#owner.tick();
  }

  /** The network or the page's visibility changed: reconnect at once, or check the connection. */
  #wake(): void {
    if (document.visibilityState === "hidden") return;
    if (this.#socket === null) {
      this.#attempt = 0;
      this.open();
    } else if (this.#welcomedAt !== null) {
      this.#doubt();
    }
  }

  #doubt(): void {
    this.#ping();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#pingedSince !== null) this.drop();
    }, DOUBTED_MS);
  }
}
