/**
 * What the one large button does now.
 *
 * Which step comes next, and which are refused, the server has said. What is added here is what a
 * person does with their hands before a step can be reported: tumbling so many times, seeing that
 * the dice lie flat, pressing three faces.
 */

import type { Step, Steps } from "../../protocol.ts";

/** What has been done by hand, and is known to this console alone. */
export interface Hands {
  /** Tumbles counted and not yet recorded. */
  readonly tumbles: number;
  /** Whether the dice are under a cover until the bets are closed. */
  readonly covered: boolean;
  /** Whether somebody has said that all dice of this round lie flat. */
  readonly flat: boolean;
  /** Whether what to collect and pay is gone through line by line before it is said to be done. */
  readonly walking: boolean;
}

export type Action =
  /** Nothing to press: a device, the automatic dealer or somebody in another role is at work. */
  | { readonly kind: "wait"; readonly step: Step | null }
  /** Tumble, and count. */
  | { readonly kind: "tumble"; readonly step: Step; readonly count: number; readonly wanted: number }
  /** Enough tumbles: record them with how the dice lie. */
  | { readonly kind: "record"; readonly step: Step; readonly count: number }
  /** The cover is lifted: say that all dice lie flat. */
  | { readonly kind: "flat"; readonly step: Step }
  /** Press faces: so many are still wanted. */
  | { readonly kind: "faces"; readonly step: Step; readonly missing: number }
  /** Collect or pay by the list before saying that it is done. */
  | { readonly kind: "walk"; readonly step: Step }
  /** Give the command of the step. */
  | { readonly kind: "step"; readonly step: Step };

/** The light of the entry terminal shows so many. */
export const ECHO = 3;

/** Find what is to be done next. */
export function nextAction(sent: Steps | null, hands: Hands): Action {
  const steps = sent?.steps ?? [];
  const tumble = stepOf(steps, "RecordTumble");
  // Whoever has begun to tumble goes on with that, also where it may come earlier or later.
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

/** The step of a command, where the console has it. */
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

/** Tell the steps of the round from the others, each in the server's order. */
export function parted(steps: readonly Step[]): { readonly round: readonly Step[]; readonly others: readonly Step[] } {
  // Pressing a face is done on the entry terminal itself.
  const shown = steps.filter((step) => step.command !== "PressFace");
  return {
    round: shown.filter((step) => ROUND.has(step.command)),
    others: shown.filter((step) => !ROUND.has(step.command)),
  };
}
