/** How long to wait before another try: longer each time, with chance in it. */

export interface Backoff {
  /** Milliseconds before the first try, and before each of many. */
  readonly first: number;
  readonly most: number;
}

/** The delay before a try, of which the first is 0: a hall full of terminals is not to come at once. */
export function delayOf(backoff: Backoff, attempt: number): number {
  const whole = Math.min(backoff.most, backoff.first * 2 ** Math.min(attempt, 30));
  return whole * (0.5 + Math.random() / 2);
}
