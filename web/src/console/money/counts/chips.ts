/**
 * Chips as they are counted by hand: reads a count sheet, adds it up, proposes chips for an amount.
 *
 * The server decides what a stack is worth and what may be done with it; this is for filling in.
 */

import type { ChipTable } from "../../../live/index.ts";
import type { Pieces } from "../../../protocol.ts";

/** A chip by its denomination, or by its colour. */
export type Chip = Pieces[0];
/** How many of each chip, as typed. */
export type Written = ReadonlyMap<Chip, string>;
/** The value of a piece of each colour. */
export type Marked = ReadonlyMap<string, number>;

/** The most pieces of one kind that a rack or a stack can hold. */
export const PIECES_MAX = 1_000_000;
/** The search for the fewest chips ends after this many tries; real sets need far fewer. */
const TRIES_MAX = 20_000;
/** The most digits of a number of pieces. */
export const COUNT_LETTERS_MAX = 7;
export const NOTE_LETTERS_MAX = 500;
const NONE: Marked = new Map();

/** The chips of a table as a dealer counts them, the largest first. */
export function counted({ chip_set }: ChipTable): readonly number[] {
  return [...chip_set.values].reverse();
}

/** The value of a piece; a colour without an owner has no value. */
export function worth(chip: Chip, marked: Marked = NONE): number {
  return typeof chip === "number" ? chip : (marked.get(chip) ?? 0);
}

export function sumOf(chips: readonly Pieces[], marked: Marked = NONE): number {
  return chips.reduce((sum, [chip, count]) => sum + worth(chip, marked) * count, 0);
}

/** How many of one chip a list has. */
export function countOf(chips: readonly Pieces[], chip: Chip): number {
  return chips.find(([each]) => each === chip)?.[1] ?? 0;
}

/** A number of pieces; null if the text is empty, undefined if it is not valid. */
export function readCount(text: string): number | null | undefined {
  const written = text.trim();
  if (written === "") return null;
  if (!/^\d{1,7}$/.test(written)) return undefined;
  return Number(written) <= PIECES_MAX ? Number(written) : undefined;
}

/** The chips of a sheet, the largest first; undefined if one entry is not a number. */
export function readChips(written: Written, marked: Marked = NONE): readonly Pieces[] | undefined {
  const read = [...written].map(([chip, text]) => [chip, readCount(text)] as const);
  if (read.some(([, count]) => count === undefined)) return undefined;
  return read
    .filter(([, count]) => count)
    .map(([chip, count]): Pieces => [chip, count ?? 0])
    .sort(([one], [other]) => worth(other, marked) - worth(one, marked));
}

/** Whether anything is filled in: an empty sheet has not been counted. */
export function isBlank(written: Written): boolean {
  return [...written.values()].every((text) => text.trim() === "");
}

/** The first chip with more pieces than there are; without a known number the server decides. */
export function shortOf(written: Written, held: readonly Pieces[] | null): Chip | null {
  if (held === null) return null;
  const over = [...written].find(([chip, text]) => (readCount(text) ?? 0) > countOf(held, chip));
  return over?.[0] ?? null;
}

/** Chips as the text of a sheet. */
export function writeChips(chips: readonly Pieces[]): Written {
  return new Map(chips.map(([chip, count]) => [chip, String(count)]));
}

/** The sum of a sheet; invalid entries count as zero. */
export function sumWritten(written: Written, marked: Marked = NONE): number {
  return [...written].reduce((sum, [chip, text]) => sum + worth(chip, marked) * (readCount(text) ?? 0), 0);
}

/**
 * The fewest value chips of a rack that make up an amount; null if the rack cannot make it up.
 *
 * It is a proposal: the dealer may take other chips.
 */
export function fewestChips(amount: number, rack: readonly Pieces[] | null): readonly Pieces[] | null {
  if (rack === null) return null;
  const kinds = rack
    .filter((each): each is readonly [number, number] => typeof each[0] === "number" && each[1] > 0)
    .sort(([one], [other]) => other - one);
  const rest = kinds.map((_, place) => kinds.slice(place).reduce((sum, [chip, count]) => sum + chip * count, 0));
  let best: readonly number[] | null = null;
  let fewest = Infinity;
  let tries = 0;
  const look = (place: number, left: number, counts: readonly number[], used: number): void => {
    if (left === 0) {
      if (used < fewest) [best, fewest] = [counts, used];
      return;
    }
    const [chip, held] = kinds[place] ?? [0, 0];
    tries += 1;
    // The chips left are no larger than this one, so at least this many more are needed.
    if (chip === 0 || tries > TRIES_MAX || left > (rest[place] ?? 0) || used + Math.ceil(left / chip) >= fewest) return;
    for (let count = Math.min(held, Math.floor(left / chip)); count >= 0; count -= 1)
      look(place + 1, left - count * chip, [...counts, count], used + count);
  };
  look(0, amount, [], 0);
  return best === null ? null : kinds.flatMap(([chip], place) => piecesOf(chip, (best ?? [])[place] ?? 0));
}

function piecesOf(chip: number, count: number): Pieces[] {
  return count > 0 ? [[chip, count]] : [];
}

/** The colours in use, each with the value that it is marked at. */
export function markedOf({ seats }: ChipTable): Marked {
  return new Map(seats.flatMap(({ colour, value }) => (colour === null || value === null ? [] : [[colour, value]])));
}
