import { act, fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Awaited, DrawerView, OnItsWay, PastShift } from "../../answers.ts";
import { FakeServer, refused, registered } from "../../console/fakes.ts";
import type { Role } from "../../protocol.ts";
import { apart, Cage } from "./cage.tsx";
import { Floor } from "../floor.ts";
import { PitScreen } from "../pit_screen.tsx";
import { AT, AWAITED, whoIs } from "../fakes.ts";

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
  shifts: [CLOSED],
};

let drawer: DrawerView;
let waiting: readonly Awaited[];
const requests: string[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
  drawer = DRAWER;
  waiting = [];
  requests.length = 0;
  vi.stubGlobal("fetch", (address: string, asked?: RequestInit) => {
    const { pathname } = new URL(address, "http://venue");
    requests.push(pathname);
    if (pathname === "/api/cage/unclaimed") return Promise.resolve(claimed(String(asked?.body)));
    const answer = { "/api/cage/drawer": drawer, "/api/approvals": waiting }[pathname];
    return Promise.resolve(new Response(JSON.stringify(answer ?? {}), { status: answer === undefined ? 403 : 200 }));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** One code is good; of any other nothing is known. */
function claimed(body: string): Response {
  const { code } = JSON.parse(body) as { code: string };
  const found = { table: "Crane", session: "3@2", amount: 40_000, in_chips: true };
  const none = { type: "about:blank", title: "Conflict", status: 409, detail: "nobody has this code", code: "X" };
  const isGood = code === "1234567890123452";
  return new Response(JSON.stringify(isGood ? found : none), { status: isGood ? 200 : 409 });
}

const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(10)));

async function show(role: Role = "cage", person = "Cat") {
  const server = new FakeServer();
  render(<Cage floor={new Floor(server.link, whoIs(role, person))} />);
  await settle();
  return server;
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

test("what waits for a second person names the fill that is taken back", async () => {
  const command = { type: "ReturnFill", transit: "cage-T2-92", chips: [[10_000, 4]] };
  waiting = [{ ...AWAITED, to: "cage", person: "Carl", command, approved_by: ["cage"], expires: AT + 60_000 }];
  render(<PitScreen link={new FakeServer().link} who={whoIs("cage", "Cat")} />);
  await settle();
  expect(screen.getByText("Carl asks: take the fill cage-T2-92 back: $400.00 counted")).toBeTruthy();
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

test("a cashier has the cage alone of the pit, with what waits there", async () => {
  const command = { type: "SendFill", table: "Crane", chips: [[10_000, 5]] };
  waiting = [{ ...AWAITED, to: "cage", person: "Carl", command, approved_by: ["cage"], expires: AT + 60_000 }];
  const server = new FakeServer();
  const listened: string[] = [];
  const link = { ...server.link, listen: (to: string) => void listened.push(to) };
  render(<PitScreen link={link} who={whoIs("cage", "Cat")} />);
  await settle();
  const views = within(screen.getByRole("navigation", { name: "Views of the pit" })).getAllByRole("link");
  expect(views.map((each) => each.textContent)).toEqual(["Cage"]);
  expect(screen.getByRole("region", { name: "The drawer" })).toBeTruthy();
  expect(screen.getByText("Carl asks: send table Crane a fill of $500.00")).toBeTruthy();
  expect(within(screen.getByRole("list", { name: "Chips" })).getByText("5 × 100")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Grant…" })).toBeTruthy();
  expect(screen.queryByRole("region", { name: "Alerts" })).toBeNull();
  expect(requests, "the floor is not for the cage").not.toContain("/api/pit");
  expect(listened).toEqual(["cage"]);
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
  write("Code of the session", "1234 5678-9012 3452");
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
