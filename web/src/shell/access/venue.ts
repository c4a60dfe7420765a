/** The venue this page is of: its name, its currency, its tables, and whether it is a demo. */

import { signal, type ReadonlySignal } from "@preact/signals";

import type { VenueView } from "../../answers.ts";
import { get, Problem } from "../../live/http.ts";
import { currency } from "../../words/words.ts";

const known = signal<VenueView | null>(null);

/** The venue, once it has answered. */
export const venue: ReadonlySignal<VenueView | null> = known;

/** The delay before a server that did not answer is asked again. */
const AGAIN_MS = 2_000;

/** Ask which venue this is until the server answers; returns a function that stops asking. */
export function fetchVenue(): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  const ask = async (): Promise<void> => {
    try {
      const found = await get<VenueView>("/api/venue");
      currency.value = found.currency;
      known.value = found;
    } catch (error) {
      // The connection's banner reports a server that does not answer; here we only ask again.
      // Any other error is a bug of ours.
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
