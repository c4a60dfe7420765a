/** The place that issued a voucher, in words: a terminal by its name, or the counter. */

import type { Words } from "../words/words.ts";

/** The server's default name of the counter. */
const COUNTER = "counter";

export function placeOf(t: Words<"cage">, place: string): string {
  return place === COUNTER ? t("at_counter") : place;
}
