/**
 * Chips as they are counted by hand: written down, read, added up, proposed for an amount.
 *
 * What a stack is worth and what may be done with it, the server says; here is what a person fills in.
 */

import type { ChipTable } from "../../../live/index.ts";
import type { Pieces } from "../../../protocol.ts";

/** A chip by its denomination, or by its colour. */
export type Chip = Pieces[0];
/** How many of each chip, as they are written. */
export type Written = ReadonlyMap<Chip, string>;
/** What a piece of each colour is worth. */
export type Marked = ReadonlyMap<string, number>;

/** No rack and no stack holds more of one kind. */
export const PIECES_MAX = 1_000_000;
/** Looking for the fewest chips ends after so many tries; no set of chips in use comes near. */
const TRIES_MAX = 20_000;
/** As many digits as the most pieces have. */
export const COUNT_LETTERS_MAX = 7;
export const NOTE_LETTERS_MAX = 500;
const NONE: Marked = new Map();

/** The chips of a table as a dealer counts them, the largest first. */
export function counted({ chip_set }: ChipTable): readonly number[] {
  return [...chip_set.values].reverse();
}

/** What a piece is worth; a colour that nobody has is worth nothing. */
export function worth(chip: Chip, marked: Marked = NONE): number {
  return typeof chip === "number" ? chip : (marked.get(chip) ?? 0);
}

export function sumOf(chips: readonly Pieces[], marked: Marked = NONE): number {
  return chips.reduce((sum, [chip, count]) => sum + worth(chip, marked) * count, 0);
}

/** How many of a chip there are among others. */
export function countOf(chips: readonly Pieces[], chip: Chip): number {
  return chips.find(([each]) => each === chip)?.[1] ?? 0;
}

/** A number of pieces; null where nothing is written, undefined where it is no such number. */
export function readCount(text: string): number | null | undefined {
  const written = text.trim();
  if (written === "") return null;
  if (!/^\d{1,7}$/.test(written)) return undefined;
  return Number(written) <= PIECES_MAX ? Number(written) : undefined;
}

/** The chips that are written down, the largest first; undefined where one of them is no number. */
export function readChips(written: Written, marked: Marked = NONE): readonly Pieces[] | undefined {
  const read = [...written].map(([chip, text]) => [chip, readCount(text)] as const);
  if (read.some(([, count]) => count === undefined)) return undefined;
  return read
    .filter(([, count]) => count)
    .map(([chip, count]): Pieces => [chip, count ?? 0])
    .sort(([one], [other]) => worth(other, marked) - worth(one, marked));
}

/** Whether anything is written at all: an empty sheet has not been counted. */
export function isBlank(written: Written): boolean {
  return [...written.values()].every((text) => text.trim() === "");
}

/** The first chip of which more is written than there is; where nobody is told, the server decides. */
export function shortOf(written: Written, held: readonly Pieces[] | null): Chip | null {
  if (held === null) return null;
  const over = [...written].find(([chip, text]) => (readCount(text) ?? 0) > countOf(held, chip));
  return over?.[0] ?? null;
}

/** Chips as they are written into a sheet. */
export function writeChips(chips: readonly Pieces[]): Written {
  return new Map(chips.map(([chip, count]) => [chip, String(count)]));
}

/** What is written comes to so much; what cannot be read counts for nothing. */
export function sumWritten(written: Written, marked: Marked = NONE): number {
  return [...written].reduce((sum, [chip, text]) => sum + worth(chip, marked) * (readCount(text) ?? 0), 0);
}

/**
 * The fewest value chips of a rack that make up an amount; null where it cannot make it up.
 *
 * It is a proposal: whoever hands the chips out may take others.
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
    // The chips that are left are no larger than this one: at least so many more are needed.
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

/** The colours in use, each with what it is marked at. */
export function markedOf({ seats }: ChipTable): Marked {
  return new Map(seats.flatMap(({ colour, value }) => (colour === null || value === null ? [] : [[colour, value]])));
}
