/** The server's time: the last time it sent, plus the browser's own steady time since then. */

/** Milliseconds that only go forward, even when the machine's clock is changed. */
export function steady(): number {
  return performance.now();
}

export class ServerClock {
  #received: { readonly server: number; readonly own: number; readonly live: boolean } | null = null;

  /** Set the server's time, as the live connection sends it; `roundTrip` is how long that took. */
  set(at: number, roundTrip = 0): void {
    this.#received = { server: at + roundTrip / 2, own: steady(), live: true };
  }

  /**
   * Set the time from an HTTP answer, exact to a second, until the live connection sends its time.
   *
   * A cached answer has the time when it was made, so only a later time counts.
   */
  setRoughly(at: number): void {
    if (this.#received === null || (!this.#received.live && at > this.now())) {
      this.#received = { server: at, own: steady(), live: false };
    }
  }

  /** The server's time in milliseconds; before it is known, the machine's own. */
  now(): number {
    return this.#received === null ? Date.now() : Math.round(this.#received.server + steady() - this.#received.own);
  }

  /** An id for a command: the server's time, a dash, and a unique text. */
  newId(): string {
    const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
    return `${this.now()}-${high.toString(36)}${low.toString(36)}`;
  }
}

/** A page has one server, and so one clock. */
export const serverClock = new ServerClock();

/** An id for a command sent over HTTP. */
export function newId(): string {
  return serverClock.newId();
}
