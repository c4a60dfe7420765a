import { useMemo } from "preact/hooks";

import type { TableView } from "../protocol.ts";

const DARK: readonly string[] = [];

/** The lit boxes of a table: those of a test run before it opens, or else those of its round. */
export function useLit(
  view: Pick<TableView, "tested" | "lit"> | null,
  round: Iterable<string> = DARK,
): ReadonlySet<string> {
  const lit = view?.tested == null ? round : view.lit;
  return useMemo(() => new Set(lit), [lit]);
}
