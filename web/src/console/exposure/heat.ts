/** The exposure as it is drawn: results in rows by total, each scaled to the largest amount. */

/** One of the results, as the server sends it. */
export interface Outcome {
  readonly faces: readonly number[];
  readonly total: number;
  readonly ways: number;
  readonly call: string;
}

/** A cell: a result, and what the house pays on it, less what it collects. */
export interface Cell extends Outcome {
  readonly index: number;
  readonly paid: number;
  /** The amount divided by the largest one, won or lost: from 0 to 1. */
  readonly share: number;
}

export interface Row {
  readonly total: number;
  readonly cells: readonly Cell[];
}

/** The results in rows, in the server's order. */
export function rowsOf(outcomes: readonly Outcome[], pays: readonly number[]): readonly Row[] {
  const most = Math.max(1, ...pays.map(Math.abs));
  const rows = new Map<number, Cell[]>();
  outcomes.forEach((outcome, index) => {
    const paid = pays[index] ?? 0;
    const cell = { ...outcome, index, paid, share: Math.abs(paid) / most };
    rows.set(outcome.total, [...(rows.get(outcome.total) ?? []), cell]);
  });
  return [...rows].map(([total, cells]) => ({ total, cells })).sort((a, b) => a.total - b.total);
}

/** The cell that an arrow key leads to: along the row, or in the row above or below. */
export function neighbour(rows: readonly Row[], index: number, key: string): number {
  const row = rows.findIndex((each) => each.cells.some((cell) => cell.index === index));
  const cells = rows[row]?.cells ?? [];
  const column = cells.findIndex((cell) => cell.index === index);
  const in_row = (at: number, place: number): number | undefined => {
    const there = rows[at]?.cells;
    return there?.[Math.min(place, there.length - 1)]?.index;
  };
  const found: Readonly<Record<string, number | undefined>> = {
    ArrowLeft: cells[column - 1]?.index,
    ArrowRight: cells[column + 1]?.index,
    ArrowUp: in_row(row - 1, column),
    ArrowDown: in_row(row + 1, column),
    Home: cells[0]?.index,
    End: cells.at(-1)?.index,
  };
  return found[key] ?? index;
}

/** A fraction as it is sent, like 35/216, as a number. */
export function fraction(text: string): number {
  const [above, below] = text.split("/").map(Number);
  return (above ?? 0) / (below ?? 1);
}
