import { useMemo } from "preact/hooks";

import type { TableView } from "../protocol.ts";

const DARK: readonly string[] = [];

/** The boxes that are lit on a table: by a test run before it opens, or else by its round. */
export function useLit(
  view: Pick<TableView, "tested" | "lit"> | null,
  round: Iterable<string> = DARK,
): ReadonlySet<string> {
  const lit = view?.tested == null ? round : view.lit;
  return useMemo(() => new Set(lit), [lit]);
}
