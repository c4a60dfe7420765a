/** A cashier's count forms: the drawer at both ends of a shift, a fill to send, chips received. */

import { useSignal } from "@preact/signals";

import type { FilledTable, OnItsWay } from "../../answers.ts";
import { isBlank, readChips, type Written } from "../../console/money/counts/chips.ts";
import { CountSheet } from "../../console/money/counts/count_sheet.tsx";
import { Amount, MoneyForm, type FormProps } from "../../console/money/forms/form.tsx";
import type { Pieces, WireCommand } from "../../protocol.ts";
import { Choice } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import { readAmount } from "../../words/written.ts";

const NOTHING: Written = new Map();

interface CountProps extends FormProps {
  readonly title: string;
  readonly hint: string;
  readonly type: "OpenShift" | "CloseShift";
}

/** The cash in the drawer, counted. */
function CountForm({ title, hint, type, ...form }: CountProps) {
  const t = useWords("pit");
  const written = useSignal("");
  const tried = useSignal(false);
  const count = readAmount(written.value);
  const fault = count === undefined ? t("not_amount") : count === null ? t("missing") : null;
  return (
    <MoneyForm
      title={title}
      second
      read={() => {
        tried.value = true;
        return count == null ? null : { type, count };
      }}
      {...form}
    >
      <Amount
        label={t("drawer_count")}
        hint={hint}
        fault={tried.value ? fault : null}
        value={written.value}
        onValue={(text) => (written.value = text)}
        first
      />
    </MoneyForm>
  );
}

export function OpenShiftForm(form: FormProps) {
  const t = useWords("pit");
  return <CountForm title={t("shift_open")} hint={t("shift_open_how")} type="OpenShift" {...form} />;
}

export function CloseShiftForm(form: FormProps) {
  const t = useWords("pit");
  return <CountForm title={t("shift_close")} hint={t("shift_blind")} type="CloseShift" {...form} />;
}

/** The denominations of a table, the largest first. */
function valuesOf(tables: readonly FilledTable[], table: string): readonly number[] {
  return [...(tables.find((each) => each.table === table)?.values ?? [])].reverse();
}

interface SendFillProps extends FormProps {
  readonly tables: readonly FilledTable[];
}

/** A fill for a table, by denomination; a table without an open gaming day cannot receive it. */
export function SendFillForm({ tables, ...form }: SendFillProps) {
  const t = useWords("pit");
  const console = useWords("console");
  const open = tables.filter(({ date }) => date !== null);
  const table = useSignal(open[0]?.table ?? "");
  const written = useSignal<Written>(NOTHING);
  const tried = useSignal(false);
  return (
    <MoneyForm
      title={t("fill_send")}
      second
      read={() => {
        tried.value = true;
        const chips = readChips(written.value);
        return chips === undefined || chips.length === 0 ? null : { type: "SendFill", table: table.value, chips };
      }}
      {...form}
    >
      <Choice
        label={t("table")}
        value={table.value}
        onChange={(event) => {
          table.value = event.currentTarget.value;
          // Another table may have other chips.
          written.value = NOTHING;
        }}
      >
        {open.map((each) => (
          <option key={each.table}>{each.table}</option>
        ))}
      </Choice>
      <CountSheet
        legend={t("fill_chips")}
        chips={valuesOf(tables, table.value)}
        written={written.value}
        onWrite={(next) => (written.value = next)}
        fault={tried.value && readChips(written.value)?.length === 0 ? console("money_chips_missing") : null}
        first
      />
    </MoneyForm>
  );
}

interface ArrivedProps extends SendFillProps {
  readonly title: string;
  readonly act: string;
  readonly hint: string;
  readonly chips: OnItsWay;
  readonly command: (chips: readonly Pieces[]) => WireCommand;
}

/** Chips received, counted again before the cage has them. */
function ArrivedForm({ title, act, hint, chips, command, tables, ...form }: ArrivedProps) {
  const t = useWords("pit");
  const console = useWords("console");
  const written = useSignal<Written>(NOTHING);
  const tried = useSignal(false);
  return (
    <MoneyForm
      title={title}
      act={act}
      second
      read={() => {
        tried.value = true;
        const counted = readChips(written.value);
        return counted === undefined || isBlank(written.value) ? null : command(counted);
      }}
      {...form}
    >
      <CountSheet
        legend={t("credit_chips", { table: chips.table })}
        hint={hint}
        chips={valuesOf(tables, chips.table)}
        written={written.value}
        onWrite={(next) => (written.value = next)}
        fault={tried.value && isBlank(written.value) ? console("money_chips_missing") : null}
        first
      />
    </MoneyForm>
  );
}

/** A credit received from a table. */
export function ReceiveCreditForm({ credit, ...given }: SendFillProps & { readonly credit: OnItsWay }) {
  const t = useWords("pit");
  const { transit, table } = credit;
  return (
    <ArrivedForm
      title={t("credit_receive_of", { transit })}
      act={t("credit_receive")}
      hint={t("credit_count")}
      chips={credit}
      command={(chips) => ({ type: "ReceiveCredit", transit, table, chips })}
      {...given}
    />
  );
}

/** A fill that was not received at its table, and returns; some chips may be missing. */
export function ReturnFillForm({ fill, ...given }: SendFillProps & { readonly fill: OnItsWay }) {
  const t = useWords("pit");
  const { transit } = fill;
  return (
    <ArrivedForm
      title={t("fill_back_of", { transit })}
      act={t("fill_back")}
      hint={t("fill_back_count")}
      chips={fill}
      command={(chips) => ({ type: "ReturnFill", transit, chips })}
      {...given}
    />
  );
}
