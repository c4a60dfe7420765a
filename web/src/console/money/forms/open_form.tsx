/** Shows the open form with its subject; closes it when its subject is gone. */

import type { ChipTable } from "../../../live/index.ts";
import type { LimitsAsked } from "../../../protocol.ts";
import { AssignForm, BuyColourForm, ConvertForm, ReleaseForm } from "./colour_forms.tsx";
import { CloseDayForm, CountDropForm, CreditBackForm, CreditForm, OpenDayForm, ReceiveForm } from "./day_forms.tsx";
import type { FormProps } from "./form.tsx";
import type { Opened } from "./form_name.ts";
import { PutRightForm, RecoveryForm, type BoxName } from "./owed_forms.tsx";
import { AllLeaveForm, LeaveForm } from "./leave_forms.tsx";
import { BuyForm, ExchangeForm } from "./seat_forms.tsx";

interface Props extends FormProps {
  readonly opened: Opened | null;
  readonly table: ChipTable;
  readonly limits: LimitsAsked | null;
  readonly boxes: readonly BoxName[];
}

export function Forms({ opened, table, limits, boxes, ...form }: Props) {
  if (opened === null) return null;
  if ("seat" in opened) return <SeatForm opened={opened} table={table} limits={limits} {...form} />;
  if ("name" in opened) return <NamedForm opened={opened} table={table} {...form} />;
  switch (opened.form) {
    case "open-day":
      return <OpenDayForm table={table} {...form} />;
    case "close-day":
      return table.day == null ? null : <CloseDayForm table={table} day={table.day} {...form} />;
    case "count-drop":
      return <CountDropForm {...form} />;
    case "credit":
      return <CreditForm table={table} {...form} />;
    case "all-leave":
      return <AllLeaveForm table={table} {...form} />;
    case "put-right":
      return <PutRightForm table={table} boxes={boxes} {...form} />;
  }
}

/** Whether the subject of a form is still there. */
export function isThere(opened: Opened, table: ChipTable): boolean {
  if ("seat" in opened) return table.seats.some((each) => each.seat === opened.seat);
  if ("name" in opened) return namedIn(table, opened) !== undefined;
  return opened.form !== "close-day" || table.day != null;
}

function namedIn(table: ChipTable, { form, name }: Named) {
  const lists = { receive: table.fills, "credit-back": table.credits, recovery: table.recovering };
  return lists[form]?.find((each) => each.name === name);
}

type OfSeat = Extract<Opened, { readonly seat: string }>;
type Named = Extract<Opened, { readonly name: string }>;

function SeatForm({ opened, table, limits, ...form }: Omit<Props, "opened" | "boxes"> & { readonly opened: OfSeat }) {
  const seat = table.seats.find((each) => each.seat === opened.seat);
  if (seat === undefined) return null;
  const given = { table, seat, ...form };
  switch (opened.form) {
    case "buy":
      return <BuyForm {...given} />;
    case "exchange":
      return <ExchangeForm {...given} />;
    case "leave":
      return <LeaveForm {...given} />;
    case "assign":
      return <AssignForm {...given} limits={limits} />;
    case "buy-colour":
      return <BuyColourForm {...given} />;
    case "convert":
      return <ConvertForm {...given} />;
    case "release":
      return <ReleaseForm {...given} />;
  }
}

function NamedForm({ opened, table, ...form }: FormProps & { readonly opened: Named; readonly table: ChipTable }) {
  const found = namedIn(table, opened);
  if (found === undefined) return null;
  switch (opened.form) {
    case "receive":
      return <ReceiveForm table={table} fill={found} {...form} />;
    case "credit-back":
      return <CreditBackForm table={table} credit={found} {...form} />;
    case "recovery":
      return <RecoveryForm owed={found} {...form} />;
  }
}
