/** The server's time: what it last sent, and our own steady time since. */

/** Milliseconds that only go forward, whatever is done to the clock of the machine. */
export function steady(): number {
  return performance.now();
}

export class ServerClock {
  #received: { readonly server: number; readonly own: number; readonly live: boolean } | null = null;

  /** Take in the server's time, as the live connection sends it; `roundTrip` is how long it took to ask. */
  set(at: number, roundTrip = 0): void {
    this.#received = { server: at + roundTrip / 2, own: steady(), live: true };
  }

  /**
   * Take in the time of an HTTP answer, good to a second: until the live connection sends a better one.
   *
   * An answer that the browser had kept says when it was made, so the latest time counts.
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

  /** An id for something a person does: the server's time, a dash, and a text nobody else has. */
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
