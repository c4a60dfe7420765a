/**
 * A round as steps, and the state of the layout after each step.
 *
 * This module reads no bets from events and settles nothing: the server's answer has the moves on
 * boxes, their outcomes and the lit boxes. The settlement is two steps, since losing bets are
 * collected before winning ones are paid; at a chip table these are two events.
 */

import type { EventView, RoundStoryView, StoryLine, StoryMove, StoryPosting } from "../../answers.ts";
import type { Ceremony, ChipMark } from "../../layout/index.ts";
import { colourOf, isAt, listOf, takenOff } from "./chip_events.ts";

export interface Step {
  readonly event: EventView;
  readonly part: "whole" | "collect" | "pay";
}

/** A round at one of its steps. */
export interface Moment {
  /** The chips on each box, of all players or of one terminal. */
  readonly chips: ReadonlyMap<string, readonly ChipMark[]>;
  /** The dice, once they were entered. */
  readonly faces: readonly number[] | null;
  readonly lit: ReadonlySet<string>;
  readonly ceremony: Ceremony;
}

export function stepsOf(story: RoundStoryView): readonly Step[] {
  const byHand = isChipTable(story);
  return story.events.flatMap((event): Step[] => {
    if (event.event === "LosersCollected") return [{ event, part: "collect" }];
    if (event.event === "RoundSettled" && byHand) return [{ event, part: "pay" }];
    if (event.event !== "RoundSettled") return [{ event, part: "whole" }];
    return [
      { event, part: "collect" },
      { event, part: "pay" },
    ];
  });
}

/** The money that the event of a step moved. */
export function postingsOf(story: RoundStoryView, step: Step): readonly StoryPosting[] {
  const { version } = step.event;
  return story.postings.filter((posting) => posting.version === version);
}

/** Every terminal or seat that took part in the round, sorted by name. */
export function terminalsOf(story: RoundStoryView): readonly string[] {
  const named = [...story.events.map(({ terminal }) => terminal), ...story.bets.map(({ terminal }) => terminal)];
  const inOrder = (one: string, other: string): number => one.localeCompare(other, "en", { numeric: true });
  return [...new Set(named.filter((name) => name !== null))].sort(inOrder);
}

/** The bets that the event of a step put on boxes, or took off them. */
export function movesOf(story: RoundStoryView, step: Step): readonly StoryMove[] {
  const { version } = step.event;
  return story.moves.filter((move) => move.version === version);
}

const SHOW_DICE: ReadonlySet<string> = new Set(["ResultEntered", "ResultAmended", "ResultConfirmed", "RoundSettled"]);

/** The dice in the newest event that has them. */
function diceAt(passed: readonly Step[]): readonly number[] | null {
  const newest = passed.findLast(({ event }) => SHOW_DICE.has(event.event));
  const faces = listOf(newest?.event.details["faces"]).filter((face) => typeof face === "number");
  return faces.length === 3 ? faces : null;
}

type Sums = Map<string, number>;

function add(sums: Sums, box: string, amount: number): void {
  const sum = (sums.get(box) ?? 0) + amount;
  if (sum === 0) sums.delete(box);
  else sums.set(box, sum);
}

type IsWanted = (terminal: string) => boolean;

/** All moves up to the end of a step. */
function movedBy(story: RoundStoryView, step: Step, isWanted: IsWanted): readonly StoryMove[] {
  const { version } = step.event;
  return story.moves.filter((move) => move.version <= version && isWanted(move.terminal));
}

/** The stakes on each box after moves. */
function stakesAfter(moved: readonly StoryMove[]): Sums {
  const sums: Sums = new Map();
  for (const { box, amount } of moved) add(sums, box, amount);
  return sums;
}

function marked(sums: Sums, state: ChipMark["state"]): [string, ChipMark[]][] {
  return [...sums].map(([box, amount]) => [box, [{ amount, state }]]);
}

type Marks = Map<string, ChipMark[]>;

function put(marks: Marks, box: string, mark: ChipMark): void {
  marks.set(box, [...(marks.get(box) ?? []), mark]);
}

