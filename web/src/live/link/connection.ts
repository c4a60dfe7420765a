/**
 * A connection to the server that comes back: a socket, and another one whenever it is lost.
 *
 * It knows nothing of the messages, but that the server sends a welcome and answers a ping.
 */

import { steady } from "../clock.ts";
import { delayOf } from "./backoff.ts";
import { another } from "./gateways.ts";

/** What is used of a WebSocket. */
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
  /** There is a socket: send the Hello. */
  opened(): void;
  received(data: string): void;
  /** Send a ping; whatever is received after it is the answer. */
  ping(): void;
  /** A few seconds have passed: do what has waited for that. */
  tick(): void;
  /** It was lost; returns whether to come back. The code is 0 where the server gave none. */
  lost(code: number, reason: string): boolean;
}

const RECONNECT = { first: 500, most: 30_000 };
/** After a connection that lasted so long the next delay is the first again. */
const GOOD_MS = 5_000;
/** How long until the server must have sent its welcome. */
const WELCOME_MS = 10_000;
const TICK_MS = 5_000;
export const PING_MS = 20_000;
/** A connection on which nothing was received for so long is lost. */
export const SILENT_MS = 45_000;
/** The same for a connection in doubt: the machine woke up, or has another network. */
export const DOUBTED_MS = 5_000;

export class Connection {
  /** Where the server is, and at which of these addresses the socket is. */
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
  /** Since when a ping has had no answer; null: something was received after the last. */
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

  /** Open a socket, in place of any that there is. */
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

  /** The server sent its welcome: from now on it is pinged, and missed where it is silent. */
  welcomed(): void {
    clearTimeout(this.#timer);
    this.#welcomedAt = steady();
    this.#ping();
    this.#ticking = setInterval(() => {
      this.#tick();
    }, TICK_MS);
  }

  /** The server is at all of these addresses. */
  isAt(urls: readonly string[]): void {
    this.#urls = urls;
  }

  send(frame: string): void {
    this.#socket?.send(frame);
  }

  /** Take the connection to be lost, and come back after a moment. */
  drop(): void {
    if (this.#socket !== null) this.#lose(0, "");
  }

  /** Leave for good. */
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

  /** Have nothing more to do with the socket there was: it may take its time to close. */
  #letGo(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#ticking);
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomedAt = this.#pingedSince = null;
    if (socket === null) return;
    socket.onmessage = socket.onclose = null;
    // One that is only being opened is closed when it is: a browser complains of anything sooner.
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
    // Timers of a page that nobody sees come late: it is silent only if it was pinged in time.
    if (this.#pingedSince !== null && now - this.#pingedSince >= SILENT_MS - PING_MS) {
      this.drop();
      return;
    }
    if (now - this.#pingedAt >= PING_MS) this.#ping();
    this.#owner.tick();
  }

  /** Something changed around us: come back at once, or look whether the connection still holds. */
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
