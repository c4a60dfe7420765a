/** The server's time on a screen: read often enough to count seconds, drawn when they change. */

import { useComputed, useSignal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** Read a little more often than the bar's animation takes, so that the bar never stops. */
const LOOK_MS = 250;
const SECOND_MS = 1_000;

/** The server's time, read again after an interval; not read while it is not needed. */
function useTime(now: () => number, everyMs: number, isNeeded: boolean): ReadonlySignal<number> {
  const time = useSignal(now());
  useEffect(() => {
    if (!isNeeded) return;
    time.value = now();
    const looking = setInterval(() => (time.value = now()), everyMs);
    return () => clearInterval(looking);
  }, [now, everyMs, isNeeded]);
  return time;
}

/** The server's time, once a second. */
export function useServerTime(now: () => number): ReadonlySignal<number> {
  return useTime(now, SECOND_MS, true);
}

export interface Countdown {
  /** Whole seconds to the close; null without a countdown. */
  readonly seconds: ReadonlySignal<number | null>;
  /** The part of the time that is left, from one to zero. */
  readonly part: ReadonlySignal<number>;
}

/** Count down to a moment; the whole time is what was left when the moment was first known. */
export function useCountdown(
  closesAt: ReadonlySignal<number | null>,
  now: () => number,
): Countdown {
  const time = useTime(now, LOOK_MS, closesAt.value !== null);
  const whole = useRef({ to: 0, ms: 1 });
  const left = useComputed(() =>
    closesAt.value === null ? null : Math.max(0, closesAt.value - time.value),
  );
  return {
    seconds: useComputed(() => (left.value === null ? null : Math.ceil(left.value / 1000))),
    part: useComputed(() => {
      const to = closesAt.value;
      if (to === null || left.value === null) return 0;
      if (whole.current.to !== to) whole.current = { to, ms: Math.max(1, to - time.peek()) };
      return Math.min(1, left.value / whole.current.ms);
    }),
  };
}
