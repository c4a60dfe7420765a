import { expect, test } from "vitest";

import type { ChipMark } from "../../layout/index.ts";
import { CHIP_STORY } from "./chip_story.example.ts";
import { isChipTable, momentAt, postingsOf, stepsOf, terminalsOf } from "./replay_steps.ts";
import { STORY, move } from "./story.example.ts";

const steps = stepsOf(STORY);
const at = (name: string, part: string = "whole"): number =>
  steps.findIndex(({ event, part: own }) => event.event === name && own === part);
const chips = (step: number, only: string | null = null): Record<string, readonly ChipMark[]> =>
  Object.fromEntries(momentAt(STORY, steps, step, only).chips);
const lies = (amount: number): ChipMark[] => [{ amount, state: "registered" }];

test("a settlement is two steps of one event, losers first", () => {
  expect(steps).toHaveLength(STORY.events.length + 1);
  expect(steps.slice(-2).map(({ part }) => part)).toEqual(["collect", "pay"]);
});

test("what lies on the layout is what was registered, less what was withdrawn and given back", () => {
  expect(chips(0)).toEqual({});
  expect(chips(1)).toEqual({ small: lies(1000), big: lies(500) });
  expect(chips(2)).toEqual({ small: lies(1300), big: lies(500), "total-9": lies(200) });
  expect(chips(3)).toEqual({ small: lies(1300), big: lies(500) });
  expect(chips(at("BetsClosed"))).toEqual({ small: lies(1000), big: lies(500) });
});

test("one terminal's chips alone", () => {
  expect(chips(2, "T1-2")).toEqual({ small: lies(300), "total-9": lies(200) });
  expect(chips(at("BetsClosed"), "T1-2")).toEqual({});
});

test("the dice are those of the newest event that has them", () => {
  expect(momentAt(STORY, steps, at("BetsClosed")).faces).toBeNull();
  expect(momentAt(STORY, steps, at("ResultEntered")).faces).toEqual([1, 2, 5]);
  expect(momentAt(STORY, steps, at("ResultAmended")).faces).toEqual([1, 2, 6]);
});

test("boxes are lit from the confirmation on", () => {
  expect(momentAt(STORY, steps, at("ResultAmended")).lit.size).toBe(0);
  expect([...momentAt(STORY, steps, at("ResultConfirmed")).lit]).toEqual(["small", "total-9"]);
});

test("losing chips are collected, then winning ones paid", () => {
  const collect = momentAt(STORY, steps, at("RoundSettled", "collect"));
  expect(collect.ceremony).toBe("collect");
  expect(Object.fromEntries(collect.chips)).toEqual({
    small: lies(1000),
    big: [{ amount: 500, state: "lost" }],
  });
  const pay = momentAt(STORY, steps, at("RoundSettled", "pay"));
  expect(pay.ceremony).toBe("pay");
  expect(Object.fromEntries(pay.chips)).toEqual({ small: [{ amount: 2000, state: "won" }] });
});

test("a void round leaves nothing on the layout, and lights nothing", () => {
  const events = STORY.events.map((event) =>
    event.event === "RoundSettled" ? { ...event, event: "RoundVoided" } : event,
  );
  const story = { ...STORY, events };
  const own = stepsOf(story);
  const end = momentAt(story, own, own.length - 1);
  expect(end.chips.size).toBe(0);
  expect(end.lit.size).toBe(0);
  expect(momentAt(story, own, own.length - 2).chips.size).toBe(2);
});

test("postings belong to the event of a step", () => {
  expect(postingsOf(STORY, steps[0] ?? fail()).length).toBe(0);
  expect(postingsOf(STORY, steps[1] ?? fail()).map(({ amount }) => amount)).toEqual([1500]);
  expect(postingsOf(STORY, steps.at(-1) ?? fail())).toHaveLength(3);
});

test("every terminal is named once", () => {
  expect(terminalsOf(STORY)).toEqual(["T1-1", "T1-2"]);
});

