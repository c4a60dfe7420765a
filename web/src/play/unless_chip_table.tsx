/** A chip table has no terminals: whoever comes to play at one reads so, and where to watch. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

import { get, terminalKey } from "../live/index.ts";
import type { TableView } from "../protocol.ts";
import { addressOf } from "../shell/index.ts";
import { useWords } from "../words/words.ts";

interface UnlessChipTableProps {
  /** The table of the address; null where it names none. */
  readonly table: string | null;
  readonly children: ComponentChildren;
}

/** Shows its content at a table with terminals; what cannot be asked is left to the content. */
export function UnlessChipTable({ table, children }: UnlessChipTableProps) {
  const t = useWords("play");
  // Who has a key of the table has a terminal there, and need not ask.
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

/** The form of a table; one that the server does not know is reported where a seat is wanted. */
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
