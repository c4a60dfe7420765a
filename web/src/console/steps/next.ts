/**
 * Decides what the one large button does now.
 *
 * The server sends which step comes next, and which are refused. This module adds what a person
 * does by hand before a step can be reported: tumbling a number of times, seeing that the dice lie
 * flat, pressing three faces.
 */

import type { Step, Steps } from "../../protocol.ts";

/** Work done by hand that only this console knows of. */
export interface Hands {
  /** Tumbles counted and not yet recorded. */
  readonly tumbles: number;
  /** Whether the dice are under a cover until the bets are closed. */
  readonly covered: boolean;
  /** Whether the dealer has noted that all dice of this round lie flat. */
  readonly flat: boolean;
  /** Whether the payout guide is worked through line by line before it is reported as done. */
  readonly walking: boolean;
}

export type Action =
  /** Nothing to press: a device, the automatic dealer or another role is at work. */
  | { readonly kind: "wait"; readonly step: Step | null }
  /** Tumble, and count. */
  | { readonly kind: "tumble"; readonly step: Step; readonly count: number; readonly wanted: number }
  /** Enough tumbles: record them with how the dice lie. */
  | { readonly kind: "record"; readonly step: Step; readonly count: number }
  /** The cover is lifted: say that all dice lie flat. */
  | { readonly kind: "flat"; readonly step: Step }
  /** Press faces: `missing` more are needed. */
  | { readonly kind: "faces"; readonly step: Step; readonly missing: number }
  /** Collect or pay by the list before reporting it as done. */
  | { readonly kind: "walk"; readonly step: Step }
  /** Give the command of the step. */
  | { readonly kind: "step"; readonly step: Step };

/** How many faces the light of the entry terminal shows. */
export const ECHO = 3;

/** Find the next action. */
export function nextAction(sent: Steps | null, hands: Hands): Action {
  const steps = sent?.steps ?? [];
  const tumble = stepOf(steps, "RecordTumble");
  // A tumble that was begun is finished first, even if other steps are possible.
  if (hands.tumbles > 0 && tumble !== null && tumble.standing !== "refused") return tumbling(tumble, hands);
  const step = steps.find((each) => each.standing === "next");
  if (step === undefined) return { kind: "wait", step: stepOf(steps, sent?.due ?? "") };
  switch (step.command) {
    case "RecordTumble":
      return tumbling(step, hands);
    case "PressFace":
    case "EnterResult":
      return entering(step, hands, sent?.pressed ?? []);
    case "Settle":
    case "CollectLosers":
      return { kind: hands.walking ? "walk" : "step", step };
    default:
      return { kind: "step", step };
  }
}

function tumbling(step: Step, hands: Hands): Action {
  const wanted = step.times ?? 1;
  const count = hands.tumbles;
  return count < wanted ? { kind: "tumble", step, count, wanted } : { kind: "record", step, count };
}

function entering(step: Step, hands: Hands, pressed: readonly number[]): Action {
  if (hands.covered && !hands.flat) return { kind: "flat", step };
  const missing = Math.max(0, ECHO - pressed.length);
  return missing > 0 ? { kind: "faces", step, missing } : { kind: "step", step };
}

/** The step of a command, or null. */
export function stepOf(steps: readonly Step[], command: string): Step | null {
  return steps.find((step) => step.command === command) ?? null;
}

/** The steps of a round, which the server lists in the order of its rulebook. */
const ROUND: ReadonlySet<string> = new Set([
  "RecordTumble",
  "OpenBets",
  "CloseBets",
  "LiftCover",
  "PressFace",
  "EnterResult",
  "ConfirmResult",
  "CollectLosers",
  "Settle",
  "AnnounceVoid",
]);

/** Separate the steps of the round from the others, both in the server's order. */
export function parted(steps: readonly Step[]): { readonly round: readonly Step[]; readonly others: readonly Step[] } {
  // Pressing a face is done on the entry terminal itself.
  const shown = steps.filter((step) => step.command !== "PressFace");
  return {
    round: shown.filter((step) => ROUND.has(step.command)),
    others: shown.filter((step) => !ROUND.has(step.command)),
  };
}
