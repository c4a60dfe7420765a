/** The house this page is of: its name, its currency, its tables, and whether it is a demo. */

import { signal, type ReadonlySignal } from "@preact/signals";

import type { HouseView } from "../../answers.ts";
import { get } from "../../live/http.ts";
import { currency } from "../../words/words.ts";

const known = signal<HouseView | null>(null);

/** The house, once it has answered. */
export const house: ReadonlySignal<HouseView | null> = known;

/** How long one waits before a house that did not answer is asked again. */
const AGAIN_MS = 2_000;

/** Ask the house who it is, until it answers; gives what ends the asking. */
export function askHouse(): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  const ask = async (): Promise<void> => {
    try {
      const told = await get<HouseView>("/api/house");
      currency.value = told.currency;
      known.value = told;
    } catch (error) {
      // The banner of the line tells the reader; here it is only asked again.
      globalThis.console.warn(error);
      if (!ended) waiting = setTimeout(() => void ask(), AGAIN_MS);
    }
  };
  void ask();
  return () => {
    ended = true;
    clearTimeout(waiting);
  };
}
