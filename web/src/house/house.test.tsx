import { act, fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { FloorTable, HouseFloor, Machine, Opening, StaffMember } from "../answers.ts";
import { FakeServer, refused } from "../console/fakes.ts";
import { openingOf, stepOf, wanted, whoIs } from "../pit/fakes.ts";
import { oneServerOfEach } from "../protocol.examples.ts";
import type { Role } from "../protocol.ts";
import { House } from "./house.ts";
import { Machines } from "./machines/machines.tsx";
import { People } from "./people/people.tsx";
import { HouseSettings } from "./settings/settings.tsx";
import { HouseTables } from "./tables/tables.tsx";

const AT = 1_794_803_228_232;
const MACHINE: Machine = {
  ...{ terminal: "T1-7", place: "seat 7", keyed: true, withdrawn: false, connected: true },
  ...{ since: AT - 60_000, seen: AT, address: "192.0.2.17", client: "index-1.js", current: true },
  ...{ failed: false, barred: false, locked: false, doubled: null },
};
const TABLE: FloorTable = {
  ...{ table: "T1", form: "terminals", phase: "closed", equipment: { tumbler: "keyed", read_by_dealer_too: false } },
  ...{ title: "Tai Sai", pay_table: "ts6/2", dice_set: "D1", handpay_threshold: null, place: null,
  limits: { minimum: 500, maximum: 20_000, step: 100, differential: 10_000, boxes: {} }, registered: { bell: "B-3" } },
  planned_departures: [["ts6", "operator", "The Authority", "letter 1"]],
  adopted_departures: [["ts6", "form", "The Authority", "letter 2"]],
  outside: [{ rulebook: "ts6", aspect: "dice", approved: "keyed, reader", here: "simulated" }],
  terminals: [MACHINE],
};
const FLOOR: HouseFloor = {
  ...{ name: "The Lantern", operator: "", currency: "SGD", demo: false, voucher_days: 30, approve_above: 100_000 },
  ...{ day_starts: 6, time_zone: "Asia/Singapore", tables: [TABLE] },
};
const DAN: StaffMember = { person: "Dan", roles: ["dealer"], logged_in: [], ready: true, coded: false, half: true, suspended: false };

let floor: HouseFloor;
let opening: Opening;
const sent: { readonly method: string; readonly path: string; readonly body: unknown }[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
  floor = FLOOR;
  sent.length = 0;
  opening = openingOf([
    wanted("limits", true, stepOf("SetLimits", { fields: ["limits"] })),
    wanted("dice", true, stepOf("RegisterDice", { fields: ["dice_set", "seal"] }), {
      value: "D1",
      withdraw: stepOf("WithdrawEquipment", { label: "Withdraw", give: { type: "WithdrawEquipment", equipment: "dice" } }),
    }),
  ]);
  vi.stubGlobal("fetch", (address: string, asked?: RequestInit) => {
    const { pathname } = new URL(address, "http://venue");
    const { method = "GET", body } = asked ?? {};
    if (typeof body === "string") sent.push({ method, path: pathname, body: JSON.parse(body) as unknown });
    return Promise.resolve(new Response(JSON.stringify(answerTo(pathname))));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function answerTo(path: string): unknown {
  if (path === "/api/floor") return floor;
  if (path === "/api/staff") return [DAN];
  if (path === "/api/approvals") return [];
  if (path.endsWith("/opening")) return opening;
  if (path === "/api/rulebooks") return { rulebooks: [{ key: "ts6", title: "Tai Sai", pay_tables: [] }] };
  if (path.endsWith("/half")) return { person: "Dan", half: "AAAAA-BBBBB-CCCCC" };
  return { pending: "hash", version: 1, expires: AT };
}

/** The house as a person in a given role sees it. */
async function houseOf(role: Role, Part: typeof HouseTables): Promise<FakeServer> {
  const server = new FakeServer();
  const house = new House(server.link, whoIs(role));
  house.follow();
  render(<Part house={house} />);
  await settled();
  return server;
}

async function settled(): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(500);
  });
}

function fill(label: string | RegExp, value: string): void {
  fireEvent.input(screen.getByLabelText(label), { target: { value } });
}

test("departures are listed with where they come from, and two persons are asked for another", async () => {
  const server = await houseOf("pit-manager", HouseTables);
  const card = screen.getByRole("region", { name: "T1" });
  const papers = within(card).getAllByRole("listitem");
  expect(papers.map((each) => each.textContent)).toEqual([
    "ts6, operator: The Authority, letter 1 (in the floor plan)",
    "ts6, form of table: The Authority, letter 2 (adopted by two persons)",
  ]);
  fireEvent.click(screen.getByRole("button", { name: "Written departures of T1" }));
  await settled();
  const form = screen.getByRole("dialog");
  fireEvent.click(within(form).getByRole("button", { name: "Have these stand" }));
  expect(within(form).getByRole("alert").textContent).toContain("Nothing would change");
  fireEvent.change(screen.getByLabelText("Another departure, from"), { target: { value: "ts6" } });
  expect(form.textContent).toContain("source of dice: approved for keyed, reader; here it is simulated.");
  fireEvent.change(screen.getByLabelText("In what"), { target: { value: "dice" } });
  fill(/^Approved by/, " The Authority ");
  fill(/^By which paper/, "letter 3");
  fireEvent.click(within(form).getByRole("checkbox", { name: /letter 2/ }));
  fireEvent.click(within(form).getByRole("button", { name: "Have these stand" }));
  await settled();
  expect(server.sent).toEqual([
    { type: "AdoptDepartures", departures: [["ts6", "dice", "The Authority", "letter 3"]] },
  ]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a table is put on the map of the floor, and its card has its limits", async () => {
  const server = await houseOf("technician", HouseTables);
  const card = screen.getByRole("region", { name: "T1" });
  expect(card.textContent).toContain("Minimum$5.00");
  expect(card.textContent).toContain("Maximum$200.00");
  expect(card.textContent).toContain("none of its own");
  fireEvent.click(screen.getByRole("button", { name: "Place of T1 on the map" }));
  const form = screen.getByRole("dialog").querySelector("form") as HTMLFormElement;
  fill("Column, from the left", "3");
  fireEvent.submit(form);
  await settled();
  expect(form.textContent).toContain("Give column and row, or neither.");
  fill("Row, from the top", "2");
  fireEvent.submit(form);
  await settled();
  expect(server.sent).toEqual([{ type: "PlaceTable", stream: "table/T1", place: [3, 2] }]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("nobody but a manager asks for departures or for what the house goes by", async () => {
  await houseOf("technician", HouseTables);
  expect(screen.queryByRole("button", { name: /^Written departures/ })).toBeNull();
  await houseOf("auditor", HouseSettings);
  expect(screen.queryByRole("button", { name: /^Rename/ })).toBeNull();
});

test("the terms of vouchers and the name are asked for, and what is settled says why", async () => {
  const server = await houseOf("shift-manager", HouseSettings);
  const fixed = screen.getByRole("region", { name: "Settled with the founding" });
  expect(fixed.textContent).toContain("All money of the house is counted in it.");
  expect(within(fixed).queryByRole("button")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Change the terms of vouchers…" }));
  fill(/^Days a voucher/, "60");
  fill(/^A voucher above/, "a lot");
  const form = screen.getByRole("dialog");
  fireEvent.submit(form.querySelector("form") as HTMLFormElement);
  await settled();
  expect(form.textContent).toContain("That is no amount.");
  fill(/^A voucher above/, "");
  fireEvent.submit(form.querySelector("form") as HTMLFormElement);
  await settled();
  server.answer = refused("that is so already", null);
  fireEvent.click(screen.getByRole("button", { name: "Rename the house…" }));
  fireEvent.submit(screen.getByRole("dialog").querySelector("form") as HTMLFormElement);
  await settled();
  expect(screen.getByRole("dialog").textContent).toContain("That is so already");
  expect(server.sent).toEqual([
    { type: "SetVoucherTerms", voucher_days: 60, approve_above: null },
    { type: "RenameVenue", name: "The Lantern" },
  ]);
});

test("a terminal is shown as it is: when it was last heard, by which page, and with what key", async () => {
  const away: Machine = { ...MACHINE, terminal: "T1-8", connected: false, seen: null, since: null, client: "" };
  const old: Machine = { ...MACHINE, terminal: "T1-9", current: false, withdrawn: true };
  floor = { ...FLOOR, tables: [{ ...TABLE, terminals: [MACHINE, away, old] }] };
  await houseOf("technician", Machines);
  const row = (name: string): HTMLElement => screen.getByRole("row", { name: new RegExp(`^${name}`) });
  expect(row("T1-7").textContent).toContain("from 192.0.2.17");
  expect(row("T1-7").textContent).toContain("the newest");
  expect(row("T1-8").textContent).toContain("not since the house was started");
  expect(row("T1-9").textContent).toContain("an older one: load it anew");
  expect(row("T1-9").textContent).toContain("withdrawn");
  expect(within(row("T1-9")).queryByRole("button", { name: "Withdraw T1-9" })).toBeNull();
  fireEvent.click(within(row("T1-7")).getByRole("button", { name: "Withdraw T1-7" }));
  fireEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Withdraw T1-7" }));
  await settled();
  expect(sent.map(({ path }) => path)).toEqual(["/api/tables/T1/terminals/T1-7/withdrawal"]);
});

test("dice and equipment are those of the Pit’s list, and of them alone", async () => {
  const server = await houseOf("technician", Machines);
  const devices = screen.getByText("Dice and equipment of T1: D1 · B-3").closest("details") as HTMLDetailsElement;
  devices.open = true;
  fireEvent(devices, new Event("toggle"));
  // The effects are shown first, then the command is sent.
  await settled();
  await settled();
  const items = within(devices).getAllByRole("listitem");
  expect(items.map((each) => each.textContent)).toEqual([expect.stringContaining("The diceD1")]);
  fireEvent.click(within(devices).getByRole("button", { name: "Withdraw: The dice D1" }));
  await settled();
  expect(server.sent).toEqual([{ type: "WithdrawEquipment", equipment: "dice" }]);
});

test("an auditor sees people and machines, and is offered nothing", async () => {
  await houseOf("auditor", Machines);
  await houseOf("auditor", People);
  expect(screen.queryByRole("button", { name: /Withdraw|Appoint|Dismiss|key/ })).toBeNull();
});

test("a password is reset by a code, and one’s own half of it is shown", async () => {
  await houseOf("shift-manager", People);
  fireEvent.click(screen.getByRole("button", { name: "Reset password and PIN of Dan" }));
  const form = screen.getByRole("dialog");
  expect(form.textContent).toContain("The password that Dan has is good until another is set");
  fireEvent.click(within(form).getByRole("button", { name: "Reset password and PIN of Dan" }));
  await settled();
  fireEvent.click(screen.getByRole("button", { name: "Show my half of the code for Dan" }));
  await settled();
  expect(screen.getByRole("dialog").textContent).toContain("AAAAA-BBBBB-CCCCC");
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /api/staff/Dan/code",
    "POST /api/staff/Dan/code/half",
  ]);
});

test("what happens in the house is seen at once, not when it is asked about next", async () => {
  const server = await houseOf("technician", Machines);
  floor = { ...FLOOR, tables: [{ ...TABLE, terminals: [{ ...MACHINE, withdrawn: true }] }] };
  await settled();
  expect(screen.getByRole("row", { name: /^T1-7/ }).textContent).not.toContain("withdrawn");
  server.tells(oneServerOfEach.Staff);
  await settled();
  expect(screen.getByRole("row", { name: /^T1-7/ }).textContent).toContain("withdrawn");
});

/** Fill in the form of a new table, and send it. */
async function creates(filled: Readonly<Record<string, string>>): Promise<HTMLElement> {
  for (const [label, value] of Object.entries(filled)) fill(new RegExp(`^${label}`), value);
  const form = screen.getByRole("dialog");
  fireEvent.submit(form.querySelector("form") as HTMLFormElement);
  await settled();
  return form;
}

function choose(label: string, value: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}

test("a table with chips and a reader is created as it was filled in, and with amounts alone", async () => {
  await houseOf("technician", HouseTables);
  fireEvent.click(screen.getByRole("button", { name: "Create a table…" }));
  choose("Form", "chips");
  choose("Where the dice come from", "reader");
  fireEvent.click(screen.getByRole("checkbox", { name: "A person’s reading must agree with the device’s" }));
  const chips = { "Colours of": "red, blue green", Seats: "9", "Chips of each": "240" };
  const refusal = await creates({ "Name of the table": " Crane ", "Values of the chips": "1 x 25", ...chips });
  expect(refusal.textContent).toContain("That is no amount.");
  expect(sent).toEqual([]);
  await creates({ "Values of the chips": "0.50 1, 25 1000" });
  const { id, ...body } = sent.at(-1)?.body as Record<string, unknown>;
  expect(id).toEqual(expect.stringMatching(/./));
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /api/tables"]);
  expect(body).toEqual({
    ...{ table: "Crane", tumbler: "reader", read_by_dealer_too: true, handpay_threshold: null },
    chips: { values: [50, 100, 2_500, 100_000], seats: 9, colours: ["red", "blue", "green"], pieces: 240 },
  });
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a table of terminals is created with the amount above which a win is paid by hand", async () => {
  await houseOf("technician", HouseTables);
  fireEvent.click(screen.getByRole("button", { name: "Create a table…" }));
  const refusal = await creates({ "Name of the table": "TS-2", "A win above": "much" });
  expect(refusal.textContent).toContain("That is no amount.");
  expect(sent).toEqual([]);
  await creates({ "A win above": "6,000.50" });
  expect(sent.map(({ body }) => body)).toEqual([
    expect.objectContaining({ table: "TS-2", tumbler: "keyed", handpay_threshold: 600_050, chips: null, read_by_dealer_too: false }),
  ]);
});
