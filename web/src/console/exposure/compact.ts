/** Short amounts, for small cells. */

import { compact as rounded, decimals, number } from "../../words/words.ts";

/** A longer amount is rounded; the sentence of its cell has the exact figure. */
const LETTERS = 6;

/** Minor units as whole units of the currency, in about six characters: 1,250 or 1.25M. */
export function compact(cents: number): string {
  const whole = number(Math.round(cents / 10 ** decimals()));
  return whole.length <= LETTERS ? whole : rounded(cents);
}
