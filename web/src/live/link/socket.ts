/**
 * A line to the server that is kept: a socket, and another one whenever it is lost.
 *
 * What is said over it is not its business, but that the server welcomes whoever comes, and that it
 * answers a ping.
 */

import { steady } from "../clock.ts";
import { delayOf } from "./backoff.ts";

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

export interface LineOwner {
  /** There is a socket: say hello. */
  opened(): void;
  heard(data: string): void;
  /** Ask whether anybody is there; whatever is heard then is the answer. */
  ping(): void;
  /** Something may be done that has waited: it is a moment since the last time. */
  tick(): void;
  /** It was lost; tells whether to come back. The code is 0 where the server said nothing. */
  lost(code: number, reason: string): boolean;
}

const COME_BACK = { first: 500, most: 30_000 };
/** A line that lasted so long was a good one: the next delay is the first again. */
const GOOD_MS = 5_000;
/** Until the server must have said welcome. */
const WELCOME_MS = 10_000;
const TICK_MS = 5_000;
export const PING_MS = 20_000;
/** A line on which nothing was heard for so long is lost. */
export const SILENT_MS = 45_000;
/** The same for a line that is in doubt: the machine woke up, or has another network. */
export const DOUBTED_MS = 5_000;

export class Line {
  readonly #url: string;
  readonly #make: MakeSocket;
  readonly #owner: LineOwner;
  readonly #waking = (): void => {
    this.#wake();
  };
  #socket: Socket | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ticking: ReturnType<typeof setInterval> | undefined;
  #attempt = 0;
  #welcomedAt: number | null = null;
  #pingedAt = 0;
  /** Since when a ping has had no answer; null: something was heard after the last. */
  #askedAt: number | null = null;
  #closed = false;

  constructor(url: string, make: MakeSocket, owner: LineOwner) {
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
      this.#askedAt = null;
      this.#owner.heard(String(event.data));
    };
    socket.onclose = (event) => {
      this.#lose(event.code, event.reason);
    };
    this.#timer = setTimeout(() => {
      this.drop();
    }, WELCOME_MS);
  }

  /** The server said welcome: from now on it is pinged, and missed where it is silent. */
  welcomed(): void {
    clearTimeout(this.#timer);
    this.#welcomedAt = steady();
    this.#ping();
    this.#ticking = setInterval(() => {
      this.#tick();
    }, TICK_MS);
  }

  send(frame: string): void {
    this.#socket?.send(frame);
  }

  /** Take the line to be lost, and come back after a moment. */
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
      const delay = delayOf(COME_BACK, this.#attempt);
      this.#attempt += 1;
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
    this.#welcomedAt = this.#askedAt = null;
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
    this.#askedAt ??= this.#pingedAt;
    this.#owner.ping();
  }

  #tick(): void {
    const now = steady();
    // Timers of a page that nobody sees come late: it is silent only if it was asked in time.
    if (this.#askedAt !== null && now - this.#askedAt >= SILENT_MS - PING_MS) {
      this.drop();
      return;
    }
    if (now - this.#pingedAt >= PING_MS) this.#ping();
    this.#owner.tick();
  }

  /** Something changed around us: come back at once, or look whether the line still holds. */
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
      if (this.#askedAt !== null) this.drop();
    }, DOUBTED_MS);
  }
}
