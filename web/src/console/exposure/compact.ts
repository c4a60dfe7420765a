/** Short amounts, for small cells. */

import { compact as rounded, decimals, number } from "../../words/words.ts";

/** A longer amount is rounded; the sentence of its cell has the exact figure. */
const LETTERS = 5;

/** Minor units as whole units of the currency, in about five characters: 1,250 or 12.5K. */
export function compact(cents: number): string {
  const whole = number(Math.round(cents / 10 ** decimals()));
  return whole.length <= LETTERS ? whole : rounded(cents);
}
