// Holds the types to what they promise: each of these must compile, or must not.

import type { AnyPublicEvent, ClientMessage, PlaceBets, ServerMessage } from "./protocol.ts";

/** What a reader does: the compiler knows each message by its `type`, and misses none. */
export function channelOf(message: ServerMessage): string {
  switch (message.type) {
    case "Public":
    case "TableSnapshot":
    case "Countdown":
    case "Dealer":
    case "Suspended":
      return `table ${message.table}`;
    case "Private":
      return `terminal at ${message.table}`;
    case "TerminalSnapshot":
      return `terminal ${message.view.terminal}`;
    case "Steps":
    case "Exposure":
    case "ChipTableView":
      return `console of ${message.table}`;
    case "Staff":
      return `staff of ${message.to}`;
    case "Registered":
    case "Refused":
    case "Done":
      return `answer to ${message.id}`;
    case "Welcome":
    case "VoucherPrinted":
    case "Notice":
    case "Fault":
    case "Pong":
      return "this connection";
    default:
      return message satisfies never;
  }
}

/** The dice of an event, where everybody has seen them. */
export function facesIn(event: AnyPublicEvent): readonly [number, number, number] | null {
  switch (event.type) {
    case "ResultEntered":
    case "ResultConfirmed":
    case "ResultAmended":
    case "RoundSettled":
    case "RoundResettled":
      return event.faces;
    default:
      return null;
  }
}

const bets: PlaceBets = { type: "PlaceBets", terminal: "T1-1", bets: [["small", 5000]] };

export const right: readonly ClientMessage[] = [
  { type: "Hello", protocol: 1 },
  { type: "Watch", table: "T1" },
  { type: "Watch", table: "T1", after: null },
  { type: "Ask", to: "T1", id: "1794803228232-a1", command: bets },
  { type: "Ping" },
];

export const wrong: readonly ClientMessage[] = [
  // @ts-expect-error -- an unknown `type`
  { type: "Shout" },
  // @ts-expect-error -- `table` is missing
  { type: "Watch" },
  // @ts-expect-error -- an unknown field
  { type: "Watch", table: "T1", loudly: true },
  // @ts-expect-error -- what may be left out may not be `undefined`
  { type: "Watch", table: "T1", after: undefined },
  // @ts-expect-error -- a stake is a number
  { type: "Ask", to: "T1", id: "1-a", command: { ...bets, bets: [["small", "5000"]] } },
  // @ts-expect-error -- an approval is a `Grant`, with a PIN
  { type: "Ask", to: "T1", id: "1-a", command: { type: "Approve", pending: "", version: 1 } },
  // @ts-expect-error -- there is no such language
  { type: "Hello", protocol: 1, language: "fr" },
];

/** A message that was read cannot be written to. */
export function change(message: Extract<ServerMessage, { readonly type: "Totals" }>): void {
  // @ts-expect-error -- it is read-only
  message.sequence = 0;
}
