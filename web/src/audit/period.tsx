/** The fields for a table and a period, used by events and exports. */

import type { Signal } from "@preact/signals";

import { Choice, Field, venue } from "../shell/index.ts";
import { useWords } from "../words/words.ts";

export interface PeriodQuery {
  /** The empty text: all tables. */
  readonly table: string;
  /** A date and time as the browser's own field has it, in the reader's time zone. */
  readonly since: string;
  readonly until: string;
}

export const EVERYTHING: PeriodQuery = { table: "", since: "", until: "" };

/** A moment in the reader's time zone, in milliseconds; undefined if none is given. */
function momentOf(text: string): number | undefined {
  const ms = text === "" ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(ms) ? undefined : ms;
}

/** The parameters of the address for a table and a period. */
export function queryOf({ table, since, until }: PeriodQuery) {
  return { table: table === "" ? undefined : table, since: momentOf(since), until: momentOf(until) };
}

/** Whether a period ends before it begins. */
export function isBackwards(period: PeriodQuery): boolean {
  const { since, until } = queryOf(period);
  return since !== undefined && until !== undefined && until <= since;
}

export function Period({ period }: { readonly period: Signal<PeriodQuery> }) {
  const t = useWords("audit");
  const put = (part: Partial<PeriodQuery>): void => {
    period.value = { ...period.peek(), ...part };
  };
  const { table, since, until } = period.value;
  return (
    <>
      <Choice label={t("table")} value={table} onChange={(event) => put({ table: event.currentTarget.value })}>
        <option value="">{t("all_tables")}</option>
        {venue.value?.tables.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </Choice>
      <Field
        label={t("since")}
        type="datetime-local"
        value={since}
        onInput={(event) => put({ since: event.currentTarget.value })}
      />
      <Field
        label={t("until")}
        type="datetime-local"
        value={until}
        fault={isBackwards(period.value) ? t("backwards") : null}
        onInput={(event) => put({ until: event.currentTarget.value })}
      />
    </>
  );
}
