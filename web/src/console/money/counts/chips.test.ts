import { expect, test } from "vitest";

import { chipTable, player } from "../../fakes.ts";
import {
  fewestChips,
  isBlank,
  markedOf,
  readChips,
  readCount,
  shortOf,
  sumOf,
  sumWritten,
  writeChips,
  type Chip,
} from "./chips.ts";

const RACK = [
  [10_000, 10],
  [2_500, 20],
  [500, 80],
  [100, 100],
] as const;

test("the fewest chips of the rack are proposed, the largest first", () => {
  // 165.00 is one of 100, two of 25 and three of 5.
  expect(fewestChips(16_500, RACK)).toEqual([
    [10_000, 1],
    [2_500, 2],
    [500, 3],
  ]);
  expect(fewestChips(0, RACK)).toEqual([]);
});

test("what the rack has not got is made up with smaller chips, or not at all", () => {
  expect(fewestChips(16_500, [[10_000, 1], [500, 80]])).toEqual([[10_000, 1], [500, 13]]);
  // One of 25 cannot be completed here: three of 20 are right.
  expect(fewestChips(6_000, [[2_500, 2], [2_000, 3]])).toEqual([[2_000, 3]]);
  // Four of 20 are fewer than three of 25 and five of 1.
  expect(fewestChips(8_000, [[2_500, 3], [2_000, 4], [100, 100]])).toEqual([[2_000, 4]]);
  expect(fewestChips(50, RACK)).toBeNull();
  expect(fewestChips(10_000_000, RACK)).toBeNull();
});

test("a number of pieces is whole, not negative, and no more than a million", () => {
  expect(["", " 7 ", "0", "1000000"].map(readCount)).toEqual([null, 7, 0, 1_000_000]);
  for (const wrong of ["1.5", "-1", "x", "1000001", "1e3"]) expect(readCount(wrong)).toBeUndefined();
});

test("a sheet is read with the largest chips first, and without those of which there are none", () => {
  const written = new Map<Chip, string>([[500, "3"], [10_000, "2"], [100, ""], [2_500, "0"]]);
  expect(readChips(written)).toEqual([[10_000, 2], [500, 3]]);
  expect(sumWritten(written)).toBe(21_500);
  expect(readChips(new Map([[500, "three"]]))).toBeUndefined();
  expect(isBlank(new Map([[500, " "]]))).toBe(true);
  expect(isBlank(new Map([[500, "0"]]))).toBe(false);
});

test("coloured chips count at the value marked for them", () => {
  const marked = markedOf(chipTable([player("1", "red", { value: 500 }), player("2", null)]));
  expect(sumOf([["red", 4], [2_500, 1]], marked)).toBe(4_500);
  expect(readChips(writeChips([[100, 1], ["red", 4]]), marked)).toEqual([["red", 4], [100, 1]]);
});

test("the first chip of which more is written than there is, is shown", () => {
  expect(shortOf(new Map([[500, "80"], [10_000, "11"]]), RACK)).toBe(10_000);
  expect(shortOf(new Map([[500, "80"]]), RACK)).toBeNull();
});
