import { expect, test } from "vitest";

import type { ChipStack } from "../../../live/index.ts";
import type { Pieces } from "../../../protocol.ts";
import { player } from "../../fakes.ts";
import { commandsOf, isWhole, readLine, type Reading } from "./line.ts";

const NAMES: readonly (readonly [code: string, box: string, name: string])[] = [
  ["b", "big", "Big"],
  ["s", "small", "Small"],
  ["t9", "total-9", "Total 9"],
  ["t10", "total-10", "Total 10"],
  ["1", "single-1", "Single 1"],
  ["35", "domino-35", "Domino 3·5"],
  ["66", "double-6", "Double 6"],
  ["666", "triple-6", "Triple 6"],
];

function reading(more: Partial<Reading> = {}): Reading {
  return {
    boxes: new Map(NAMES.map(([code, box, name]) => [code, { code, box, name }])),
    seat: "3",
    player: player("3", "red"),
    values: [100, 500, 2_500, 10_000],
    stacks: [],
    excess: () => [],
    ...more,
  };
}

const VALUE = { player: player("3", null) };
const meant = (line: string, more: Partial<Reading> = {}): [string, readonly Pieces[], number][] =>
  readLine(line, reading(more)).puts.map(({ box, chips, amount }) => [box, chips, amount]);
const wrong = (line: string, more: Partial<Reading> = {}): string[] =>
  readLine(line, reading(more)).faults.map(({ code, open }) => (open ? `${code}?` : code));
const sent = (line: string, more: Partial<Reading> = {}) => commandsOf(readLine(line, reading(more)), "3");
const lies = (box: string, chips: readonly Pieces[], amount: number): ChipStack => ({
  ...{ seat: "3", box, chips, amount },
  oral: false,
});

test("a number is pieces of the player's own colour, at the value marked", () => {
  expect(meant("b 5 t9 2")).toEqual([
    ["big", [["red", 5]], 500],
    ["total-9", [["red", 2]], 200],
  ]);
});

test("for a player without a colour it is an amount, in the fewest chips, the smaller on top", () => {
  expect(meant("66 131", VALUE)).toEqual([["double-6", [[10_000, 1], [2_500, 1], [500, 1], [100, 1]], 13_100]]);
});

test("pieces of a denomination are joined with others, and lie with the smaller on top", () => {
  expect(meant("666 3x25+2x100+4")).toEqual([["triple-6", [[10_000, 2], [2_500, 3], ["red", 4]], 27_900]]);
  expect(meant("1 2*25")).toEqual([["single-1", [[2_500, 2]], 5_000]]);
  expect(meant("1 $30")).toEqual([["single-1", [[2_500, 1], [500, 1]], 3_000]]);
});

test("a letter needs no space, several boxes take the same, and one box named twice is one bet", () => {
  expect(meant("b5 s2")).toEqual(meant("b 5 s 2"));
  expect(meant("b,35 2")).toEqual(meant("b 2 35 2"));
  expect(meant("b 2 s 1 b 3")).toEqual(meant("b 5 s 1"));
});

test("digits are a box where a box belongs, and chips where chips do", () => {
  expect(meant("1 1 66 35")).toEqual([
    ["single-1", [["red", 1]], 100],
    ["double-6", [["red", 35]], 3_500],
  ]);
});

test("what is not understood is shown, and what may still come right is not held against anybody", () => {
  expect(wrong("t")).toEqual(["no_box?"]);
  expect(wrong("t ")).toEqual(["no_box"]);
  expect(wrong("z 5")).toEqual(["no_box"]);
  expect(wrong("9.")).toEqual(["no_such_seat"]);
  expect(wrong("b")).toEqual(["no_stack?"]);
  expect(wrong("b 2x")).toEqual(["no_chip?"]);
  expect(wrong("b 2x30 ")).toEqual(["no_chip"]);
  expect(wrong("b five ")).toEqual(["bad_stack"]);
  expect(wrong("b 0 ")).toEqual(["bad_stack"]);
  expect(wrong("b 2.50 ", VALUE)).toEqual(["no_break"]);
  expect(isWhole(readLine("b 5 z 5", reading()))).toBe(false);
});

test("nobody bets more pieces than they have, at an empty seat, or after walking away", () => {
  const short = { player: player("3", "red", { pieces: 6 }) };
  expect(wrong("b 3 s 3", short)).toEqual([]);
  expect(wrong("b 3 s 4", short)).toEqual(["too_many"]);
  expect(wrong("b 3", { player: null })).toContain("seat_free");
  expect(wrong("b 3", { seat: null, player: null })).toContain("no_seat");
  expect(wrong("b 3", { player: player("3", "red", { away: true }) })).toEqual(["seat_away"]);
});

test("one line is one batch, spoken or on behalf of a player", () => {
  expect(sent("b 5 66 1")).toEqual([
    { type: "RecordBets", seat: "3", bets: [["big", [["red", 5]]], ["double-6", [["red", 1]]]] },
  ]);
  expect(sent("!b 5")).toEqual([{ type: "RecordBets", seat: "3", bets: [["big", [["red", 5]]]], oral: true }]);
  expect(sent("@b 5")).toMatchObject([{ type: "RecordBets", on_behalf: true }]);
});

test("chips are taken back as they are keyed, or all that lie there", () => {
  const there = { stacks: [lies("big", [["red", 8]], 800)] };
  expect(sent("-b 3", there)).toEqual([{ type: "TakeBackBets", seat: "3", bets: [["big", [["red", 3]]]] }]);
  expect(sent("-b", there)).toEqual([{ type: "TakeBackBets", seat: "3", bets: [["big", [["red", 8]]]] }]);
  expect(wrong("-b 9", there)).toEqual(["not_there"]);
  expect(wrong("-s", there)).toEqual(["not_there?"]);
});

test("a record is put right with the reason behind it", () => {
  const there = { stacks: [lies("big", [["red", 8]], 800)] };
  expect(sent("=b 6 two were of seat 4", there)).toEqual([
    { type: "CorrectRecord", seat: "3", box: "big", chips: [["red", 6]], note: "two were of seat 4" },
  ]);
  expect(sent("=b 0 nothing lies there", there)).toMatchObject([{ type: "CorrectRecord", chips: [] }]);
  expect(wrong("=b 6", there)).toEqual(["note_missing?"]);
  expect(wrong("=b 6 why")).toEqual(["not_there"]);
  expect(wrong("=b,s 6 why", there)).toEqual(["one_box"]);
});

test("excess is rejected and players are advised by their box", () => {
  const over = { stacks: [lies("big", [["red", 8]], 800)], excess: (): readonly Pieces[] => [["red", 2]] };
  expect(sent(">b", over)).toEqual([{ type: "RejectExcess", seat: "3", box: "big", chips: [["red", 2]] }]);
  expect(wrong(">b", { ...over, excess: () => [] })).toEqual(["no_excess?"]);
  expect(sent("?b s")).toEqual([
    { type: "AdvisePlayer", seat: "3", box: "big" },
    { type: "AdvisePlayer", seat: "3", box: "small" },
  ]);
});
