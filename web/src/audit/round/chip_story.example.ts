/** A round of a chip table as the server sends it, from the first chip to the last; for tests. */

import type { RoundStoryView } from "../../answers.ts";
import type { Pieces } from "../../protocol.ts";
import { STORY, event, move } from "./story.example.ts";

type Recorded = readonly [box: string, amount: number, chips: readonly Pieces[]];

function bet(version: number, name: string, seat: string, details: object): ReturnType<typeof event> {
  return event(version, name, `${name} of seat ${seat}`, { terminal: seat, details: { seat, ...details } });
}

const HUNDRED: Recorded = ["small", 10_000, [[10_000, 1]]];
const PINK_4: Recorded = ["big", 2_000, [["pink", 4]]];
const PINK_6: Recorded = ["big", 3_000, [["pink", 6]]];

export const CHIP_STORY: RoundStoryView = {
  ...STORY,
  form: "chips",
  result: { ...(STORY.result ?? fail()), collected: 2_000, paid: 15_000 },
  events: [
    event(1, "RoundStarted", "round 7 begins"),
    bet(2, "BetsRecorded", "10", { bets: [HUNDRED, ["total-9", 5_000, [[2_500, 2]]]] }),
    bet(3, "BetsRecorded", "2", { bets: [PINK_4] }),
    bet(4, "RecordCorrected", "2", { before: PINK_4, after: PINK_6 }),
    bet(5, "BetsTakenBack", "2", { bets: [["big", 1_000, [["pink", 2]]]] }),
    bet(6, "BetsRecorded", "2", { bets: [["small", 2_500, [[2_500, 1]]]] }),
    bet(7, "ExcessRejected", "10", { bet: ["total-9", 2_500, [[2_500, 1]]] }),
    bet(8, "BetPutRight", "10", { from_box: "total-9", to_box: "small", amount: 2_500, chips: [[2_500, 1]] }),
    bet(9, "BetsRecorded", "2", { bets: [["total-9", 500, [["pink", 1]]]] }),
    bet(10, "BetsRecorded", "10", { bets: [["big", 30_000, [[10_000, 3]]]] }),
    event(11, "BetsClosed", "called: no more bets", { details: { rejected: [] } }),
    bet(12, "AdvisedBetReturned", "2", { bet: ["total-9", 500, [["pink", 1]]] }),
    bet(13, "BetRuled", "10", { bet: ["big", 30_000, [[10_000, 3]]], verdict: "returned", plays: 0 }),
    event(14, "ResultEntered", "the result is entered: 1 2 6", { details: { faces: [1, 2, 6] } }),
    event(15, "ResultConfirmed", "the result is confirmed", { details: { faces: [1, 2, 6] } }),
    event(16, "LosersCollected", "the losing bets of round 7 are collected", {
      details: { round: 7, collected: [["big", "2", 2_000, [["pink", 4]], []]], put_back: [] },
    }),
    event(17, "RoundSettled", "round 7 is settled", {
      details: { faces: [1, 2, 6], chips: [[10_000, 1], [2_500, 2]] },
    }),
  ],
  moves: [
    move(2, "10", "small", 10_000, [[10_000, 1]]),
    move(2, "10", "total-9", 5_000, [[2_500, 2]]),
    move(3, "2", "big", 2_000, [["pink", 4]]),
    move(4, "2", "big", -2_000, [["pink", -4]]),
    move(4, "2", "big", 3_000, [["pink", 6]]),
    move(5, "2", "big", -1_000, [["pink", -2]]),
    move(6, "2", "small", 2_500, [[2_500, 1]]),
    move(7, "10", "total-9", -2_500, [[2_500, -1]]),
    move(8, "10", "total-9", -2_500, [[2_500, -1]]),
    move(8, "10", "small", 2_500, [[2_500, 1]]),
    move(9, "2", "total-9", 500, [["pink", 1]]),
    move(10, "10", "big", 30_000, [[10_000, 3]]),
    move(12, "2", "total-9", -500, [["pink", -1]]),
    move(13, "10", "big", -30_000, [[10_000, -3]]),
    move(16, "2", "big", -2_000, [["pink", -4]]),
  ],
  bets: [
    { ...line("10", "small", 12_500), outcome: "win", odds: "1", won: 12_500, back: 25_000 },
    { ...line("2", "small", 2_500), outcome: "win", odds: "1", won: 2_500, back: 5_000 },
    { ...line("2", "big", 2_000), outcome: "lose", odds: null, won: 0, back: 0 },
  ],
  postings: [
    { version: 2, event: "BetsRecorded", source: "floor:chips", destination: "terminal:10", amount: 5_000 },
    { version: 2, event: "BetsRecorded", source: "terminal:10", destination: "stake:10", amount: 15_000 },
  ],
  balances: [{ ...(STORY.balances[0] ?? fail()), terminal: "10" }],
};

function line(terminal: string, box: string, stake: number) {
  return { terminal, box, stake, clause: "4.1.1", reason: null };
}

function fail(): never {
  throw new Error("The example has no such part.");
}
