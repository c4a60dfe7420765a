/**
 * Forms of the gaming day: opening and closing counts of the rack, fills, credits, the drop box.
 *
 * A count is blind: the books' figure is shown only after the count.
 */

import { useSignal } from "@preact/signals";

import type { ChipTable } from "../../../live/index.ts";
import type { ChipDay, SeatMoney, WireCommand } from "../../../protocol.ts";
import { Field } from "../../../shell/index.ts";
import { money, useWords } from "../../../words/words.ts";
import { readAmount } from "../../../words/written.ts";
import { counted, isBlank, readChips, shortOf, sumWritten, type Written } from "../counts/chips.ts";
import { CountSheet } from "../counts/count_sheet.tsx";
import { Amount, MoneyForm, type FormProps } from "./form.tsx";
import { WinFormula } from "../win.tsx";

interface DayFormProps extends FormProps {
  readonly table: ChipTable;
}

const NOTHING: Written = new Map();

/** The opening count, for the date that the server proposes. */
export function OpenDayForm({ table, ...form }: DayFormProps) {
  const t = useWords("console");
  const date = useSignal(table.next_date);
  const written = useSignal<Written>(NOTHING);
  const tried = useSignal(false);
  const read = (): WireCommand | null => {
    tried.value = true;
    const count = readChips(written.value);
    if (count === undefined || isBlank(written.value) || date.value === "") return null;
    return { type: "OpenDay", date: date.value, count };
  };
  return (
    <MoneyForm title={t("money_open_day")} read={read} second {...form}>
      <DateOfDay date={date.value} onDate={(next) => (date.value = next)} tried={tried.value} />
      <RackCount table={table} written={written.value} onWrite={(next) => (written.value = next)} tried={tried.value} />
    </MoneyForm>
  );
}

/** The closing count, with the day's win that results from it. */
export function CloseDayForm({ table, day, ...form }: DayFormProps & { readonly day: ChipDay }) {
  const t = useWords("console");
  const written = useSignal<Written>(NOTHING);
  const tried = useSignal(false);
  const read = (): WireCommand | null => {
    tried.value = true;
    const count = readChips(written.value);
    return count === undefined || isBlank(written.value) ? null : { type: "CloseDay", count };
  };
  const closing = isBlank(written.value) ? null : sumWritten(written.value);
  return (
    <MoneyForm title={t("money_close_day")} read={read} second {...form}>
      <RackCount table={table} written={written.value} onWrite={(next) => (written.value = next)} tried={tried.value} />
      <WinFormula {...day} closing={closing} />
    </MoneyForm>
  );
}

/** The count of the drop box. */
export function CountDropForm(form: FormProps) {
  const t = useWords("console");
  const cash = useSignal("");
  const chips = useSignal("");
  const tried = useSignal(false);
  const read = (): WireCommand | null => {
    tried.value = true;
    const [inCash, inChips] = [readAmount(cash.value), readAmount(chips.value)];
    return inCash == null || inChips == null ? null : { type: "CountDrop", cash: inCash, chips: inChips };
  };
  return (
    <MoneyForm title={t("money_count_drop")} read={read} second {...form}>
      <DropCount
        cash={cash.value}
        chips={chips.value}
        onCash={(text) => (cash.value = text)}
        onChips={(text) => (chips.value = text)}
        tried={tried.value}
      />
    </MoneyForm>
  );
}

/** A fill from the cage, as counted at the table. */
export function ReceiveForm({ table, fill, ...form }: DayFormProps & { readonly fill: SeatMoney }) {
  const t = useWords("console");
  const written = useSignal<Written>(NOTHING);
  const tried = useSignal(false);
  const sum = sumWritten(written.value);
  const read = (): WireCommand | null => {
    tried.value = true;
    const chips = readChips(written.value);
    return chips === undefined || sum === 0 ? null : { type: "ReceiveFill", transit: fill.name, chips };
  };
  const apart = sum > 0 && sum !== fill.amount;
  return (
    <MoneyForm title={t("money_receive")} read={read} second {...form}>
      <p>{t("money_fill_of", { transit: fill.name, amount: money(fill.amount) })}</p>
      <CountSheet
        legend={t("money_fill_counted")}
        chips={counted(table)}
        written={written.value}
        onWrite={(next) => (written.value = next)}
        fault={tried.value && sum === 0 ? t("money_chips_missing") : null}
        first
      />
      <div role="status">
        {apart && (
          <p class="console-waits">{t("money_fill_apart", { sent: money(fill.amount), counted: money(sum) })}</p>
        )}
      </div>
    </MoneyForm>
  );
}

