/** Where a voucher came from: a terminal by its name, the counter in the reader's words. */

import type { Words } from "../words/words.ts";

/** What the server calls the counter where nobody says otherwise. */
const COUNTER = "counter";

export function placeOf(t: Words<"cage">, place: string): string {
  return place === COUNTER ? t("at_counter") : place;
}
