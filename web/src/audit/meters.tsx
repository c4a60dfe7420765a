/** The meters: running sums of each table since it was created. */

import { useSignal } from "@preact/signals";

import type { MeterReport, MeterView } from "../answers.ts";
import { get } from "../live/index.ts";
import { Choice, Money, useNames } from "../shell/index.ts";
import { moment, useWords } from "../words/words.ts";
import { useFollowed } from "./loading.ts";
import { Waiting } from "./waiting.tsx";

/** How often the meters are requested again, since play goes on. */
const AGAIN_MS = 15_000;
const SUMS = ["turnover", "collected", "won", "hold", "drop", "out", "voided", "corrections"] as const;
const KINDS = ["dealer", "kind"] as const;

export function Meters() {
  const t = useWords("audit");
  const report = useFollowed((signal) => get<MeterReport>("/api/reports/meters", {}, { signal }), AGAIN_MS);
  return (
    <section class="audit-section">
      <h1>{t("part_meters")}</h1>
      <p class="audit-lead">{t("meters_lead")}</p>
      <Waiting of={report}>
        {({ at, meters }) => (
          <>
            <p class="audit-hint">{t("meters_at", { time: moment(at) })}</p>
            <Shown meters={meters} />
          </>
        )}
      </Waiting>
    </section>
  );
}

function Shown({ meters }: { readonly meters: readonly MeterView[] }) {
  const t = useWords("audit");
  const names = useNames();
  const tables = meters.filter(({ meter }) => meter === "table");
  const chosen = useSignal(tables[0]?.table ?? "");
  const own = meters.filter(({ table }) => table === chosen.value);
  const kindOf = (name: string | null): string => names.value?.kinds[name ?? ""] ?? name ?? "–";
  return (
    <>
      <Sums title={t("by_table")} head={t("head_table")} rows={tables} nameOf={({ table }) => table} />
      <div class="audit-form">
        <Choice
          label={t("table")}
          value={chosen.value}
          onChange={({ currentTarget }) => {
            chosen.value = currentTarget.value;
          }}
        >
          {tables.map(({ table }) => (
            <option key={table}>{table}</option>
          ))}
        </Choice>
      </div>
      {KINDS.map((kind) => (
        <Sums
          key={kind}
          title={t(`by_${kind}`)}
          head={t(`head_${kind}`)}
          rows={own.filter(({ meter }) => meter === kind)}
          nameOf={({ name }) => (kind === "kind" ? kindOf(name) : (name ?? "–"))}
        />
      ))}
    </>
  );
}

interface SumsProps {
  readonly title: string;
  /** The heading over the names. */
  readonly head: string;
  readonly rows: readonly MeterView[];
  readonly nameOf: (row: MeterView) => string;
}

function Sums({ title, head, rows, nameOf }: SumsProps) {
  const t = useWords("audit");
  return (
    <>
      <h2>{title}</h2>
      {rows.length === 0 && <p class="audit-hint">{t("no_meters")}</p>}
      {rows.length > 0 && (
        <div class="scrolls-aside" role="region" aria-label={title} tabIndex={0}>
          <table class="audit-table">
            <thead>
              <tr>
                <th scope="col">{head}</th>
                {SUMS.map((sum) => (
                  <th key={sum} scope="col" class="audit-figure">
                    {t(`meter_${sum}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, place) => (
                <tr key={place}>
                  <th scope="row">{nameOf(row)}</th>
                  {SUMS.map((sum) => (
                    <td key={sum} class="audit-figure">
                      {row[sum] === null ? "–" : <Money cents={row[sum]} sign={false} />}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
