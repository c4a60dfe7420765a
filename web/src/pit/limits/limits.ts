/** Reads limits from the form's text, and makes the server's command. */

import type { LimitsAsked, Refused } from "../../protocol.ts";
import { readAmount, writeAmount } from "../../words/written.ts";

/** A box or a kind of box with limits of its own. */
export interface OwnLimits {
  readonly name: string;
  readonly minimum: string;
  readonly maximum: string;
}

/** The text of the form's fields. */
export interface Written {
  readonly minimum: string;
  readonly maximum: string;
  readonly step: string;
  readonly differential: string;
  readonly boxes: readonly OwnLimits[];
}

/** Errors by field; the server uses the same names for the fields. */
export type Faults = Readonly<Record<string, string>>;

/** The most lines for single boxes; no pay table has as many boxes. */
export const OWN_MAX = 120;

export function writeLimits(limits: LimitsAsked | null): Written {
  const own = Object.entries(limits?.boxes ?? {});
  return {
    minimum: writeAmount(limits?.minimum),
    maximum: writeAmount(limits?.maximum),
    step: writeAmount(limits?.step),
    differential: writeAmount(limits?.differential),
    boxes: own.map(([name, [minimum, maximum]]) => ({
      name,
      minimum: writeAmount(minimum),
      maximum: writeAmount(maximum),
    })),
  };
}

interface Sentences {
  readonly notAmount: string;
  readonly missing: string;
  readonly twice: string;
}

/** Read the form; errors are shown at their fields, and nothing is sent. */
export function readLimits(written: Written, sentences: Sentences): LimitsAsked | Faults {
  const faults: Record<string, string> = {};
  const read = (field: string, text: string, wanted = false): number | null => {
    const found = readAmount(text);
    if (found === undefined) faults[field] = sentences.notAmount;
    if (found === null && wanted) faults[field] = sentences.missing;
    return found ?? null;
  };
  const minimum = read("min", written.minimum, true);
  const maximum = read("max", written.maximum, true);
  const step = read("step", written.step);
  const differential = read("differential", written.differential);
  const boxes: Record<string, readonly [number | null, number | null]> = {};
  for (const own of written.boxes) {
    if (Object.hasOwn(boxes, own.name)) faults[`boxes.${own.name}.min`] = sentences.twice;
    boxes[own.name] = [
      read(`boxes.${own.name}.min`, own.minimum),
      read(`boxes.${own.name}.max`, own.maximum),
    ];
  }
  if (Object.keys(faults).length > 0 || minimum === null || maximum === null) return faults;
  return { minimum, maximum, step, differential, boxes };
}

export function isLimits(read: LimitsAsked | Faults): read is LimitsAsked {
  return typeof read["minimum"] === "number";
}

/** The field that a refusal is about, or `form` if it is about all of them. */
export function fieldOf({ reason }: Pick<Refused, "reason">): string {
  const { code, params } = reason;
  switch (code) {
    case "BAD_LIMITS_STEP":
    case "BAD_LIMITS_STEP_NOT_WHOLE":
      return "step";
    case "BAD_LIMITS_AMOUNT":
    case "BAD_LIMITS_OFF_STEP":
    case "BAD_LIMITS_NOTHING":
      return String(params["name"] ?? "form");
    case "BAD_LIMITS_MINIMUM_ABOVE_MAXIMUM":
      return "min";
    case "BAD_LIMITS_BOX_MINIMUM_ABOVE_MAXIMUM":
    case "BOX_NOT_ON_TABLE":
      return `boxes.${params["box"]}.min`;
    case "KIND_NOT_ON_TABLE":
      return `boxes.${params["kind"]}.min`;
    case "NO_DIFFERENTIAL":
    case "DIFFERENTIAL_MISSING":
      return "differential";
    default:
      return "form";
  }
}
