/** Which part of the audit an address shows; whatever one looks at can be linked to. */

import { AUDIT, EXPORT, SEE_PIT, SEE_ROUNDS } from "../declared.ts";
import type { Role } from "../protocol.ts";

export const PARTS = ["rounds", "find", "events", "journal", "exports", "meters"] as const;
export type Part = (typeof PARTS)[number];

/** Who may look at each part; the server itself refuses everybody else. */
const MAY: Readonly<Record<Part, readonly Role[]>> = {
  rounds: SEE_ROUNDS,
  find: AUDIT,
  events: AUDIT,
  journal: AUDIT,
  exports: EXPORT,
  meters: SEE_PIT,
};

/** Everybody who may look at anything here. */
export const ROLES: readonly Role[] = MAY.rounds;

export function partsFor(role: Role): readonly Part[] {
  return PARTS.filter((part) => MAY[part].includes(role));
}

export function partOf(query: URLSearchParams, role: Role): Part {
  const named = query.get("view");
  return partsFor(role).find((part) => part === named) ?? "rounds";
}

/** The address of a part, with whatever else it is about. */
export function addressIn(part: Part, about: Readonly<Record<string, string | number>> = {}): string {
  const query = new URLSearchParams({ view: part });
  for (const [name, value] of Object.entries(about)) query.set(name, String(value));
  return `/audit?${query}`;
}

/** A round that an address names; null where it names none, or what it names is no number. */
export function roundOf(query: URLSearchParams): { readonly table: string; readonly round: number } | null {
  const table = query.get("table");
  const round = Number(query.get("round"));
  return table !== null && Number.isSafeInteger(round) && round > 0 ? { table, round } : null;
}
