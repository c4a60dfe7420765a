/** The outcome of a round on a road, as the server classified it; never computed here. */

import type { RoundSummary } from "../protocol.ts";

/** A finished round, with its call if the server sent it. */
export type RoadRound = RoundSummary & { readonly call?: string | null };

/** The road: Big and Small, or Odd and Even. */
export type By = "size" | "parity";

export type Outcome = "big" | "small" | "odd" | "even" | "triple";

export interface Entry {
  readonly round: RoadRound;
  readonly outcome: Outcome;
}

/** The rounds of a road; void rounds are left out. */
export function entries(rounds: readonly RoadRound[], by: By): readonly Entry[] {
  return rounds.flatMap((round) => {
    const outcome = round[by];
    return round.void || outcome === null ? [] : [{ round, outcome }];
  });
}

/** The outcomes of a road, in the order in which they are named. */
export const OUTCOMES: Readonly<Record<By, readonly Outcome[]>> = {
  size: ["big", "small", "triple"],
  parity: ["odd", "even", "triple"],
};
