/** Amounts in few letters, for cells that have room for no more. */

import { compact as rounded, decimals, number } from "../../words/words.ts";

/** Longer than this an amount is rounded: whoever wants it exactly reads its sentence. */
const LETTERS = 6;

/** Minor units in whole units of the currency, in at most six letters or so: 1,250 or 1.25M. */
export function compact(cents: number): string {
  const whole = number(Math.round(cents / 10 ** decimals()));
  return whole.length <= LETTERS ? whole : rounded(cents);
}
