import { act, fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Awaited, DrawerView, FoundVoucher, OnItsWay, PastShift, RoundReceipt } from "../answers.ts";
import { FakeServer, refused, registered } from "../console/fakes.ts";
import type { AnyEvent, Role, Staff } from "../protocol.ts";
import { apart, Cage } from "../pit/cage/cage.tsx";
import { Floor } from "../pit/floor.ts";
import { AT, AWAITED, whoIs } from "../pit/fakes.ts";
import { NoticeNow } from "../shell/notices.tsx";
import { CageScreen } from "./cage_screen.tsx";

const CREDIT: OnItsWay = {
  ...{ transit: "Crane-118", table: "Crane", amount: 105_000, by: "Dan", sent_at: AT, late: true },
  chips: [[10_000, 10], [2_500, 2]],
};
const CLOSED: PastShift = {
  ...{ cashier: "Cat", opened_at: AT - 9_000_000, opening: 500_000, closed_at: AT - 5_000 },
  ...{ count: 612_300, expected: 612_500, difference: -200 },
};
const DRAWER: DrawerView = {
  currency: "SGD",
  at: AT,
  shift: null,
  fills: [{ ...CREDIT, transit: "cage-T2-92", amount: 50_000, chips: [[10_000, 5]], late: false }],
  credits: [CREDIT],
  tables: [
    { table: "Crane", values: [500, 2_500, 10_000], date: "2026-11-16" },
    { table: "Fern", values: [100], date: null },
  ],
  locked: [],
  shifts: [CLOSED],
};
const FOUND: FoundVoucher = { serial: 12, value: 5_000, place: "counter", at: AT, expires: AT + 1, sold: true, takes_two: false };
const SOLD = { id: "1-a", serial: 13, number: "482915073366104927", value: 7_550, expires: AT + 1, session: null };
const RECEIPT: RoundReceipt = {
  ...{ stream: "table/T1", version: 90, hash: "ab".repeat(32), round: 7, session: "T1-1@2", faces: [1, 2, 3] },
  ...{ void: false, bets: [{ box: "small", stake: 500, won: 500, back: 1_000 }], at: AT, key: "k", signature: "s" },
};
const NUMBER = "482915073366104927";
const CODE = "1234567890123452";
/** The requests sent: the address, and the body without its id. */
const posted: [string, Record<string, unknown>][] = [];
let answers: Record<string, unknown>;

let drawer: DrawerView;
let waiting: readonly Awaited[];
const requests: string[] = [];
/** The elements scrolled into view, recorded since nothing is laid out here. */
const brought: Element[] = [];