/** The stacks on a layout after moves, one per player and box, with seat and colour. */
function stacksAfter(moved: readonly StoryMove[]): Marks {
  const marks: Marks = new Map();
  const stacks = new Map(moved.map(({ terminal: seat, box }) => [`${seat} ${box}`, { seat, box }]));
  for (const { seat, box } of stacks.values()) {
    const own = moved.filter(isAt(seat, box));
    const amount = own.reduce((sum, each) => sum + each.amount, 0);
    if (amount > 0) put(marks, box, { amount, state: "registered", seat, colour: colourOf(own) });
  }
  return marks;
}

/** The stacks left on a layout, with what was paid back for each. */
function paidStacks(lines: readonly StoryLine[], moved: readonly StoryMove[]): Marks {
  const marks: Marks = new Map();
  for (const { terminal: seat, box, back } of lines) {
    const colour = colourOf(moved.filter(isAt(seat, box)));
    if (back > 0) put(marks, box, { amount: back, state: "won", seat, colour });
  }
  return marks;
}

/** The layout while losing bets are collected: the stacks that stay, and those taken now. */
function collectedStacks(moved: readonly StoryMove[], now: readonly StoryMove[]): Marks {
  const marks = stacksAfter(moved);
  for (const { terminal: seat, box, amount, chips } of now) {
    const colour = colourOf([{ chips: takenOff(chips) }]);
    if (amount < 0) put(marks, box, { amount: -amount, state: "lost", seat, colour });
  }
  return marks;
}

/** The chips on each box during settlement: first losers are collected, then the rest is paid. */
function settled(lines: readonly StoryLine[], part: Step["part"]): Marks {
  const [lost, others]: [Sums, Sums] = [new Map(), new Map()];
  for (const { box, stake, back } of lines) {
    if (back === 0) add(lost, box, stake);
    else add(others, box, part === "pay" ? back : stake);
  }
  if (part === "pay") return new Map(marked(others, "won"));
  const all = new Map(marked(others, "registered"));
  for (const [box, marks] of marked(lost, "lost")) all.set(box, [...(all.get(box) ?? []), ...marks]);
  return all;
}

/** The round after a step (from 0), for all terminals or for one. */
export function momentAt(
  story: RoundStoryView,
  steps: readonly Step[],
  at: number,
  only: string | null = null,
): Moment {
  const isWanted = (terminal: string): boolean => only === null || terminal === only;
  const passed = steps.slice(0, at + 1);
  const step = steps[at];
  const lit = isLit(steps, at) ? new Set(story.result?.winners ?? []) : new Set<string>();
  const dice = diceAt(passed);
  if (step === undefined) return { chips: new Map(), faces: null, lit, ceremony: "none" };
  const end = passed.findLast(({ event }) => ENDS.has(event.event));
  if (end !== undefined && end.event.event !== "RoundSettled")
    return { chips: new Map(), faces: dice, lit: new Set(), ceremony: "none" };
  const moved = movedBy(story, step, isWanted);
  if (step.event.event === "LosersCollected") {
    const now = movesOf(story, step).filter(({ terminal }) => isWanted(terminal));
    const chips = collectedStacks(moved, now);
    return { chips, faces: dice, lit, ceremony: "collect" };
  }
  if (end === undefined) {
    const chips = isChipTable(story) ? stacksAfter(moved) : new Map(marked(stakesAfter(moved), "registered"));
    return { chips, faces: dice, lit, ceremony: "none" };
  }
  const lines = story.bets.filter(({ terminal }) => isWanted(terminal));
  const part = end.part === "collect" ? "collect" : "pay";
  const chips = isChipTable(story) ? paidStacks(lines, moved) : settled(lines, part);
  return { chips, faces: dice, lit, ceremony: part };
}

/** Events that end the bets of a round. */
const ENDS: ReadonlySet<string> = new Set(["RoundSettled", "RoundVoided"]);

/** Whether the round was played with chips on a layout, by seats. */
export function isChipTable(story: RoundStoryView): boolean {
  return story.form === "chips";
}

/**
 * Whether the final winning boxes are lit: from the confirmation that was settled. For an earlier
 * confirmation, amended later, the server's answer names no boxes, and none are lit.
 */
function isLit(steps: readonly Step[], at: number): boolean {
  const settledAt = steps.findIndex(({ event }) => event.event === "RoundSettled");
  const confirmedAt = steps.findLastIndex(({ event }, place) => event.event === "ResultConfirmed" && place < settledAt);
  return confirmedAt >= 0 && at >= confirmedAt;
}
