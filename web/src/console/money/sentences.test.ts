import { expect, test } from "vitest";

import type { AnyEvent } from "../../protocol.ts";
import { useWords } from "../../words/words.ts";
import { requestSentence } from "../approvals/approvals.tsx";
import { sentenceOf } from "../history/log.ts";

const t = useWords("console");
const nameOf = (code: string): string => ({ small: "Small", big: "Big" })[code] ?? code;
const requested = (command: Readonly<Record<string, unknown>>): string => requestSentence(t, command, nameOf);

test("a second person reads what was counted, to the cent", () => {
  const count = [[10_000, 10], [2_500, 20], [100, 1]];
  expect(requested({ type: "OpenDay", date: "2026-11-16", count })).toBe(
    "open the gaming day 2026-11-16 with $1,501.00 counted in the rack",
  );
  expect(requested({ type: "CloseDay", count })).toBe("close the gaming day with $1,501.00 counted in the rack");
  expect(requested({ type: "CountDrop", cash: 30_000, chips: 500 })).toBe(
    "the drop box counted: $300.00 in cash, $5.00 in chips for value",
  );
  expect(requested({ type: "ReceiveFill", transit: "c-1", chips: count })).toBe("receive the fill c-1: $1,501.00 counted");
  expect(requested({ type: "SendCredit", chips: count })).toBe("send a credit of $1,501.00 to the cage");
  expect(requested({ type: "ReturnCredit", transit: "T-1", chips: count })).toBe(
    "take the credit T-1 back: $1,501.00 counted",
  );
});

test("a second person reads whose money it is, and why a bet is moved", () => {
  expect(requested({ type: "RecordRecovery", seat: "5", missing: 3_000, note: "gone" })).toBe(
    "$30.00 could not be recovered from seat 5: gone",
  );
  const moved = { type: "PutBetRight", seat: "2", from_box: "small", to_box: "big", note: "a sleeve" };
  expect(requested({ ...moved, chips: [["red", 2], [500, 1]] })).toBe("move 3 chips of seat 2 from Small to Big: a sleeve");
  expect(requested({ ...moved, chips: [["red", 1]] })).toBe("move 1 chip of seat 2 from Small to Big: a sleeve");
});

test("what happened to a table's money is shown in a sentence", () => {
  const sentence = (event: AnyEvent): string => sentenceOf(t, event, nameOf);
  expect(sentence({ type: "ColourAssigned", seat: "1", colour: "red", value: 500, by: "bo" })).toBe(
    "Red belongs to seat 1, at $5.00 a piece",
  );
  expect(sentence({ type: "ChipsBought", seat: "1", chips: [[500, 3]], cash: 1_000, dropped: 500, by: "bo" })).toBe(
    "Seat 1 bought chips worth $15.00",
  );
  expect(sentence({ type: "DropCounted", cash: 1_000, chips: 500, expected: 1_600, by: "bo" })).toBe(
    "bo counted the drop box: $15.00, the books say $16.00",
  );
  expect(
    sentence({
      type: "RecordCorrected",
      seat: "2",
      before: ["small", 500, [[500, 1]]],
      after: ["small", 1_000, [[500, 2]]],
      brought: 0,
      note: "one under the other",
      by: "bo",
      ...{ clause: null, lay_at: null, late: false },
    }),
  ).toBe("bo read seat 2 on Small again: $10.00, not $5.00. one under the other");
  expect(sentence({ type: "ExcessRejected", seat: "2", bet: ["big", 500, [[500, 1]]], clause: null, by: "bo" })).toBe(
    "$5.00 of seat 2 on Big was rejected as excess",
  );
  const counts = { count: [], closing: 95_000, expected: 96_000, opening: 200_000, fills: 0, credits: 10_000, drop: 0 };
  expect(sentence({ type: "DayClosed", date: "2026-11-16", ...counts, win: -95_000, by: "bo" })).toBe(
    "bo closed the gaming day 2026-11-16: $950.00 in the rack, the books say $960.00; win -$950.00",
  );
});
