/** The unpaid vouchers: how many, their value, and a list; never with their numbers. */

import { useSignal } from "@preact/signals";

import type { OutstandingVoucher, OutstandingVouchers } from "../answers.ts";
import { capital } from "../words/capital.ts";
import { get } from "../live/index.ts";
import { SortTable, type Column } from "../pit/figures/sort_table.tsx";
import { Button, Fault, useSending } from "../shell/index.ts";
import { amount, moment, money, number, useWords } from "../words/words.ts";
import type { Desk } from "./desk.ts";
import { placeOf } from "./place.ts";

export function VouchersOut({ desk }: { readonly desk: Desk }) {
  const t = useWords("cage");
  const more = useSignal<OutstandingVouchers | null>(null);
  const { fault, busy, send } = useSending();
  const out = desk.out.answer.value;
  const shown = out === null ? [] : joined(out.vouchers, more.value?.vouchers ?? []);
  const after = more.value === null ? out?.after : more.value.after;
  const columns: readonly Column<OutstandingVoucher>[] = [
    { name: t("out_serial"), figure: true, by: ({ serial }) => serial, cell: ({ serial }) => number(serial) },
    { name: t("out_last"), cell: ({ last_four }) => last_four },
    { name: t("worth"), figure: true, by: ({ value }) => value, cell: ({ value }) => amount(value) },
    { name: t("out_place"), by: ({ place }) => place, cell: ({ place }) => placeOf(t, place) },
    { name: t("issued"), by: ({ at }) => at, cell: ({ at }) => moment(at) },
    { name: t("expires"), by: ({ expires }) => expires, cell: ({ expires }) => moment(expires) },
  ];
  return (
    <div class="pit-panel">
      <h2>{t("out")}</h2>
      {out !== null && (
        <p class="pit-quiet">
          {out.count === 0 ? t("out_none") : t.count("out_sum", out.count, { worth: money(out.worth) })}
        </p>
      )}
      {shown.length > 0 && (
        <SortTable label={t("out")} columns={columns} rows={shown} id={({ serial }) => String(serial)} />
      )}
      <Fault>{fault === null ? null : capital(fault)}</Fault>
      {after != null && (
        <p class="pit-acts">
          <Button
            busy={busy}
            onClick={() =>
              send(async () => {
                const next = await get<OutstandingVouchers>("/api/vouchers", { after });
                more.value = { ...next, vouchers: [...(more.value?.vouchers ?? []), ...next.vouchers] };
              })
            }
          >
            {t("out_more")}
          </Button>
        </p>
      )}
    </div>
  );
}

/** Join the newest page with older pages; each voucher once. */
function joined(
  first: readonly OutstandingVoucher[],
  rest: readonly OutstandingVoucher[],
): readonly OutstandingVoucher[] {
  const known = new Set(first.map(({ serial }) => serial));
  return [...first, ...rest.filter(({ serial }) => !known.has(serial))];
}
