/** A table of figures that the reader may sort by any column. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

import { useWords } from "../../words/words.ts";
import "./sort_table.css";

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** The key to sort rows by; without it the column cannot be sorted. */
  readonly by?: (row: Row) => number | string;
  /** Figures are aligned at the end of their column, digit below digit. */
  readonly figure?: boolean;
}

interface Props<Row> {
  /** The caption of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly id: (row: Row) => string;
}

type Way = "ascending" | "descending";

function compare(one: number | string, other: number | string): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other));
}

export function SortTable<Row>({ label, columns, rows, id }: Props<Row>) {
  const sort = useSignal<{ readonly column: number; readonly way: Way } | null>(null);
  const by = sort.value === null ? undefined : columns[sort.value.column]?.by;
  const sign = sort.value?.way === "descending" ? -1 : 1;
  const shown = by === undefined ? rows : rows.toSorted((one, other) => sign * compare(by(one), by(other)));
  const press = (column: number, figure: boolean): void => {
    const first: Way = figure ? "descending" : "ascending";
    const before = sort.peek();
    const turned: Way = before?.way === "descending" ? "ascending" : "descending";
    sort.value = { column, way: before?.column === column ? turned : first };
  };
  return (
    <div class="scrolls-aside" role="region" aria-label={label} tabIndex={0}>
      <table class="pit-table">
        <thead>
          <tr>
            {columns.map((column, place) => (
              <Head
                key={place}
                column={column}
                way={sort.value?.column === place ? sort.value.way : null}
                onPress={() => press(place, column.figure === true)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={id(row)}>
              {columns.map((column, place) =>
                place === 0 ? (
                  <th key={place} scope="row">
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={place} data-column={column.name} class={column.figure === true ? "pit-figure" : undefined}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly way: Way | null;
  readonly onPress: () => void;
}

function Head<Row>({ column, way, onPress }: HeadProps<Row>) {
  const t = useWords("pit");
  const { name, by, figure } = column;
  return (
    <th scope="col" class={figure === true ? "pit-figure" : undefined} aria-sort={way ?? undefined}>
      {by === undefined ? (
        name
      ) : (
        <button type="button" class="pit-sort" title={t("sort_by", { column: name })} onClick={onPress}>
          {name}
          <span class="pit-sort-way" aria-hidden="true">
            {way === null ? "" : way === "ascending" ? "▴" : "▾"}
          </span>
        </button>
      )}
    </th>
  );
}