test("what an event moved is read from the answer, whatever the event is", () => {
  const events = STORY.events.map((each) => ({ ...each, event: "Unheard", details: { bets: [["big", 9]] } }));
  const story = { ...STORY, events };
  const own = stepsOf(story);
  expect(Object.fromEntries(momentAt(story, own, 0).chips)).toEqual({});
  expect(Object.fromEntries(momentAt(story, own, own.length - 1).chips)).toEqual({ small: lies(1000), big: lies(500) });
});

const chipSteps = stepsOf(CHIP_STORY);
const chipsAt = (step: number, only: string | null = null): Record<string, readonly ChipMark[]> =>
  Object.fromEntries(momentAt(CHIP_STORY, chipSteps, step, only).chips);
const stack = (seat: string, amount: number, colour: string | null = null): ChipMark => ({
  ...{ amount, state: "registered", seat, colour },
});

test("a layout shows each player's own stack, by seat and by colour", () => {
  expect(isChipTable(CHIP_STORY)).toBe(true);
  expect(isChipTable(STORY)).toBe(false);
  expect(chipsAt(1)).toEqual({ small: [stack("10", 10_000)], "total-9": [stack("10", 5_000)] });
  expect(chipsAt(2)["big"]).toEqual([stack("2", 2_000, "pink")]);
});

test("what is read again, taken back, rejected or put right moves on the layout", () => {
  expect(chipsAt(3)["big"], "read again").toEqual([stack("2", 3_000, "pink")]);
  expect(chipsAt(4)["big"], "taken back").toEqual([stack("2", 2_000, "pink")]);
  expect(chipsAt(5)["small"], "two players on one box").toEqual([stack("10", 10_000), stack("2", 2_500)]);
  expect(chipsAt(6)["total-9"], "rejected").toEqual([stack("10", 2_500)]);
  expect(chipsAt(7), "put right").toEqual({
    small: [stack("10", 12_500), stack("2", 2_500)],
    big: [stack("2", 2_000, "pink")],
  });
  expect(chipsAt(7, "2")).toEqual({ small: [stack("2", 2_500)], big: [stack("2", 2_000, "pink")] });
});

test("what was advised or ruled on, and goes back, is off the layout at once", () => {
  const step = (name: string): number => chipSteps.findIndex(({ event }) => event.event === name);
  const [own, other] = [stack("2", 2_000, "pink"), stack("10", 30_000)];
  expect(chipsAt(step("BetsClosed"))["total-9"], "advised").toEqual([stack("2", 500, "pink")]);
  expect(chipsAt(step("AdvisedBetReturned"))["total-9"], "returned").toBeUndefined();
  expect(chipsAt(step("AdvisedBetReturned"))["big"], "to be ruled on").toEqual([own, other]);
  expect(chipsAt(step("BetRuled"))["big"], "returned by the ruling").toEqual([own]);
});

test("where a stack cannot be split, its change is in its place when the losers are collected", () => {
  const moves = [
    move(2, "10", "small", 10_000, [[10_000, 1]]),
    move(16, "10", "small", -4_000, [[10_000, -1], ["pink", 12]]),
  ];
  const story = { ...CHIP_STORY, moves };
  const collected = chipSteps.findIndex(({ event }) => event.event === "LosersCollected");
  expect(Object.fromEntries(momentAt(story, chipSteps, collected).chips)).toEqual({
    small: [stack("10", 6_000, "pink"), { ...stack("10", 4_000), state: "lost" }],
  });
});

test("a layout is collected, then paid", () => {
  const last = chipSteps.length - 1;
  expect(chipsAt(last - 1)).toEqual({
    small: [stack("10", 12_500), stack("2", 2_500)],
    big: [{ ...stack("2", 2_000, "pink"), state: "lost" }],
  });
  expect(chipsAt(last)).toEqual({
    small: [{ ...stack("10", 25_000), state: "won" }, { ...stack("2", 5_000), state: "won" }],
  });
  expect(momentAt(CHIP_STORY, chipSteps, last).faces).toEqual([1, 2, 6]);
});

test("seats are listed by their numbers", () => {
  expect(terminalsOf(CHIP_STORY)).toEqual(["2", "10"]);
});

function fail(): never {
  throw new Error("The example has no such step.");
}