beforeEach(() => {
  brought.length = 0;
  Element.prototype.scrollIntoView = function () {
    brought.push(this);
  };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
  drawer = DRAWER;
  waiting = [];
  requests.length = 0;
  posted.length = 0;
  answers = {
    "/api/vouchers/find": FOUND,
    "/api/vouchers/pay": { id: "1-a", serial: 12, value: 5_000, at: AT },
    "/api/vouchers": SOLD,
    "/api/words/en": { language: "en", boxes: { small: "Small" }, kinds: {}, irregularities: {} },
    "/api/cage/hand-pays": { table: "T1", session: "T1-1@2", amount: 60_000, in_chips: false },
    "/api/cage/rounds": { table: "T1", session: "T1-1@2", rounds: [{ round: 7, faces: [1, 2, 3], void: false, staked: 500, back: 1_000 }] },
    "/api/cage/receipts": RECEIPT,
  };
  vi.stubGlobal("fetch", (address: string, asked?: RequestInit) => {
    const { pathname } = new URL(address, "http://venue");
    requests.push(pathname);
    if (asked?.method === "POST") {
      const body = JSON.parse(String(asked.body)) as Record<string, unknown>;
      delete body["id"];
      posted.push([pathname, body]);
    }
    if (pathname === "/api/cage/unclaimed") return Promise.resolve(claimed(String(asked?.body)));
    const out = { count: 1, worth: 5_000, vouchers: [{ ...FOUND, last_four: "4927" }], after: null };
    const looked = { "/api/cage/drawer": drawer, "/api/approvals": waiting, "/api/vouchers": out }[pathname];
    const again = pathname.startsWith("/api/vouchers/orders/") ? SOLD : answers[pathname];
    const answer = asked?.method === "POST" ? answers[pathname] : (looked ?? again);
    return Promise.resolve(new Response(JSON.stringify(answer ?? {}), { status: answer === undefined ? 403 : 200 }));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** One code is valid; any other is unknown. */
function claimed(body: string): Response {
  const { code } = JSON.parse(body) as { code: string };
  const found = { table: "Crane", session: "3@2", amount: 40_000, in_chips: true };
  const none = { type: "about:blank", title: "Conflict", status: 409, detail: "nobody has this code", code: "X" };
  const isGood = code === "1234567890123452";
  return new Response(JSON.stringify(isGood ? found : none), { status: isGood ? 200 : 409 });
}

const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(10)));

/** Send an event of the cage. */
let happen: (events: readonly AnyEvent[]) => Promise<void>;

async function show(role: Role = "cage", person = "Cat") {
  const server = new FakeServer();
  const listeners: ((message: Staff) => void)[] = [];
  const link = { ...server.link, onStaff: (each: (message: Staff) => void) => (listeners.push(each), () => undefined) };
  happen = async (events) => {
    await act(() => {
      for (const each of listeners) each({ type: "Staff", to: "cage", sequence: 1, after: 0, at: AT, events });
    });
    await settle();
  };
  const who = whoIs(role, person);
  render(role === "cage" ? <CageScreen link={link} who={who} /> : <Cage floor={new Floor(link, who)} />);
  await settle();
  return server;
}

/** Type as a scanner does: one key after the other, and Enter. */
async function scan(digits: string, into: Element = document.body): Promise<void> {
  for (const key of [...digits, "Enter"]) fireEvent.keyDown(into, { key });
  await settle();
}

/** Type digits and Enter, each at a moment of its own. */
function type(digits: string, at: (place: number) => number): void {
  for (const [place, key] of [...digits, "Enter"].entries()) {
    const event = new KeyboardEvent("keydown", { key, bubbles: true });
    Object.defineProperty(event, "timeStamp", { value: at(place) });
    document.body.dispatchEvent(event);
  }
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const write = (label: string, value: string) =>
  fireEvent.input(within(screen.getByRole("dialog")).getByLabelText(label), { target: { value } });
const send = () =>
  act(async () => {
    fireEvent.submit(screen.getByRole("dialog").querySelector("form") ?? fail());
    await Promise.resolve();
  });

test("a shift opens with a count of the drawer", async () => {
  const server = await show();
  expect(screen.getByText("No shift is open: nobody has the drawer, and no voucher is sold.")).toBeTruthy();
  press("Open a shift…");
  await send();
  expect(screen.getByText("An amount is wanted here.")).toBeTruthy();
  write("Cash in the drawer", "1,000.50");
  await send();
  expect(server.sent).toEqual([{ type: "OpenShift", count: 100_050 }]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a shift closes with a count made without knowing what to find", async () => {
  drawer = { ...DRAWER, shift: { cashier: "Cat", opened_at: AT, count: 500_000, expected: null } };
  const server = await show();
  const own = screen.getByRole("region", { name: "The drawer" });
  expect(own.textContent).toContain("$5,000.00");
  expect(own.textContent).not.toContain("Should be there");
  press("Close the shift…");
  write("Cash in the drawer", "6123");
  await send();
  expect(server.sent).toEqual([{ type: "CloseShift", count: 612_300 }]);
});

test("the reconciliation shows the difference in words", async () => {
  await show();
  const own = screen.getByRole("region", { name: "The drawer" });
  expect(own.textContent).toContain("Reconciliation of Cat");
  expect(own.textContent).toContain("Should be there$6,125.00");
  expect(own.textContent).toContain("Counted at the end$6,123.00");
  expect(own.textContent).toContain("▽ 2.00 short");
  const t = Object.assign((key: string, blanks = {}) => `${key} ${Object.values(blanks).join()}`, { count: () => "" });
  expect(apart(t, 200)).toBe("▲ apart_over 2.00");
  expect(apart(t, 0)).toBe("✓ apart_none ");
});

test("another's shift is closed too, and whoever does is told who has to agree", async () => {
  drawer = { ...DRAWER, shift: { cashier: "Cat", opened_at: AT, count: 500_000, expected: null } };
  const server = await show("cage", "Carl");
  expect(
    screen.getByText("Cat has the drawer. Where another closes the shift, somebody of the pit agrees."),
  ).toBeTruthy();
  press("Close the shift…");
  write("Cash in the drawer", "5000");
  await send();
  expect(server.sent).toEqual([{ type: "CloseShift", count: 500_000 }]);
});

test("a fill that was not received is taken back, with what is left of it", async () => {
  const server = await show();
  press("Take the fill cage-T2-92 back");
  await send();
  expect(server.sent, "nothing is counted yet").toEqual([]);
  write("100.00", "4");
  await send();
  expect(server.sent).toEqual([{ type: "ReturnFill", transit: "cage-T2-92", chips: [[10_000, 4]] }]);
  press("Take the fill cage-T2-92 back");
  write("100.00", "0");
  await send();
  expect(server.sent.at(-1), "all of it is lost").toEqual({ type: "ReturnFill", transit: "cage-T2-92", chips: [] });
});

function awaited(sentence: string, command: Awaited["command"]): Awaited {
  const asked = { to: "cage", person: "Carl", approved_by: ["cage"], expires: AT + 60_000 };
  return { ...AWAITED, ...asked, sentence, command };
}

test("what waits for a second person names the fill that is taken back", async () => {
  const command = { type: "ReturnFill", transit: "cage-T2-92", chips: [[10_000, 4]] };
  waiting = [awaited("take the fill cage-T2-92 back: 400.00 counted", command)];
  await show();
  expect(screen.getByText("Carl asks: take the fill cage-T2-92 back: 400.00 counted")).toBeTruthy();
});

test("the pit sees what should be in the drawer, and leaves the acting to the cage", async () => {
  drawer = { ...DRAWER, shift: { cashier: "Cat", opened_at: AT, count: 500_000, expected: 612_500 } };
  await show("shift-manager", "May");
  expect(screen.getByRole("region", { name: "The drawer" }).textContent).toContain("Should be there$6,125.00");
  expect(screen.queryByRole("button", { name: /…$/ })).toBeNull();
});

test("a fill is sent by denomination, to a table with a gaming day", async () => {
  const server = await show();
  press("Send a fill…");
  const dialog = screen.getByRole("dialog");
  expect(within(dialog).getAllByRole("option").map((each) => each.textContent)).toEqual(["Crane"]);
  const inputs = [...dialog.querySelectorAll(".money-sheet-row")].map((row) => row.getAttribute("data-chip"));
  expect(inputs, "the chips of that table, the largest first").toEqual(["10000", "2500", "500"]);
  await send();
  expect(server.sent, "nothing is written yet").toEqual([]);
  write("100.00", "5");
  write("25.00", "4");
  expect(dialog.textContent).toContain("$600.00");
  await send();
  expect(server.sent).toEqual([{ type: "SendFill", table: "Crane", chips: [[10_000, 5], [2_500, 4]] }]);
});

test("without a table that could receive it no fill is sent", async () => {
  drawer = { ...DRAWER, tables: [{ table: "Fern", values: [100], date: null }] };
  await show();
  press("Send a fill…");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.getByText("No chip table has a gaming day open.")).toBeTruthy();
});

test("a credit is counted again before it is received, and what is refused is said", async () => {
  const server = await show();
  const ways = screen.getByRole("region", { name: "Chips between cage and tables" });
  expect(ways.textContent).toContain("more than a quarter of an hour");
  const chips = within(ways).getByRole("list", { name: "Chips of Crane-118" });
  expect(within(chips).getAllByRole("listitem").map((each) => each.lastChild?.textContent)).toEqual(["10 × 100", "2 × 25"]);
  press("Receive the credit Crane-118");
  server.answer = refused("count again", null);
  write("100.00", "9");
  await send();
  expect(screen.getByRole("dialog").textContent).toContain("Count again");
  server.answer = registered({ pending: "h", expires: AT + 60_000 });
  write("100.00", "10");
  write("25.00", "2");
  await send();
  expect(server.sent.at(-1)).toEqual({
    type: "ReceiveCredit",
    transit: "Crane-118",
    table: "Crane",
    chips: [[10_000, 10], [2_500, 2]],
  });
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("what waits for a second person stands beside the counter, and the floor is not asked for", async () => {
  const command = { type: "SendFill", table: "Crane", chips: [[10_000, 5]] };
  waiting = [awaited("send table Crane a fill of 500.00", command)];
  await show();
  expect(screen.getByText("Carl asks: send table Crane a fill of 500.00")).toBeTruthy();
  expect(within(screen.getByRole("list", { name: "Chips" })).getByText("5 × 100")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Grant…" })).toBeTruthy();
  expect(requests, "the floor is not for the cage").not.toContain("/api/pit");
});

function fail(): never {
  throw new Error("There is no form.");
}

test("unclaimed money is looked up by its code, and paid as it was shown", async () => {
  const server = await show();
  press("Pay unclaimed money…");
  await send();
  expect(screen.getByText("A code is wanted here.")).toBeTruthy();
  write("Code of the session", "0000 0000 0000 0000");
  await send();
  await settle();
  expect(screen.getByText(/nobody has this code/i)).toBeTruthy();
  expect(server.sent).toEqual([]);
  write("Code of the session", "1234 5678-9012 345");
  const form = within(screen.getByRole("dialog"));
  for (const name of ["Show the keypad", "2"]) fireEvent.click(form.getByRole("button", { name }));
  await send();
  await settle();
  const dialog = within(screen.getByRole("dialog"));
  dialog.getByText("$400.00");
  dialog.getByText("Set aside for who played at seat 3 of table Crane, session 2");
  dialog.getByText("Hand over the chips that the table set aside; the drawer stays as it is.");
  dialog.getByText("Takes a second person");
  await send();
  const found = { table: "Crane", session: "3@2", amount: 40_000, in_chips: true };
  expect(server.sent).toEqual([{ type: "PayUnclaimed", code: "1234567890123452", ...found }]);
});

test("only the cage pays unclaimed money", async () => {
  await show("supervisor", "Sue");
  expect(screen.queryByRole("region", { name: "Unclaimed money" })).toBeNull();
});

test("a voucher is scanned anywhere on the page, shown, and paid", async () => {
  drawer = { ...DRAWER, shift: { cashier: "Cat", opened_at: AT, count: 500_000, expected: null } };
  await show();
  const amount = screen.getByLabelText<HTMLInputElement>("Amount");
  fireEvent.input(amount, { target: { value: "75" } });
  // A scanner types into the field that has the focus; the digits are removed again.
  for (const key of NUMBER) {
    fireEvent.keyDown(amount, { key });
    amount.value += key;
  }
  fireEvent.keyDown(amount, { key: "Enter" });
  await settle();
  expect(amount.value).toBe("75");
  expect(posted).toEqual([["/api/vouchers/find", { number: NUMBER }]]);
  const found = within(screen.getByRole("article", { name: "Voucher no. 12" }));
  found.getByText("$50.00");
  expect(brought).toEqual([screen.getByRole("article", { name: "Voucher no. 12" })]);
  press("Pay $50.00");
  await settle();
  expect(posted.at(-1)).toEqual(["/api/vouchers/pay", { number: NUMBER }]);
  expect(screen.queryByRole("article", { name: "Voucher no. 12" })).toBeNull();
});

test("slow keys are no scanner, and other digits are no voucher", async () => {
  await show();
  type(NUMBER, (place) => place * 150);
  await scan("12345");
  expect(posted).toEqual([]);
  await scan(CODE);
  expect(screen.getByRole("dialog").textContent).toContain("$400.00");
});

test("the end of a number that was held up is no code of a session", async () => {
  await show();
  type(NUMBER, (place) => 5 * place + (place < NUMBER.length - CODE.length ? 0 : 300));
  await settle();
  expect(screen.queryByRole("dialog")).toBeNull();
  await scan(NUMBER);
  expect(posted).toEqual([["/api/vouchers/find", { number: NUMBER }]]);
});

test("a digit that was keyed just before does not keep a whole number from being found", async () => {
  await show();
  type(`7${NUMBER}`, (place) => 5 * place + (place === 0 ? 0 : 500));
  await settle();
  expect(posted).toEqual([["/api/vouchers/find", { number: NUMBER }]]);
});

test("a number is keyed with spaces too, and what is wrong with it is said", async () => {
  await show();
  const write = (value: string) => fireEvent.input(screen.getByLabelText("Number of the voucher"), { target: { value } });
  press("Look it up");
  expect(screen.getByText("A number is wanted here.")).toBeTruthy();
  write("4829 1507 3366 1049 27");
  press("Look it up");
  await settle();
  expect(posted).toEqual([["/api/vouchers/find", { number: NUMBER }]]);
});

test("a sale prints a slip with its number, and nothing else is on the paper", async () => {
  drawer = { ...DRAWER, shift: { cashier: "Cat", opened_at: AT, count: 500_000, expected: null } };
  await show();
  fireEvent.input(screen.getByLabelText("Amount"), { target: { value: "75" } });
  const sale = within(screen.getByRole("region", { name: "Sell a voucher" }));
  // Without a keyboard an amount is entered on the keypad.
  for (const name of ["Show the keypad", "Point", "5", "0"]) fireEvent.click(sale.getByRole("button", { name }));
  press("Sell");
  await settle();
  expect(posted).toEqual([["/api/vouchers", { value: 7_550 }]]);
  const sheet = document.querySelector(".sheet-slip") ?? fail();
  expect(sheet.textContent).toContain("4829 1507 3366 1049 27");
  expect(sheet.textContent).toContain("$75.50");
  expect(sheet.querySelector("svg")?.getAttribute("aria-label")).toBe("QR code of the number");
  const printed = vi.fn();
  vi.stubGlobal("print", printed);
  press("Print");
  expect(printed).toHaveBeenCalledOnce();
  press("Done");
  expect(document.querySelector(".sheet"), "the number stays nowhere").toBeNull();
  expect(document.body.textContent).not.toContain("1049 27");
  press("Show the last slip again");
  await settle();
  expect(requests).toContain("/api/vouchers/orders/1-a");
});

test("a sale above the threshold waits, and its slip comes when a second person has agreed", async () => {
  drawer = { ...DRAWER, shift: { cashier: "Cat", opened_at: AT, count: 500_000, expected: null } };
  answers = { ...answers, "/api/vouchers": { pending: "hash", version: 9, expires: AT + 60_000 } };
  await show();
  fireEvent.input(screen.getByLabelText("Amount"), { target: { value: "20000" } });
  press("Sell");
  await settle();
  expect(document.querySelector(".sheet")).toBeNull();
  const by = { person: "Pat", role: "pit-manager" } as const;
  await happen([{ type: "CommandApproved", pending: "another", by }]);
  expect(document.querySelector(".sheet")).toBeNull();
  await happen([{ type: "CommandApproved", pending: "hash", by }]);
  expect(document.querySelector(".sheet-slip")?.textContent).toContain("4829 1507 3366 1049 27");
});

test("a voucher above the threshold is paid when a second person has agreed", async () => {
  answers = {
    ...answers,
    "/api/vouchers/find": { ...FOUND, value: 2_000_000, takes_two: true },
    "/api/vouchers/pay": { pending: "hash", version: 9, expires: AT + 60_000 },
  };
  await show();
  render(<NoticeNow />);
  await scan(NUMBER);
  expect(screen.getByText("Above the threshold: a second person has to agree.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Pay $20,000.00" })).toBeNull();
  press("Pay $20,000.00…");
  await settle();
  expect(posted.at(-1)).toEqual(["/api/vouchers/pay", { number: NUMBER }]);
  expect(screen.queryByRole("article", { name: "Voucher no. 12" })).toBeNull();
  await shows("A second person has to agree. It is asked for on their own screen, and listed here.");
  await happen([
    { type: "CommandApproved", pending: "hash", by: { person: "Pat", role: "pit-manager" } },
    { type: "VoucherPaid", serial: 12, value: 2_000_000, by: "Cat" },
  ]);
  await shows("Voucher no. 12 is paid: $20,000.00");
});

/** Let notices go by, one after another, until this one is shown. */
async function shows(words: string): Promise<void> {
  for (let turn = 0; turn < 20 && screen.queryByText(words) === null; turn += 1)
    await act(async () => void (await vi.advanceTimersByTimeAsync(3_000)));
  expect(screen.getByText(words)).toBeTruthy();
}

test("a sale is taken back with a reason, and what a terminal printed is not", async () => {
  answers = { ...answers, "/api/vouchers/void": { pending: "hash", version: 9, expires: AT + 60_000 } };
  await show();
  await scan(NUMBER);
  press("Void…");
  await send();
  expect(screen.getByText("Say why.")).toBeTruthy();
  write("Why", "for 60");
  await send();
  await settle();
  expect(posted.at(-1)).toEqual(["/api/vouchers/void", { number: NUMBER, note: "for 60" }]);
  answers = { ...answers, "/api/vouchers/find": { ...FOUND, sold: false } };
  await scan(NUMBER);
  expect(screen.queryByRole("button", { name: "Void…" })).toBeNull();
});

test("a locked win is paid by hand against the code of who won it", async () => {
  drawer = { ...DRAWER, locked: [{ table: "T1", terminal: "T1-1", amount: 60_000 }] };
  const server = await show();
  press("Pay the win of T1-1 at T1 by hand");
  await send();
  expect(screen.getByText("A code is wanted here.")).toBeTruthy();
  write("Code of the session", CODE);
  await send();
  await settle();
  expect(posted.at(-1)).toEqual(["/api/cage/hand-pays", { table: "T1", terminal: "T1-1", code: CODE }]);
  const aside = { table: "T1", session: "T1-1@2", amount: 60_000, in_chips: false };
  expect(server.sent).toEqual([{ type: "PayUnclaimed", code: CODE, ...aside }]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a round of a session is signed, and printed with what the house signed", async () => {
  await show();
  press("Find rounds…");
  write("Code of the session", CODE);
  await send();
  await settle();
  press("Receipt of round 7");
  await settle();
  expect(posted.at(-1)).toEqual(["/api/cage/receipts", { code: CODE, round: 7 }]);
  const sheet = document.querySelector(".sheet-page") ?? fail();
  expect(sheet.querySelector(".receipt-text")?.textContent).toBe(JSON.stringify(RECEIPT));
  expect(within(sheet as HTMLElement).getByRole("img", { name: "QR code of the signed receipt", hidden: true })).toBeTruthy();
});

test("a round of long ago is asked for by its number", async () => {
  await show();
  press("Find rounds…");
  write("Code of the session", CODE);
  await send();
  await settle();
  write("Another round, by its number", "1203");
  press("Receipt of that round");
  await settle();
  expect(posted.at(-1)).toEqual(["/api/cage/receipts", { code: CODE, round: 1_203 }]);
  expect(screen.getByRole("dialog", { name: "Receipt" })).toBeTruthy();
});
