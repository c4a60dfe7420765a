/**
 * How the big road is laid out.
 *
 * The first outcome is at the top of the first column. The same outcome again goes one cell down.
 * If the cell below is taken, or there is none, it goes to the right, and the run continues in that
 * row: the dragon's tail. Another outcome begins a new run at the top of the first column that is
 * free there, to the right of where the last run began.
 *
 * A triple is neither side: it is a mark on the cell of the outcome before it, and does not end a
 * run. Triples before any other outcome share the first cell, with a mark for each.
 */

import type { Entry, Outcome } from "./outcome.ts";

export const ROWS = 6;

export interface Cell {
  readonly column: number;
  readonly row: number;
  readonly outcome: Outcome;
  readonly entry: Entry;
  /** Triples that came after it; on a cell of triples, how many there were. */
  readonly triples: number;
}

/** Lay entries out, the oldest first. */
export function bigRoad(entries: readonly Entry[]): readonly Cell[] {
  const cells: Cell[] = [];
  const taken = new Set<string>();
  const free = (column: number, row: number) => row < ROWS && !taken.has(`${column} ${row}`);
  let began = -1;
  for (const entry of entries) {
    const last = cells.at(-1);
    const { outcome } = entry;
    if (outcome === "triple" && last !== undefined) {
      cells[cells.length - 1] = { ...last, triples: last.triples + 1 };
      continue;
    }
    const goesOn = last !== undefined && last.outcome === outcome;
    const [column, row] = goesOn ? after(cells, free) : fresh(began, free);
    if (!goesOn) began = column;
    taken.add(`${column} ${row}`);
    cells.push({ column, row, outcome, entry, triples: outcome === "triple" ? 1 : 0 });
  }
  return cells;
}

type Free = (column: number, row: number) => boolean;

/** The cell after the last one of a run. */
function after(cells: readonly Cell[], free: Free): [number, number] {
  const [before, last] = [cells.at(-2), cells.at(-1)];
  if (last === undefined) return [0, 0];
  const { column, row } = last;
  // A run that has turned right stays in its row.
  const turned = before?.outcome === last.outcome && before.row === row;
  return !turned && free(column, row + 1) ? [column, row + 1] : [column + 1, row];
}

/** The cell in which a new run begins. */
function fresh(began: number, free: Free): [number, number] {
  let column = began + 1;
  while (!free(column, 0)) column += 1;
  return [column, 0];
}
