/** What a round is on a road: as the server classes it, never worked out here. */

import type { RoundSummary } from "../protocol.ts";

/** A finished round, with its call where the server sent it. */
export type RoadRound = RoundSummary & { readonly call?: string | null };

/** Which road: Big and Small, or Odd and Even. */
export type By = "size" | "parity";

export type Outcome = "big" | "small" | "odd" | "even" | "triple";

export interface Entry {
  readonly round: RoadRound;
  readonly outcome: Outcome;
}

/** The rounds that go on a road; a void round goes on none. */
export function entries(rounds: readonly RoadRound[], by: By): readonly Entry[] {
  return rounds.flatMap((round) => {
    const outcome = round[by];
    return round.void || outcome === null ? [] : [{ round, outcome }];
  });
}

/** The outcomes of a road, in the order they are named. */
export const OUTCOMES: Readonly<Record<By, readonly Outcome[]>> = {
  size: ["big", "small", "triple"],
  parity: ["odd", "even", "triple"],
};
