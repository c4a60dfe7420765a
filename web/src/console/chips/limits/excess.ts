/** Proposes which chips to give back when a bet is above its limit. */

import type { ChipTable, ChipStack } from "../../../live/index.ts";
import type { LimitNotice, Pieces } from "../../../protocol.ts";
import { markedOf, worth, type Marked } from "../../money/counts/chips.ts";

/** The search for chips ends after this many tries; no stack on a layout needs nearly as many. */
const TRIES_MAX = 20_000;

/** Chips of one player to give back. */
export interface Proposal {
  readonly seat: string;
  readonly chips: readonly Pieces[];
  readonly amount: number;
}

/** The key of a notice, which stays the same while the amount changes. */
export function keyOf({ box, seat, outside }: LimitNotice): string {
  return `${outside} ${box} ${seat ?? ""}`;
}

/** The key of a notice that was dealt with; another amount makes it a new notice. */
export function seenAs(notice: LimitNotice): string {
  return `${keyOf(notice)} ${notice.amount}`;
}

/** Chips to give back for a notice: the newest stacks first, together at most the excess. */
export function proposed(table: ChipTable, notice: LimitNotice, step: number): readonly Proposal[] {
  if (notice.outside === "minimum") return [];
  const marked = markedOf(table);
  const theirs = table.stacks.filter(
    (stack) => stack.box === notice.box && (notice.seat === null || notice.seat === stack.seat),
  );
  const found: Proposal[] = [];
  let left = notice.amount;
  for (const stack of theirs.reverse()) {
    const { chips, amount } = largestWithin(stack, marked, left, step);
    if (amount > 0) found.push({ seat: stack.seat, chips, amount });
    left -= amount;
  }
  return found;
}

/** The largest part of one player's chips that does not exceed an amount, in whole steps. */
function largestWithin(
  stack: ChipStack,
  marked: Marked,
  most: number,
  step: number,
): { readonly chips: readonly Pieces[]; readonly amount: number } {
  const bound = Math.floor(Math.min(most, stack.amount) / step) * step;
  let best: { chips: readonly Pieces[]; amount: number } = { chips: [], amount: 0 };
  let tries = 0;
  const look = (place: number, taken: readonly Pieces[], amount: number): void => {
    tries += 1;
    if (amount % step === 0 && amount > best.amount) best = { chips: taken, amount };
    const kind = stack.chips[place];
    if (kind === undefined) return;
    const [chip, count] = kind;
    const value = worth(chip, marked);
    const fit = value === 0 ? 0 : Math.min(count, Math.floor((bound - amount) / value));
    for (let some = fit; some >= 0 && best.amount < bound && tries < TRIES_MAX; some -= 1)
      look(place + 1, some === 0 ? taken : [...taken, [chip, some]], amount + some * value);
  };
  if (bound > 0) look(0, [], 0);
  return best;
}
