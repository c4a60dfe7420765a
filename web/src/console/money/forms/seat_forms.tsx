/** Forms for a player's chips: sit down with chips, buy them, change them. */

import { useSignal } from "@preact/signals";

import type { ChipTable } from "../../../live/index.ts";
import type { ChipSeat, WireCommand } from "../../../protocol.ts";
import { money, useWords } from "../../../words/words.ts";
import { readAmount } from "../../../words/written.ts";
import { counted, fewestChips, readChips, shortOf, sumWritten, writeChips, type Written } from "../counts/chips.ts";
import { CountSheet } from "../counts/count_sheet.tsx";
import { Amount, MoneyForm, type FormProps } from "./form.tsx";

export interface SeatFormProps extends FormProps {
  readonly table: ChipTable;
  readonly seat: ChipSeat;
}

const NOTHING: Written = new Map();

/** A player's payment, as typed: cash and value chips. */
interface Paid {
  readonly cash: string;
  readonly dropped: string;
}

function sumPaid({ cash, dropped }: Paid): number {
  return (readAmount(cash) ?? 0) + (readAmount(dropped) ?? 0);
}

/** Value chips for cash or other value chips: the fewest are proposed, and may be changed. */
export function BuyForm({ table, seat: { seat }, ...form }: SeatFormProps) {
  const t = useWords("console");
  const paid = useSignal<Paid>({ cash: "", dropped: "" });
  const written = useSignal<Written>(NOTHING);
  const cannot = useSignal(false);
  const tried = useSignal(false);
  const [due, sum] = [sumPaid(paid.value), sumWritten(written.value)];
  const pay = (part: Partial<Paid>): void => {
    paid.value = { ...paid.value, ...part };
    const proposed = fewestChips(sumPaid(paid.value), table.rack);
    cannot.value = proposed === null;
    written.value = proposed === null ? NOTHING : writeChips(proposed);
  };
  const wrong = (text: string): string | null => (readAmount(text) === undefined ? t("money_not_amount") : null);
  const missing = tried.value && due === 0 ? t("money_amount_missing") : null;
  const differ = tried.value && sum !== due ? t("money_differ", { paid: money(due), chips: money(sum) }) : null;
  const read = (): WireCommand | null => {
    tried.value = true;
    const chips = readChips(written.value);
    const [cash, dropped] = [readAmount(paid.value.cash), readAmount(paid.value.dropped)];
    if (chips === undefined || cash === undefined || dropped === undefined) return null;
    if (due === 0 || sum !== due || shortOf(written.value, table.rack) !== null) return null;
    return { type: "BuyChips", seat, chips, cash: cash ?? 0, dropped: dropped ?? 0 };
  };
  return (
    <MoneyForm title={t("money_buy_of", { seat })} act={t("money_buy")} read={read} {...form}>
      <div class="money-pair">
        <Amount
          label={t("money_cash")}
          fault={wrong(paid.value.cash) ?? missing}
          value={paid.value.cash}
          onValue={(cash) => pay({ cash })}
          first
        />
        <Amount
          label={t("money_for_value")}
          hint={t("money_for_value_how")}
          fault={wrong(paid.value.dropped)}
          value={paid.value.dropped}
          onValue={(dropped) => pay({ dropped })}
        />
      </div>
      <CountSheet
        legend={t("money_chips_out")}
        hint={cannot.value ? t("money_cannot_make") : t("money_fewest")}
        chips={counted(table)}
        written={written.value}
        onWrite={(next) => (written.value = next)}
        held={table.rack ?? undefined}
        fault={differ}
      />
    </MoneyForm>
  );
}

/** Changes chips for others of the same value. */
export function ExchangeForm({ table, seat: { seat }, ...form }: SeatFormProps) {
  const t = useWords("console");
  const given = useSignal<Written>(NOTHING);
  const taken = useSignal<Written>(NOTHING);
  const tried = useSignal(false);
  const [brought, handed] = [sumWritten(given.value), sumWritten(taken.value)];
  const blanks = { given: money(brought), taken: money(handed) };
  const differ = brought === handed ? null : t("money_exchange_differ", blanks);
  const read = (): WireCommand | null => {
    tried.value = true;
    const [from, into] = [readChips(given.value), readChips(taken.value)];
    if (from === undefined || into === undefined || brought === 0) return null;
    if (differ !== null || shortOf(taken.value, table.rack) !== null) return null;
    return { type: "ExchangeChips", seat, given: from, taken: into };
  };
  return (
    <MoneyForm title={t("money_exchange_of", { seat })} act={t("money_exchange")} read={read} wide {...form}>
      <div class="money-two">
        <CountSheet
          legend={t("money_given")}
          chips={counted(table)}
          written={given.value}
          onWrite={(next) => (given.value = next)}
          fault={tried.value && brought === 0 ? t("money_chips_missing") : null}
          first
        />
        <CountSheet
          legend={t("money_taken")}
          chips={counted(table)}
          written={taken.value}
          onWrite={(next) => (taken.value = next)}
          held={table.rack ?? undefined}
          fault={tried.value ? differ : null}
        />
      </div>
      <p class="console-hint">
        {brought > handed ? t("money_still_out", { amount: money(brought - handed) }) : t("money_exchange_how")}
      </p>
    </MoneyForm>
  );
}
