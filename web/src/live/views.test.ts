import { expect, test, vi } from "vitest";

import { onePrivateEventOfEach, oneServerOfEach } from "../protocol.examples.ts";
import type {
  AnyPrivateEvent,
  PositionChanges,
  PositionView,
  RoundSummary,
  TableChanges,
  TableView,
} from "../protocol.ts";
import { roundsOf } from "./changes.ts";
import { Table } from "./live_table.ts";
import { Terminal } from "./live_terminal.ts";

const { TableSnapshot, TerminalSnapshot, Private, VoucherPrinted } = oneServerOfEach;
const own = onePrivateEventOfEach;

function tableAfter(view: Partial<TableView>, changes: TableChanges): Table {
  const table = new Table("T1");
  table.begin({ ...TableSnapshot, view: { ...TableSnapshot.view, ...view } });
  table.take({ type: "Public", table: "T1", sequence: 1041, after: 1040, at: 0, changes });
  return table;
}

test.each<[string, Partial<TableView>, TableChanges, Partial<TableView>]>([
  ["fields are set", { phase: "closed" }, { phase: "ready", round: 215 }, { phase: "ready", round: 215 }],
  ["fields are emptied", { faces: [1, 2, 3], winners: ["small"] }, { faces: null, winners: [] }, { faces: null, winners: [] }],
  [
    "a round is added, and the oldest goes",
    { rounds: { 212: round(212), 213: round(213) } },
    { rounds: { 214: round(214), 212: null } },
    { rounds: { 213: round(213), 214: round(214) } },
  ],
  [
    "a round is put right",
    { rounds: { 212: round(212), 213: round(213) } },
    { rounds: { 212: { ...round(212), void: true } } },
    { rounds: { 212: { ...round(212), void: true }, 213: round(213) } },
  ],
  ["a map is emptied", { rounds: { 212: round(212) } }, { rounds: null }, { rounds: {} }],
])("%s", (_, before, changes, after) => {
  expect(tableAfter(before, changes).view.value).toEqual({
    ...TableSnapshot.view,
    totals: {},
    ...before,
    ...after,
  });
});

function round(number: number): RoundSummary {
  return { round: number, faces: [2, 3, 5], void: false, total: 10, size: "small", parity: "even" };
}

test("rounds are listed oldest first, and are the same list until they change", () => {
  const table = tableAfter({ rounds: { 99: round(99), 100: round(100) } }, { phase: "closed" });
  const before = roundsOf(table.view.value);
  expect(before.map((each) => each.round)).toEqual([99, 100]);
  table.take({ type: "Public", table: "T1", sequence: 1042, after: 1041, at: 0, changes: { phase: "ready" } });
  expect(roundsOf(table.view.value)).toBe(before);
  expect(roundsOf(null)).toBe(roundsOf(undefined));
});

test("totals have signals of their own, and leave the view alone", () => {
  const table = tableAfter({ totals: { small: 500, big: 300 } }, { totals: { small: 700, big: null, odd: 100 } });
  expect([...table.totals.value]).toEqual([["small", 700], ["odd", 100]]);
  expect(table.total("big").value).toBe(0);
  const view = table.view.value;
  table.take({ type: "Public", table: "T1", sequence: 1042, after: 1041, at: 0, changes: { totals: null } });
  expect(table.totals.value.size).toBe(0);
  expect(table.view.value).toBe(view);
});

test("the staff of a chip table have its seats, chips and day; the newest counts", () => {
  const table = tableAfter({}, {});
  expect(table.chipTable.value).toBeNull();
  table.note(oneServerOfEach.ChipTableView);
  table.note({ ...oneServerOfEach.ChipTableView, paying: true });
  expect(table.chipTable.value).toEqual({
    ...oneServerOfEach.ChipTableView,
    paying: true,
    guide: null,
    stacks: [
      { seat: "3", box: "small", amount: 20000, chips: [[10000, 2]], oral: false },
      { seat: "3", box: "odd", amount: 2000, chips: [["pink", 4]], oral: false },
    ],
  });
});

test("the lists of a layout have a name for every figure", () => {
  const table = tableAfter({}, {});
  const guide = {
    round: 7,
    collect: [["big", "1", 15000, [[10000, 2]], [[5000, 1]]]],
    collected: 15000,
    put_back: [["small", "2", 500, [[500, 1]], []]],
    pay: [["odd", "3", 2000, null]],
    paid: 2000,
    wanted: [[1000, 2]],
    parts: [],
    more_collect: 0,
    more_pay: 3,
    more_parts: 0,
  } as const;
  table.note({ ...oneServerOfEach.ChipTableView, guide });
  expect(table.chipTable.value?.guide).toEqual({
    ...guide,
    put_back: [{ box: "small", seat: "2", amount: 500, chips: [[500, 1]], change: [] }],
    collect: [{ box: "big", seat: "1", amount: 15000, chips: [[10000, 2]], change: [[5000, 1]] }],
    pay: [{ box: "odd", seat: "3", amount: 2000, chips: null }],
  });
});

function terminalAfter(view: Partial<PositionView>, changes: PositionChanges, ...events: AnyPrivateEvent[]): Terminal {
  const terminal = new Terminal();
  terminal.begin({ ...TerminalSnapshot, view: { ...TerminalSnapshot.view, ...view } });
  const { sequence: after } = TerminalSnapshot;
  expect(terminal.take({ ...Private, sequence: after + 1, after, at: 77, events, changes })).toBe("next");
  return terminal;
}

test("a terminal has the money and the bets that the server shows it", () => {
  const changes = { credits: 4_321, staked: 300, bets: { small: null, big: 300 } };
  const terminal = terminalAfter({ bets: { small: 500 } }, changes);
  expect(terminal.view.value).toEqual({ ...TerminalSnapshot.view, credits: 4_321, staked: 300, bets: { big: 300 } });
  expect([terminal.bet("small").value, terminal.bet("big").value]).toEqual([0, 300]);
});

test("every private event of the protocol is heard", () => {
  const terminal = new Terminal();
  const heard = vi.fn();
  terminal.onEvent(heard);
  terminal.begin(TerminalSnapshot);
  const { sequence: after } = TerminalSnapshot;
  const events = Object.values(onePrivateEventOfEach);
  expect(terminal.take({ ...Private, sequence: after + 1, after, events })).toBe("next");
  expect(heard).toHaveBeenCalledTimes(events.length);
});

test("bets have a signal for each box", () => {
  const terminal = terminalAfter({ bets: { small: 500 } }, { bets: { small: 1_500 } });
  const small = terminal.bet("small");
  expect([small.value, terminal.bet("big").value]).toEqual([1500, 0]);
  terminal.begin(TerminalSnapshot);
  expect(small.value).toBe(0);
});

test("a voucher is shown until somebody buys in, or a snapshot comes without it", () => {
  const terminal = terminalAfter({}, {}, own.CashedOut);
  terminal.printed(VoucherPrinted);
  expect(terminal.voucher.value).toEqual(VoucherPrinted);
  const sequence = TerminalSnapshot.sequence + 2;
  terminal.take({ ...Private, sequence, after: sequence - 1, events: [own.CreditsReceived] });
  expect(terminal.voucher.value).toBeNull();
  terminal.printed(VoucherPrinted);
  terminal.begin(TerminalSnapshot);
  expect(terminal.voucher.value).toBeNull();
});
