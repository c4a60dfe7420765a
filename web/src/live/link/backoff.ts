/** The delay before another try: longer each time, and partly random. */

export interface Backoff {
  /** Milliseconds before the first try, and the most before a later one. */
  readonly first: number;
  readonly most: number;
}

/** The delay before try number n, from 0; random, so that terminals do not all come at once. */
export function delayOf(backoff: Backoff, attempt: number): number {
  const whole = Math.min(backoff.most, backoff.first * 2 ** Math.min(attempt, 30));
  return whole * (0.5 + Math.random() / 2);
}
