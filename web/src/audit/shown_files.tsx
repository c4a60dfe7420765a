/** Buttons to save exactly the rows shown, as CSV for a spreadsheet or as JSON. */

import { Button, save } from "../shell/index.ts";
import { useWords } from "../words/words.ts";

export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

/** Beginnings of a text that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function cellOf(cell: Cell): string {
  if (cell === null) return "";
  const text = typeof cell === "string" && FORMULA.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as CSV, with the columns of the first row, in its order. */
export function csvOf(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => columns.map((column) => cellOf(row[column] ?? null)).join(","));
  return [columns.join(","), ...lines, ""].join("\r\n");
}

interface Props {
  /** The name of the file, without its extension. */
  readonly name: string;
  readonly rows: () => readonly Row[];
}

export function ShownFiles({ name, rows }: Props) {
  const t = useWords("audit");
  const csv = (): void => save(new Blob([csvOf(rows())], { type: "text/csv" }), `${name}.csv`);
  const json = (): void =>
    save(new Blob([`${JSON.stringify(rows(), null, 1)}\n`], { type: "application/json" }), `${name}.json`);
  return (
    <p class="audit-shown" role="group" aria-label={t("export_shown")}>
      <span class="audit-hint">{t("export_shown")}</span>
      <Button onClick={csv}>CSV</Button>
      <Button onClick={json}>JSON</Button>
    </p>
  );
}
