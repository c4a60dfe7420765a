/** Results of counts and of changes of chips, found in the events that the server sent. */

import type { AnyEvent, DayClosed, DayOpened, DropCounted, Pieces } from "../../../protocol.ts";
import { money, type Words } from "../../../words/words.ts";
import type { Entry } from "../../history/log.ts";

type Count = DayOpened | DropCounted | DayClosed;

/** The last count that this console has received. */
export function lastCount(log: readonly Entry[]): Count | null {
  for (const { event } of log)
    if (event.type === "DayOpened" || event.type === "DropCounted" || event.type === "DayClosed") return event;
  return null;
}

/** The result of a count. */
export function counted(count: Count): number {
  switch (count.type) {
    case "DayOpened":
      return count.amount;
    case "DropCounted":
      return count.cash + count.chips;
    case "DayClosed":
      return count.closing;
  }
}

/** A count in a sentence. */
export function resultSentence(t: Words<"console">, count: Count): string {
  switch (count.type) {
    case "DayOpened":
      return t("money_result_opened", { amount: money(count.amount) });
    case "DropCounted":
      return t("money_result_drop", { cash: money(count.cash), chips: money(count.chips) });
    case "DayClosed":
      return t("money_result_closed", { date: count.date, amount: money(count.closing) });
  }
}

/** The difference between a count and the books, in words. */
export function apartOf(t: Words<"console">, counted: number, expected: number): string {
  if (counted === expected) return t("money_as_books", { expected: money(expected) });
  const blanks = { apart: money(Math.abs(counted - expected)), expected: money(expected) };
  return counted > expected ? t("money_over_books", blanks) : t("money_under_books", blanks);
}

/** The chips last handed to a player; null if something else was done since. */
export function handedTo(log: readonly Entry[], seat: string): readonly Pieces[] | null {
  const last = log.find(({ event }) => "seat" in event && event.seat === seat);
  return last === undefined ? null : handed(last.event);
}

function handed(event: AnyEvent): readonly Pieces[] | null {
  switch (event.type) {
    case "ChipsBought":
    case "ColourConverted":
      return event.chips;
    case "ChipsExchanged":
      return event.taken;
    case "ColourBought":
      return [[event.colour, event.count]];
    default:
      return null;
  }
}
