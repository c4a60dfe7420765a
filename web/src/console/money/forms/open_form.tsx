/** The form that is open, with what it is about; gone when that is gone. */

import type { Felt } from "../../../live/index.ts";
import type { LimitsAsked } from "../../../protocol.ts";
import { AssignForm, BuyColourForm, ConvertForm, ReleaseForm } from "./colour_forms.tsx";
import { CloseDayForm, CountDropForm, CreditBackForm, CreditForm, OpenDayForm, ReceiveForm } from "./day_forms.tsx";
import type { Asking } from "./form.tsx";
import type { Opened } from "./form_name.ts";
import { PayKeptForm, PutRightForm, RecoveryForm, type BoxName } from "./owed_forms.tsx";
import { BuyForm, ExchangeForm, LeaveForm } from "./seat_forms.tsx";

interface Props extends Asking {
  readonly opened: Opened | null;
  readonly felt: Felt;
  readonly limits: LimitsAsked | null;
  readonly boxes: readonly BoxName[];
}

export function Forms({ opened, felt, limits, boxes, ...asking }: Props) {
  if (opened === null) return null;
  if ("seat" in opened) return <SeatForm opened={opened} felt={felt} limits={limits} {...asking} />;
  if ("name" in opened) return <NamedForm opened={opened} felt={felt} {...asking} />;
  switch (opened.form) {
    case "open-day":
      return <OpenDayForm felt={felt} {...asking} />;
    case "close-day":
      return felt.day == null ? null : <CloseDayForm felt={felt} day={felt.day} {...asking} />;
    case "count-drop":
      return <CountDropForm {...asking} />;
    case "credit":
      return <CreditForm felt={felt} {...asking} />;
    case "put-right":
      return <PutRightForm felt={felt} boxes={boxes} {...asking} />;
  }
}

type OfSeat = Extract<Opened, { readonly seat: string }>;
type Named = Extract<Opened, { readonly name: string }>;

function SeatForm({ opened, felt, limits, ...asking }: Omit<Props, "opened" | "boxes"> & { readonly opened: OfSeat }) {
  const seat = felt.seats.find((each) => each.seat === opened.seat);
  if (seat === undefined) return null;
  const given = { felt, seat, ...asking };
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

function NamedForm({ opened, felt, ...asking }: Asking & { readonly opened: Named; readonly felt: Felt }) {
  const lists = { receive: felt.fills, "credit-back": felt.credits, "pay-kept": felt.kept, recovery: felt.recovering };
  const found = lists[opened.form]?.find((each) => each.name === opened.name);
  if (found === undefined) return null;
  switch (opened.form) {
    case "receive":
      return <ReceiveForm felt={felt} fill={found} {...asking} />;
    case "credit-back":
      return <CreditBackForm felt={felt} credit={found} {...asking} />;
    case "pay-kept":
      return <PayKeptForm kept={found} {...asking} />;
    case "recovery":
      return <RecoveryForm owed={found} {...asking} />;
  }
}
