/** Reads the chips of a chip table's events: chips put on boxes, taken off, counted or paid. */

import type { EventView, StoryMove } from "../../answers.ts";
import type { Pieces } from "../../protocol.ts";

/** Chips that an event names, with their role: on a box, counted, paid. */
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

/** Filters the moves of one seat on one box. */
export function isAt(seat: string, box: string): (move: StoryMove) => boolean {
  return (move) => move.terminal === seat && move.box === box;
}

/** The colour of the chips that are left after moves, if all have the same. */
export function colourOf(moved: readonly Pick<StoryMove, "chips">[]): string | null {
  const counts = new Map<Pieces[0], number>();
  for (const [chip, count] of moved.flatMap(({ chips }) => chips)) counts.set(chip, (counts.get(chip) ?? 0) + count);
  const left = [...counts].filter(([, count]) => count > 0).map(([chip]) => chip);
  const [first] = left;
  return left.length === 1 && typeof first === "string" ? first : null;
}

/** The moved chips that were put on the box. */
function putOn(chips: readonly Pieces[]): readonly Pieces[] {
  return chips.filter(([, count]) => count > 0);
}

/** The moved chips that were taken off the box, with positive counts. */
export function takenOff(chips: readonly Pieces[]): readonly Pieces[] {
  return putOn(chips.map(([chip, count]): Pieces => [chip, -count]));
}

/** The chips of a move; a corrected bet that is not there has none. */
function shown({ box, chips }: StoryMove): readonly Handled[] {
  const [off, on] = [takenOff(chips), putOn(chips)];
  const lists: Handled[] = [];
  if (off.length > 0) lists.push({ what: "was_on_box", box, chips: off });
  if (on.length > 0 || off.length === 0) lists.push({ what: "on_box", box, chips: on });
  return lists;
}

/** The chips of an event, in the order in which they were handled. */
export function handledIn(event: EventView, moves: readonly StoryMove[]): readonly Handled[] {
  if (moves.length > 0) return moves.flatMap(shown);
  return (["given", "taken", "chips", "count"] as const).flatMap((key): Handled[] => {
    const chips = piecesOf(event.details[key]);
    const what = event.event === "RoundSettled" ? "paid" : key;
    return chips.length === 0 ? [] : [{ what, box: null, chips }];
  });
}
