import { expect, test, vi } from "vitest";

import { onePrivateEventOfEach, onePublicEventOfEach, oneServerOfEach } from "../protocol.examples.ts";
import type { AnyPrivateEvent, AnyPublicEvent, TableView, TerminalView } from "../protocol.ts";
import { ROUNDS_KEPT } from "./table_events.ts";
import { Table } from "./table_picture.ts";
import { Terminal } from "./terminal_picture.ts";

const { TableSnapshot, TerminalSnapshot, Private, VoucherPrinted } = oneServerOfEach;
const e = onePublicEventOfEach;
const own = onePrivateEventOfEach;

function tableAfter(view: Partial<TableView>, ...events: AnyPublicEvent[]): Table {
  const table = new Table("T1");
  table.begin({ ...TableSnapshot, view: { ...TableSnapshot.view, ...view } });
  table.take({ type: "Public", table: "T1", sequence: 1041, after: 1040, at: 0, events });
  return table;
}

const PINK = { colour: "pink", seat: "3", value: 500 };
const BLUE = { colour: "blue", seat: "1", value: 2_500 };

test.each<[string, Partial<TableView>, AnyPublicEvent, Partial<TableView>]>([
  ["opens", { phase: "closed", notice_given: true }, e.TableOpened, { phase: "ready", notice_given: false }],
  ["gives notice", {}, e.NoticeGiven, { notice_given: true }],
  ["closes", { phase: "ready" }, e.TableClosed, { phase: "closed" }],
  [
    "begins a round",
    { faces: [1, 2, 3], call: "1, 2, 3, total 6", winners: ["small"] },
    { ...e.RoundStarted, round: 215 },
    { phase: "tumbled", round: 215, faces: null, call: null, winners: [] },
  ],
  ["opens bets", { phase: "tumbled" }, e.BetsOpened, { phase: "betting" }],
  ["closes bets", { in_doubt: "x" }, e.BetsClosed, { phase: "no-more-bets", in_doubt: null }],
  ["has readings that differ", {}, e.ResultsDisagreed, { waiting: true }],
  [
    "shows the dice",
    { waiting: true, in_doubt: "x", winners: ["big"] },
    { ...e.ResultEntered, faces: [2, 3, 5], call: "2, 3, 5, total 10" },
    { phase: "result", faces: [2, 3, 5], call: "2, 3, 5, total 10", winners: [], waiting: false, in_doubt: null },
  ],
  [
    "puts the dice right",
    { phase: "confirmed", faces: [6, 6, 6], call: "triple 6", winners: ["any-triple"] },
    { ...e.ResultAmended, faces: [2, 3, 5], call: "2, 3, 5, total 10" },
    { phase: "result", faces: [2, 3, 5], call: "2, 3, 5, total 10", winners: [] },
  ],
  [
    "lights the winners",
    { in_doubt: "x" },
    { ...e.ResultConfirmed, winners: ["small", "total-10"] },
    { phase: "confirmed", winners: ["small", "total-10"], in_doubt: null },
  ],
  ["commits itself", {}, { ...e.ChainPublished, commitment: "9f2c" }, { commitment: "9f2c" }],
  ["is in doubt", {}, { ...e.IrregularityReported, code: "X", in_doubt: true }, { in_doubt: "X" }],
  ["is not in doubt", {}, { ...e.IrregularityReported, in_doubt: false }, { in_doubt: null }],
  ["goes on", { in_doubt: "X" }, e.DoubtLifted, { in_doubt: null }],
  ["waits for a declaration", {}, { ...e.InterruptionRecorded, ruling: "wait" }, { waiting: true }],
  ["concludes", {}, { ...e.InterruptionRecorded, ruling: "conclude" }, { waiting: false }],
  ["stops", {}, { ...e.TableStopped, clause: "7.4" }, { stopped: "7.4" }],
  ["is rectified", { stopped: "7.4" }, e.TableRectified, { stopped: null }],
  ["plays on safely", { stopped: "7.4" }, e.SafeProcedureDeclared, { stopped: null }],
  ["has a seat taken", { taken: ["1"] }, { ...e.SeatTaken, seat: "3" }, { taken: ["1", "3"] }],
  [
    "has a seat left, and its colour free",
    { taken: ["1", "3"], marked: [BLUE, PINK] },
    { ...e.SeatLeft, seat: "3" },
    { taken: ["1"], marked: [BLUE] },
  ],
  ["marks a colour", { marked: [BLUE] }, { type: "ColourAssigned", ...PINK }, { marked: [BLUE, PINK] }],
  [
    "marks a colour anew",
    { marked: [PINK, BLUE] },
    { type: "ColourAssigned", ...PINK, value: 1_000 },
    { marked: [BLUE, { ...PINK, value: 1_000 }] },
  ],
  ["frees a colour", { marked: [BLUE, PINK] }, { ...e.ColourReleased, colour: "blue" }, { marked: [PINK] }],
  ["has paid its winners", { paying: true }, e.WinnersPaid, { paying: false }],
  ["takes bets again", { paying: true, phase: "ready" }, e.BetsOpened, { paying: false, phase: "betting" }],
])("a table that %s", (_, before, event, after) => {
  expect(tableAfter(before, event).view.value).toEqual({
    ...TableSnapshot.view,
    totals: {},
    ...before,
    ...after,
  });
});

