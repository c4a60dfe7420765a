/** Time until something ends, by the server's clock. */

import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const TICK = 250;

/** Seconds until a moment of the server's time, never below zero; null if there is no moment. */
export function useSecondsUntil(until: number | null, now: () => number): ReadonlySignal<number | null> {
  const left = useSignal<number | null>(null);
  useEffect(() => {
    const look = (): void => {
      left.value = until === null ? null : Math.max(0, Math.ceil((until - now()) / 1000));
    };
    look();
    if (until === null) return;
    const clock = setInterval(look, TICK);
    return () => clearInterval(clock);
  }, [until, now]);
  return left;
}
