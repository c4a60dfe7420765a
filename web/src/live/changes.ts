/** Applies the server's changes to a view, which begins as a snapshot. */

import type { RoundSummary, TableView } from "../protocol.ts";

/**
 * Bring a view up to date: fields are set; of a field that is a map, entries are set, and those that
 * are null are removed. Null for a whole map empties it.
 */
export function applied<View extends object>(
  view: View,
  changes: object,
  maps: readonly (keyof View)[],
): View {
  const next = { ...view } as Record<string, unknown>;
  for (const [name, value] of Object.entries(changes)) {
    next[name] = (maps as readonly string[]).includes(name) ? mapAfter(next[name], value) : value;
  }
  return next as View;
}

function mapAfter(before: unknown, entries: unknown): object {
  if (entries === null) return {};
  const all = Object.entries({ ...(before as object), ...(entries as object) });
  return Object.fromEntries(all.filter(([, entry]) => entry !== null));
}

/** The list of rounds of each map, made once: the same list tells a component nothing changed. */
const lists = new WeakMap<TableView["rounds"], readonly RoundSummary[]>();

/** The finished rounds of a table, oldest first. */
export function roundsOf(view: TableView | null | undefined): readonly RoundSummary[] {
  if (view == null) return NO_ROUNDS;
  let rounds = lists.get(view.rounds);
  if (rounds === undefined) {
    // Keys that are whole numbers are in ascending order.
    rounds = Object.values(view.rounds);
    lists.set(view.rounds, rounds);
  }
  return rounds;
}

const NO_ROUNDS: readonly RoundSummary[] = [];
