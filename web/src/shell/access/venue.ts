/** The venue this page is of: its name, its currency, its tables, and whether it is a demo. */

import { signal, type ReadonlySignal } from "@preact/signals";

import type { VenueView } from "../../answers.ts";
import { get, Problem } from "../../live/http.ts";
import { currency } from "../../words/words.ts";

const known = signal<VenueView | null>(null);

/** The venue, once it has answered. */
export const venue: ReadonlySignal<VenueView | null> = known;

/** How long one waits before a server that did not answer is asked again. */
const AGAIN_MS = 2_000;

/** Ask which venue this is, until it answers; gives what ends the asking. */
export function fetchVenue(): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  const ask = async (): Promise<void> => {
    try {
      const found = await get<VenueView>("/api/venue");
      currency.value = found.currency;
      known.value = found;
    } catch (error) {
      // The banner of the connection informs the reader of a server that does not answer; here it is only
      // asked again. Anything else is a fault of ours.
      if (!(error instanceof Problem)) reportError(error);
      if (!ended) waiting = setTimeout(() => void ask(), AGAIN_MS);
    }
  };
  void ask();
  return () => {
    ended = true;
    clearTimeout(waiting);
  };
}
