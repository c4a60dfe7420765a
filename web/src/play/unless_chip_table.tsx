/** Tells a visitor of a chip table that it has no terminals, and where to watch it. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

import { get, terminalKey } from "../live/index.ts";
import type { TableView } from "../protocol.ts";
import { addressOf } from "../shell/index.ts";
import { useWords } from "../words/words.ts";

interface UnlessChipTableProps {
  /** The table of the address; null if it names none. */
  readonly table: string | null;
  readonly children: ComponentChildren;
}

/** Shows its content at a table with terminals, or if the table's form is unknown. */
export function UnlessChipTable({ table, children }: UnlessChipTableProps) {
  const t = useWords("play");
  // A key of this table is proof that it has terminals.
  const hasKey = terminalKey()?.table === table;
  const form = useSignal<TableView["form"] | null>(hasKey || table === null ? "terminals" : null);
  useEffect(() => {
    if (form.peek() !== null) return;
    const ended = new AbortController();
    askForm(table ?? "", ended.signal).then(
      (found) => (form.value = found),
      () => undefined,
    );
    return () => ended.abort();
  }, []);
  if (form.value === null) return <p class="page page-wait">{t("one_moment")}</p>;
  return form.value === "chips" ? <NoTerminals table={table ?? ""} /> : <>{children}</>;
}

/** The form of a table; a table unknown to the server is reported when a seat is requested. */
async function askForm(table: string, signal: AbortSignal): Promise<TableView["form"]> {
  try {
    return (await get<TableView>(`/api/tables/${encodeURIComponent(table)}`, {}, { signal })).form;
  } catch (error) {
    if (signal.aborted) throw error;
    return "terminals";
  }
}

function NoTerminals({ table }: { readonly table: string }) {
  const t = useWords("play");
  return (
    <section class="page">
      <h1>{t("chip_table_title", { table })}</h1>
      <p>{t("chip_table_why")}</p>
      <p class="page-doors">
        <a class="button button-main" href={addressOf("display", table)}>
          {t("chip_table_watch", { table })}
        </a>{" "}
        <a class="button" href={addressOf("lobby")}>
          {t("chip_table_lobby")}
        </a>
      </p>
    </section>
  );
}
