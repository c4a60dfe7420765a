/** The house's time: what it last told, and our own steady time since. */

/** Milliseconds that only go forward, whatever is done to the clock of the machine. */
export function steady(): number {
  return performance.now();
}

export class HouseClock {
  #told: { readonly house: number; readonly own: number; readonly live: boolean } | null = null;

  /** Take in the house's time, as the live line tells it; `roundTrip` is how long it took to ask. */
  tell(at: number, roundTrip = 0): void {
    this.#told = { house: at + roundTrip / 2, own: steady(), live: true };
  }

  /**
   * Take in the time of an HTTP answer, good to a second: until the live line tells a better one.
   *
   * An answer that the browser had kept says when it was made, so the latest time counts.
   */
  tellRoughly(at: number): void {
    if (this.#told === null || (!this.#told.live && at > this.now())) {
      this.#told = { house: at, own: steady(), live: false };
    }
  }

  /** The house's time in milliseconds; before it was told, the machine's own. */
  now(): number {
    return this.#told === null ? Date.now() : Math.round(this.#told.house + steady() - this.#told.own);
  }

  /** An id for something a person does: the house's time, a dash, and a text nobody else has. */
  newId(): string {
    const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
    return `${this.now()}-${high.toString(36)}${low.toString(36)}`;
  }
}

/** A page has one house, and so one clock. */
export const houseClock = new HouseClock();

/** An id for a command sent over HTTP. */
export function newId(): string {
  return houseClock.newId();
}
