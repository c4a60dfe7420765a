import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const TURN_MS = 8_000;

interface Turn<T> {
  readonly shown: readonly T[];
  /** The number of this part, from 1, and how many there are. */
  readonly page: number;
  readonly pages: number;
}

/** The part of a list that is shown now; a list that does not fit takes turns in equal parts. */
export function useTurns<T>(all: readonly T[], atOnce: number): Turn<T> {
  const pages = Math.max(1, Math.ceil(all.length / atOnce));
  const turn = useSignal(0);
  useEffect(() => {
    if (pages < 2) return;
    const turning = setInterval(() => (turn.value += 1), TURN_MS);
    return () => clearInterval(turning);
  }, [pages]);
  const page = turn.value % pages;
  const each = Math.ceil(all.length / pages);
  return { shown: all.slice(page * each, (page + 1) * each), page: page + 1, pages };
}