const under = { faces: [2, 3, 5], call: "…", winners: ["small"], waiting: true, in_doubt: "x" } as const;
const over = { phase: "ready", faces: null, call: null, winners: [], waiting: false, in_doubt: null };

test("a layout is paid after its round, where anything lay on it", () => {
  const chips = { form: "chips", paying: false } as const;
  expect(tableAfter({ ...chips, totals: { small: 500 } }, e.RoundSettled).view.value?.paying).toBe(true);
  expect(tableAfter({ ...chips, totals: {} }, e.RoundSettled).view.value?.paying).toBe(false);
  expect(tableAfter({ totals: { small: 500 } }, e.RoundSettled).view.value?.paying).toBe(false);
});

test("the staff of a chip table have its seats, chips and day; the newest counts", () => {
  const table = tableAfter({});
  expect(table.chipTable.value).toBeNull();
  table.note(oneServerOfEach.Felt);
  table.note({ ...oneServerOfEach.Felt, paying: true });
  expect(table.chipTable.value).toEqual({
    ...oneServerOfEach.Felt,
    paying: true,
    guide: null,
    stacks: [
      { seat: "3", box: "small", amount: 20000, chips: [[10000, 2]], oral: false },
      { seat: "3", box: "odd", amount: 2000, chips: [["pink", 4]], oral: false },
    ],
  });
});

test("the lists of a layout have a name for every figure", () => {
  const table = tableAfter({});
  const guide = {
    round: 7,
    collect: [["big", "1", 15000, [[10000, 2]], [[5000, 1]]]],
    collected: 15000,
    pay: [["odd", "3", 2000, null]],
    paid: 2000,
    wanted: [[1000, 2]],
    parts: [],
    more_collect: 0,
    more_pay: 3,
    more_parts: 0,
  } as const;
  table.note({ ...oneServerOfEach.Felt, guide });
  expect(table.chipTable.value?.guide).toEqual({
    ...guide,
    collect: [{ box: "big", seat: "1", amount: 15000, chips: [[10000, 2]], change: [[5000, 1]] }],
    pay: [{ box: "odd", seat: "3", amount: 2000, chips: null }],
  });
});

test("a settled round leaves nothing on any box, and is the last on the roads", () => {
  const settled = { ...e.RoundSettled, round: 214, faces: [2, 3, 5], total: 10, size: "small", parity: "even" } as const;
  const table = tableAfter(under, settled);
  expect(table.view.value).toMatchObject({ ...over, round: 214 });
  expect(table.view.value?.rounds).toEqual([
    ...TableSnapshot.view.rounds,
    { round: 214, faces: [2, 3, 5], void: false, total: 10, size: "small", parity: "even" },
  ]);
  expect(table.totals.value.size).toBe(0);
  expect(table.total("small").value).toBe(0);
  expect(table.closesAt.value).toBeNull();
});

test("a void round is on the roads without dice, and nothing lies on any box", () => {
  const table = tableAfter(under, { ...e.RoundVoided, round: 214 });
  expect(table.view.value).toMatchObject({ ...over, round: 214 });
  expect(table.view.value?.rounds.at(-1)).toEqual({
    round: 214,
    faces: null,
    void: true,
    total: null,
    size: null,
    parity: null,
  });
  expect(table.totals.value.size).toBe(0);
});

test("rounds that are put right afterwards are put right on the roads", () => {
  const message = { faces: [4, 5, 6], total: 15, size: "big", parity: "odd" } as const;
  const table = tableAfter(
    {},
    { ...e.RoundResettled, round: 212, ...message },
    { ...e.RoundsReversed, rounds: [212] },
  );
  expect(table.view.value?.rounds[0]).toEqual({ round: 212, void: true, ...message });
});

test("so many rounds are kept, and one that is told twice once", () => {
  const rounds = Array.from({ length: ROUNDS_KEPT + 5 }, (_, index) => ({ ...e.RoundSettled, round: index + 1 }));
  const table = tableAfter({ rounds: [] }, ...rounds, { ...e.RoundSettled, round: ROUNDS_KEPT + 5 });
  expect(table.view.value?.rounds).toHaveLength(ROUNDS_KEPT);
  expect(table.view.value?.rounds.at(-1)?.round).toBe(ROUNDS_KEPT + 5);
  expect(table.view.value?.rounds.filter(({ round }) => round === ROUNDS_KEPT + 5)).toHaveLength(1);
});

