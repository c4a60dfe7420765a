import { expect, test } from "vitest";

import type { ChipStack } from "../../../live/index.ts";
import type { LimitNotice, Pieces } from "../../../protocol.ts";
import { chipTable, player } from "../../fakes.ts";
import { proposed } from "./excess.ts";

const lies = (seat: string, amount: number, chips: readonly Pieces[]): ChipStack => ({
  ...{ seat, box: "big", amount, chips },
  oral: false,
});
const notice = (amount: number, more: Partial<LimitNotice> = {}): LimitNotice => ({
  ...{ box: "big", seat: null, outside: "maximum", amount },
  ...{ sentence: "too much lies on Big", clause: "5.1" },
  ...more,
});
const SEATS = [player("1", "red"), player("2", null)];
const TABLE = chipTable(SEATS, [
  lies("1", 3_000, [["red", 30]]),
  lies("2", 3_600, [[2_500, 1], [500, 2], [100, 1]]),
]);

test("the newest chips go back first, and never more than is in excess", () => {
  // Of 25 + 5 + 5 + 1 no chips make 32: 25 + 5 + 1 is 31, and one piece of red is the rest.
  expect(proposed(TABLE, notice(3_200), 1)).toEqual([
    { seat: "2", chips: [[2_500, 1], [500, 1], [100, 1]], amount: 3_100 },
    { seat: "1", chips: [["red", 1]], amount: 100 },
  ]);
});

test("the large chip stays where only small ones make up the excess", () => {
  expect(proposed(TABLE, notice(1_000), 1)).toEqual([{ seat: "2", chips: [[500, 2]], amount: 1_000 }]);
});

test("what goes back is in whole steps of the table", () => {
  expect(proposed(TABLE, notice(3_200), 500)).toEqual([{ seat: "2", chips: [[2_500, 1], [500, 1]], amount: 3_000 }]);
});

test("where a limit is each player's own, only that player's chips go back", () => {
  expect(proposed(TABLE, notice(500, { seat: "1" }), 1)).toEqual([{ seat: "1", chips: [["red", 5]], amount: 500 }]);
});

test("below the minimum there is nothing to give back", () => {
  expect(proposed(TABLE, notice(500, { seat: "1", outside: "minimum" }), 1)).toEqual([]);
});
