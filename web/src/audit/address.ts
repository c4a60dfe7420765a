/** Addresses of the audit: every part and every round can be linked to. */

import { AUDIT, EXPORT, SEE_PIT, SEE_ROUNDS } from "../declared.ts";
import type { Role } from "../protocol.ts";

export const PARTS = ["rounds", "find", "events", "journal", "exports", "meters"] as const;
export type Part = (typeof PARTS)[number];

/** The roles that may see each part; the server refuses all others. */
const MAY: Readonly<Record<Part, readonly Role[]>> = {
  rounds: SEE_ROUNDS,
  find: AUDIT,
  events: AUDIT,
  journal: AUDIT,
  exports: EXPORT,
  meters: SEE_PIT,
};

/** All roles that may see any part. */
export const ROLES: readonly Role[] = MAY.rounds;

export function partsFor(role: Role): readonly Part[] {
  return PARTS.filter((part) => MAY[part].includes(role));
}

export function partOf(query: URLSearchParams, role: Role): Part {
  const named = query.get("view");
  return partsFor(role).find((part) => part === named) ?? "rounds";
}

/** The address of a part, with further parameters. */
export function addressIn(part: Part, about: Readonly<Record<string, string | number>> = {}): string {
  const query = new URLSearchParams({ view: part });
  for (const [name, value] of Object.entries(about)) query.set(name, String(value));
  return `/audit?${query}`;
}

/** The round that an address names; null if it names none, or if that is not a number. */
export function roundOf(query: URLSearchParams): { readonly table: string; readonly round: number } | null {
  const table = query.get("table");
  const round = Number(query.get("round"));
  return table !== null && Number.isSafeInteger(round) && round > 0 ? { table, round } : null;
}