test("every public event of the protocol but two says enough", () => {
  const unclear = Object.values(onePublicEventOfEach).filter((event) => {
    const table = new Table("T1");
    table.begin(TableSnapshot);
    const message = { type: "Public", table: "T1", sequence: 1041, after: 1040, at: 0, events: [event] } as const;
    return table.take(message) === "unclear";
  });
  expect(unclear.map(({ type }) => type)).toEqual(["RulebookAdopted", "LimitsSet"]);
});

function terminalAfter(view: Partial<TerminalView>, ...events: AnyPrivateEvent[]): Terminal {
  const terminal = new Terminal();
  terminal.begin({ ...TerminalSnapshot, view: { ...TerminalSnapshot.view, ...view } });
  const { sequence: after } = TerminalSnapshot;
  const message = { ...Private, sequence: after + 1, after, at: 77, credits: 4321, staked: 1234, events };
  expect(terminal.take(message)).toBe("next");
  return terminal;
}

test.each<[string, Partial<TerminalView>, AnyPrivateEvent, Partial<TerminalView>]>([
  [
    "bets more on a box",
    { bets: { small: 500 } },
    { ...own.BetsRegistered, bets: [["small", 1000], ["total-10", 200]] },
    { bets: { small: 1500, "total-10": 200 } },
  ],
  [
    "takes bets back",
    { bets: { small: 500, big: 300 } },
    { ...own.BetsWithdrawn, bets: [["small", 500], ["big", 100]] },
    { bets: { big: 200 } },
  ],
  ["has an excess returned", { bets: { big: 300 } }, { ...own.BetsRejected, bets: [["big", 100]] }, { bets: { big: 200 } }],
  ["is settled", { bets: { small: 500 } }, own.RoundSettled, { bets: {}, last: own.RoundSettled }],
  ["has a void round", { bets: { small: 500 } }, own.RoundVoided, { bets: {}, last: own.RoundVoided }],
  ["begins to play", {}, own.CreditsReceived, { session_began: 77 }],
  ["plays on", { session_began: 5 }, own.CreditsReceived, { session_began: 5 }],
  [
    "leaves",
    { session_began: 5, loss_limit: 9, session_seconds: 60 },
    own.CashedOut,
    { session_began: null, loss_limit: null, session_seconds: null },
  ],
  ["has bets when it cashes out", { session_began: 5, bets: { small: 500 } }, own.CashedOut, {}],
  ["has left", { session_began: 5, loss_limit: 9 }, own.SessionEnded, { session_began: null, loss_limit: null }],
  ["sets limits", {}, { ...own.OwnLimitsSet, loss: 9, session_seconds: 60 }, { loss_limit: 9, session_seconds: 60 }],
  ["is barred", {}, own.TerminalBarred, { barred: true }],
  ["may bet again", { barred: true }, own.BarLifted, { barred: false }],
  ["is locked", {}, own.TerminalLocked, { locked: true }],
  ["is unlocked", { locked: true }, own.LockCleared, { locked: false }],
])("a terminal that %s has the money it is told", (_, before, event, after) => {
  expect(terminalAfter(before, event).view.value).toEqual({
    ...TerminalSnapshot.view,
    ...before,
    ...after,
    credits: 4321,
    staked: 1234,
  });
});

test("every private event of the protocol says enough, and is heard", () => {
  const terminal = new Terminal();
  const listener = vi.fn();
  terminal.onEvent(listener);
  terminal.begin(TerminalSnapshot);
  const { sequence: after } = TerminalSnapshot;
  const events = Object.values(onePrivateEventOfEach);
  expect(terminal.take({ ...Private, sequence: after + 1, after, events })).toBe("next");
  expect(listener).toHaveBeenCalledTimes(events.length);
});

test("bets have a signal for each box", () => {
  const terminal = terminalAfter({ bets: { small: 500 } }, { ...own.BetsRegistered, bets: [["small", 1000]] });
  const small = terminal.bet("small");
  expect([small.value, terminal.bet("big").value]).toEqual([1500, 0]);
  terminal.begin(TerminalSnapshot);
  expect(small.value).toBe(0);
});

test("a voucher is shown until somebody buys in, or a snapshot comes without it", () => {
  const terminal = terminalAfter({}, own.CashedOut);
  terminal.printed(VoucherPrinted);
  expect(terminal.voucher.value).toEqual(VoucherPrinted);
  const sequence = TerminalSnapshot.sequence + 2;
  terminal.take({ ...Private, sequence, after: sequence - 1, events: [own.CreditsReceived] });
  expect(terminal.voucher.value).toBeNull();
  terminal.printed(VoucherPrinted);
  terminal.begin(TerminalSnapshot);
  expect(terminal.voucher.value).toBeNull();
});
