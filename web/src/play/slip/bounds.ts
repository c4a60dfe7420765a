/** The limits as the player sees them, compared with a draft; only the server decides. */

import { DENOMINATIONS } from "../../layout/chips/chip.tsx";
import type { LimitsAsked } from "../../protocol.ts";
import type { Stakes } from "./draft.ts";

/** The limits of one box; without a step, any stake whose winnings are whole amounts. */
export interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
  readonly step: number | null;
}

/** A problem of a draft on one box: it cannot be sent, or is likely to be refused. */
export type Snag =
  | { readonly kind: "short"; readonly box: string; readonly by: number }
  | { readonly kind: "over"; readonly box: string; readonly by: number; readonly most: number }
  | { readonly kind: "off-step"; readonly box: string; readonly step: number };

/** The limits of a box: its own, if the server sent any for it, or else the table's. */
export function boundsOf(limits: LimitsAsked, box: string): Bounds {
  const [least, most] = limits.boxes?.[box] ?? [null, null];
  return {
    minimum: least ?? limits.minimum,
    maximum: most ?? limits.maximum,
    step: limits.step ?? null,
  };
}

/** Compare a draft, added to the registered bets, with the limits. */
export function snagsOf(
  stakes: Stakes,
  held: (box: string) => number,
  bounds: (box: string) => Bounds | null,
): readonly Snag[] {
  return [...stakes].flatMap(([box, stake]) => {
    const limits = bounds(box);
    const snag = limits === null ? null : snagOf(box, stake, held(box), limits);
    return snag === null ? [] : [snag];
  });
}

function snagOf(box: string, stake: number, held: number, limits: Bounds): Snag | null {
  const own = held + stake;
  if (own < limits.minimum) return { kind: "short", box, by: limits.minimum - own };
  if (own > limits.maximum) {
    return { kind: "over", box, by: own - limits.maximum, most: limits.maximum };
  }
  if (limits.step !== null && stake % limits.step !== 0) {
    return { kind: "off-step", box, step: limits.step };
  }
  return null;
}

/** The most chips besides the one for the whole rest: keys 1 to 7 choose them, 8 the rest. */
export const CHIPS_MAX = 7;
/** Chip values for limits below and above those that the layout has colours for. */
const SMALL = [1, 5, 10, 25, 50] as const;
const LARGE = [10 ** 6, 25 * 10 ** 5, 10 ** 7, 5 * 10 ** 7, 10 ** 8, 10 ** 9, 10 ** 10] as const;

/**
 * Choose the chips of a tray: multiples of the step, from a tenth of the minimum up, so that a bet
 * can be built from small units.
 */
export function chipsFor(limits: LimitsAsked): readonly number[] {
  const step = limits.step ?? 1;
  const least = Math.max(step, Math.ceil(limits.minimum / 10));
  const chips = [...SMALL, ...DENOMINATIONS, ...LARGE]
    .filter((worth) => worth >= least && worth <= limits.maximum && worth % step === 0)
    .slice(0, CHIPS_MAX);
  // For an unusual step there are no round values: then the step and its multiples are used.
  return chips.length > 0 ? chips : [step, step * 2, step * 5, step * 10];
}
