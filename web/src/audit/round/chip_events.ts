/** The events of a chip table: whose chips they laid or took up, and what the dealer handled. */

import type { EventView } from "../../answers.ts";
import type { Pieces } from "../../protocol.ts";

/** What an event put on a box, and with a minus what it took off; of a terminal, or of a seat. */
export interface Moved {
  readonly whose: string;
  readonly box: string;
  readonly amount: number;
  readonly chips: readonly Pieces[];
}

/** Chips that an event names, and what they are to it: on a box, counted, paid. */
export interface Handled {
  readonly what: "on_box" | "was_on_box" | "chips" | "given" | "taken" | "count" | "paid";
  readonly box: string | null;
  readonly chips: readonly Pieces[];
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function piecesOf(value: unknown): readonly Pieces[] {
  return listOf(value).flatMap((each): Pieces[] => {
    const [chip, count] = listOf(each);
    if (typeof chip !== "number" && typeof chip !== "string") return [];
    return typeof count === "number" ? [[chip, count]] : [];
  });
}

/** A bet as a dealer recorded it: box, amount, chips. */
function recorded(event: EventView, value: unknown): readonly Moved[] {
  const [box, amount, chips] = listOf(value);
  if (event.terminal === null || typeof box !== "string" || typeof amount !== "number") return [];
  return [{ whose: event.terminal, box, amount, chips: piecesOf(chips) }];
}

const away = (moved: Moved): Moved => ({
  ...moved,
  amount: -moved.amount,
  chips: moved.chips.map(([chip, count]) => [chip, -count]),
});

/** What an event of a chip table puts on its boxes; most put nothing there. */
export function movedChips(event: EventView): readonly Moved[] {
  const { details } = event;
  switch (event.event) {
    case "BetsRecorded":
      return listOf(details["bets"]).flatMap((bet) => recorded(event, bet));
    case "BetsTakenBack":
      return listOf(details["bets"]).flatMap((bet) => recorded(event, bet)).map(away);
    case "ExcessRejected":
      return recorded(event, details["bet"]).map(away);
    case "RecordCorrected":
      return [...recorded(event, details["before"]).map(away), ...recorded(event, details["after"])];
    case "BetPutRight": {
      const { from_box, to_box, amount, chips } = details;
      const off = recorded(event, [from_box, amount, chips]).map(away);
      return [...off, ...recorded(event, [to_box, amount, chips])];
    }
    case "LosersCollected":
      return [...linesOf(details["put_back"]), ...linesOf(details["collected"]).map(away)];
    default:
      return [];
  }
}

/** What was collected from each box, or put back on it: box, seat, amount, chips. */
function linesOf(value: unknown): readonly Moved[] {
  return listOf(value).flatMap((each): Moved[] => {
    const [box, seat, amount, chips] = listOf(each);
    if (typeof box !== "string" || typeof seat !== "string" || typeof amount !== "number") return [];
    return [{ whose: seat, box, amount, chips: piecesOf(chips) }];
  });
}

/** Finds what was moved of one seat on one box. */
export function isAt(seat: string, box: string): (moved: Moved) => boolean {
  return (moved) => moved.whose === seat && moved.box === box;
}

/** The chips that are left of what was moved, and their colour where they are all of one. */
export function chipsIn(moved: readonly Moved[]): { readonly chips: readonly Pieces[]; readonly colour: string | null } {
  const counts = new Map<Pieces[0], number>();
  for (const [chip, count] of moved.flatMap(({ chips }) => chips)) counts.set(chip, (counts.get(chip) ?? 0) + count);
  const chips = [...counts].filter(([, count]) => count > 0);
  const [first] = chips;
  const colour = chips.length === 1 && typeof first?.[0] === "string" ? first[0] : null;
  return { chips, colour };
}

/** The chips that an event is about, in the order in which they were handled. */
export function handledIn(event: EventView): readonly Handled[] {
  const laid = movedChips(event).map(({ box, amount, chips }): Handled => {
    const isOff = amount < 0;
    const shown = chips.map(([chip, count]): Pieces => [chip, Math.abs(count)]);
    return { what: isOff ? "was_on_box" : "on_box", box, chips: shown };
  });
  if (laid.length > 0) return laid;
  return (["given", "taken", "chips", "count"] as const).flatMap((key): Handled[] => {
    const chips = piecesOf(event.details[key]);
    const what = event.event === "RoundSettled" ? "paid" : key;
    return chips.length === 0 ? [] : [{ what, box: null, chips }];
  });
}
