/** A round as the server sends it, short enough to follow by eye; for tests. */

import type { EventView, LayoutView, OddsView, RoundStoryView, StoryMove } from "../../answers.ts";

const BEGAN = 1_794_826_787_926;

export function event(version: number, name: string, summary: string, more: Partial<EventView> = {}): EventView {
  return {
    at: BEGAN + version * 1000,
    stream: "table/T1",
    version,
    event: name,
    round: 7,
    terminal: null,
    role: "dealer",
    person: "Dana",
    order: `${BEGAN}-${version}`,
    second: null,
    second_role: null,
    clause: null,
    note: null,
    summary,
    details: {},
    ...more,
  };
}

export function move(
  version: number,
  terminal: string,
  box: string,
  amount: number,
  chips: StoryMove["chips"] = [],
): StoryMove {
  return { version, terminal, box, amount, chips };
}

function bets(version: number, name: string, terminal: string, placed: readonly [string, number][]): EventView {
  const summary = `${terminal}: ${name} ${placed.map(([box]) => box).join(", ")}`;
  const more = { terminal, role: "terminal", person: terminal, details: { terminal, bets: placed } };
  return event(version, name, summary, more);
}

export const STORY: RoundStoryView = {
  table: "T1",
  round: 7,
  rulebook: { key: "etg8", title: "Sic Bo", version: "8", effective: null, sha256: "ab".repeat(32) },
  pay_table: "etg8/1",
  operator: "The House",
  apart: [{ aspect: "dice", approved_by: "The Authority", reference: "letter 3" }],
  limits: { step: 100, general: { minimum: 100, maximum: 500_000 }, boxes: {}, differential: null },
  form: "terminals",
  equipment: { tumbler: "keyed", read_by_dealer_too: false },
  dice_set: "D1",
  began_at: BEGAN,
  ended_at: BEGAN + 9000,
  result: {
    end: "settled",
    dice: [1, 2, 6],
    total: 9,
    call: "1, 2, 6, total 9",
    winners: ["small", "total-9"],
    collected: 500,
    paid: 1000,
    code: null,
    clause: null,
  },
  events: [
    event(1, "RoundStarted", "round 7 begins"),
    bets(2, "BetsRegistered", "T1-1", [["small", 1000], ["big", 500]]),
    bets(3, "BetsRegistered", "T1-2", [["small", 300], ["total-9", 200]]),
    bets(4, "BetsWithdrawn", "T1-2", [["total-9", 200]]),
    event(5, "BetsClosed", "called: no more bets", {
      clause: "3.5",
      details: { rejected: [["T1-2", "small", 300]] },
    }),
    event(6, "ResultEntered", "the result is entered: 1 2 5", { details: { faces: [1, 2, 5] } }),
    event(7, "ResultAmended", "the result is put right: 1 2 6", {
      details: { faces: [1, 2, 6] },
      clause: "5.5",
      second: "Sue",
      second_role: "supervisor",
    }),
    event(8, "ResultConfirmed", "the result is confirmed", { details: { faces: [1, 2, 6] } }),
    event(9, "RoundSettled", "round 7 is settled", { details: { faces: [1, 2, 6] } }),
  ],
  bets: [
    {
      terminal: "T1-1",
      box: "small",
      stake: 1000,
      outcome: "win",
      odds: "1",
      won: 1000,
      back: 2000,
      clause: "4.1.1",
      reason: "Small wins at 1 to 1: total 9 is small",
    },
    {
      terminal: "T1-1",
      box: "big",
      stake: 500,
      outcome: "lose",
      odds: null,
      won: 0,
      back: 0,
      clause: "3.8",
      reason: "Big loses: total 9 is not big",
    },
  ],
  moves: [
    move(2, "T1-1", "small", 1000),
    move(2, "T1-1", "big", 500),
    move(3, "T1-2", "small", 300),
    move(3, "T1-2", "total-9", 200),
    move(4, "T1-2", "total-9", -200),
    move(5, "T1-2", "small", -300),
  ],
  postings: [
    { version: 2, event: "BetsRegistered", source: "terminal:T1-1", destination: "stake:T1-1", amount: 1500 },
    { version: 3, event: "BetsRegistered", source: "terminal:T1-2", destination: "stake:T1-2", amount: 500 },
    { version: 4, event: "BetsWithdrawn", source: "stake:T1-2", destination: "terminal:T1-2", amount: 200 },
    { version: 5, event: "BetsClosed", source: "stake:T1-2", destination: "terminal:T1-2", amount: 300 },
    { version: 9, event: "RoundSettled", source: "stake:T1-1", destination: "house:bank", amount: 500 },
    { version: 9, event: "RoundSettled", source: "stake:T1-1", destination: "terminal:T1-1", amount: 1000 },
    { version: 9, event: "RoundSettled", source: "house:bank", destination: "terminal:T1-1", amount: 1000 },
  ],
  balances: [
    {
      terminal: "T1-1",
      before: 10_000,
      after: 10_500,
      received: 0,
      cashed: 0,
      staked: -1500,
      taken_back: 0,
      back: 2000,
      put_right: 0,
    },
  ],
  corrections: [],
  secret: null,
  chain_unbroken_to: 8,
};

const BOXES = [
  ["small", "Small", "s"],
  ["big", "Big", "b"],
  ["total-9", "Total 9", "t9"],
] as const;

export const LAYOUT: LayoutView = {
  pay_table: "etg8/1",
  sha256: STORY.rulebook.sha256,
  name: "Appendix A",
  clause: "Appendix A",
  columns: 3,
  rows: 1,
  areas: BOXES.map(([box, name, code], x) => ({
    ...{ box, name, code, kind: box.replace(/-.*/, ""), pays: "1", prints: [] },
    ...{ x, y: 0, w: 1, h: 1 },
  })),
  captions: [],
};

export const ODDS: OddsView = {
  pay_table: "etg8/1",
  rulebook: STORY.rulebook,
  layout: "Appendix A",
  boxes: BOXES.map(([box, name]) => ({
    ...{ box, name, kind: box.replace(/-.*/, ""), pays: "1", clause: "4.1.1" },
    ...{ ways: 105, probability: "35/72", house_edge: "1/36" },
  })),
};