/** Chips that went to the cage, were not received there, and return; some may be missing. */
export function CreditBackForm({ table, credit, ...form }: DayFormProps & { readonly credit: SeatMoney }) {
  const t = useWords("console");
  const written = useSignal<Written>(NOTHING);
  const tried = useSignal(false);
  const transit = credit.name;
  const read = (): WireCommand | null => {
    tried.value = true;
    const chips = readChips(written.value);
    return chips === undefined || isBlank(written.value) ? null : { type: "ReturnCredit", transit, chips };
  };
  return (
    <MoneyForm title={t("money_credit_back_of", { transit })} act={t("money_credit_back")} read={read} second {...form}>
      <p>{t("money_credit_sent", { transit, amount: money(credit.amount) })}</p>
      <CountSheet
        legend={t("money_credit_back_chips")}
        hint={t("money_credit_back_how")}
        chips={counted(table)}
        written={written.value}
        onWrite={(next) => (written.value = next)}
        fault={tried.value && isBlank(written.value) ? t("money_chips_missing") : null}
        first
      />
    </MoneyForm>
  );
}

/** Chips of the rack that go to the cage. */
export function CreditForm({ table, ...form }: DayFormProps) {
  const t = useWords("console");
  const written = useSignal<Written>(NOTHING);
  const tried = useSignal(false);
  const sum = sumWritten(written.value);
  const read = (): WireCommand | null => {
    tried.value = true;
    const chips = readChips(written.value);
    if (chips === undefined || sum === 0 || shortOf(written.value, table.rack) !== null) return null;
    return { type: "SendCredit", chips };
  };
  return (
    <MoneyForm title={t("money_send_credit")} read={read} second {...form}>
      <CountSheet
        legend={t("money_credit_chips")}
        chips={counted(table)}
        written={written.value}
        onWrite={(next) => (written.value = next)}
        held={table.rack ?? undefined}
        fault={tried.value && sum === 0 ? t("money_chips_missing") : null}
        first
      />
    </MoneyForm>
  );
}

interface DateProps {
  readonly date: string;
  readonly onDate: (date: string) => void;
  readonly tried: boolean;
}

/** The date of a gaming day. */
export function DateOfDay({ date, onDate, tried }: DateProps) {
  const t = useWords("console");
  return (
    <Field
      label={t("money_date")}
      hint={t("money_date_how")}
      fault={tried && date === "" ? t("money_date_missing") : null}
      type="date"
      value={date}
      onInput={(event) => onDate(event.currentTarget.value)}
    />
  );
}

interface RackCountProps {
  readonly table: ChipTable;
  readonly written: Written;
  readonly onWrite: (written: Written) => void;
  readonly tried: boolean;
}

/** A count sheet of the rack that does not show what should be there. */
export function RackCount({ table, written, onWrite, tried }: RackCountProps) {
  const t = useWords("console");
  return (
    <CountSheet
      legend={t("money_rack_count")}
      hint={t("money_blind")}
      chips={counted(table)}
      written={written}
      onWrite={onWrite}
      fault={tried && isBlank(written) ? t("money_not_counted") : null}
      first
    />
  );
}

interface DropProps {
  readonly cash: string;
  readonly chips: string;
  readonly onCash: (text: string) => void;
  readonly onChips: (text: string) => void;
  readonly tried: boolean;
}

/** The fields for the drop box: its cash, and its value chips. */
export function DropCount({ cash, chips, onCash, onChips, tried }: DropProps) {
  const t = useWords("console");
  const fault = (text: string): string | null => {
    const read = readAmount(text);
    if (read === undefined) return t("money_not_amount");
    return tried && read === null ? t("money_zero_missing") : null;
  };
  const sum = (readAmount(cash) ?? 0) + (readAmount(chips) ?? 0);
  return (
    <>
      <p class="console-hint">{t("money_blind")}</p>
      <Amount label={t("money_drop_cash")} fault={fault(cash)} value={cash} onValue={onCash} first />
      <Amount label={t("money_drop_chips")} fault={fault(chips)} value={chips} onValue={onChips} />
      <p class="money-sheet-total">
        {t("money_total")} <span class="money">{money(sum)}</span>
      </p>
    </>
  );
}
