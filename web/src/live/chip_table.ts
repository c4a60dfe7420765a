/** A chip table as its staff see it, decoded from the compact arrays of the wire. */

import type * as wire from "../protocol.ts";
import type { Pieces } from "../protocol.ts";

/** All that one player has on one box, as it lies. */
export interface ChipStack {
  readonly seat: string;
  readonly box: string;
  readonly amount: number;
  readonly chips: readonly Pieces[];
  readonly oral: boolean;
}

/** Chips to take off a box, and the change to return where a stack cannot be split. */
export interface CollectedChips {
  readonly box: string;
  readonly seat: string;
  readonly amount: number;
  readonly chips: readonly Pieces[];
  readonly change: readonly Pieces[];
}

/** Chips to pay beside a bet; null where the rack cannot make it up. */
export interface PaidChips {
  readonly box: string;
  readonly seat: string;
  readonly amount: number;
  readonly chips: readonly Pieces[] | null;
}

export interface PayoutGuide extends Omit<wire.PayoutGuide, "put_back" | "collect" | "pay"> {
  readonly put_back: readonly CollectedChips[];
  readonly collect: readonly CollectedChips[];
  readonly pay: readonly PaidChips[];
}

export interface ChipTable extends Omit<wire.ChipTableView, "stacks" | "guide"> {
  readonly stacks: readonly ChipStack[];
  readonly guide?: PayoutGuide | null;
}

/** Decode the stacks and the lists: give each value of an array its name. */
export function readChipTable(table: wire.ChipTableView): ChipTable {
  const { guide } = table;
  return {
    ...table,
    stacks: table.stacks.map(([seat, box, amount, chips, oral]) => ({ seat, box, amount, chips, oral })),
    guide: guide == null ? null : readGuide(guide),
  };
}

function readCollected([box, seat, amount, chips, change]: wire.CollectedChips): CollectedChips {
  return { box, seat, amount, chips, change };
}

function readGuide(guide: wire.PayoutGuide): PayoutGuide {
  return {
    ...guide,
    put_back: guide.put_back.map(readCollected),
    collect: guide.collect.map(readCollected),
    pay: guide.pay.map(([box, seat, amount, chips]) => ({ box, seat, amount, chips })),
  };
}
