import { fireEvent, render, screen, within } from "@testing-library/preact";
import { expect, test, vi } from "vitest";

import type { ChipTable } from "../../../live/index.ts";
import type { ChipSeat, Refused, Registered } from "../../../protocol.ts";
import { chipTable, player, refused, registered } from "../../fakes.ts";
import type { Ask } from "./form.tsx";
import { Forms } from "./open_form.tsx";
import type { Opened } from "./form_name.ts";

const BOXES = [
  { box: "small", name: "Small" },
  { box: "big", name: "Big" },
];

function shown(opened: Opened, table: ChipTable, answer: Registered | Refused = registered()) {
  const ask = vi.fn<Ask>(() => Promise.resolve(answer));
  const onClose = vi.fn();
  const limits = { minimum: 500, maximum: 100_000, step: 500, boxes: {} };
  render(<Forms opened={opened} table={table} limits={limits} boxes={BOXES} ask={ask} onClose={onClose} />);
  return { ask, onClose };
}

function seated(...seats: readonly ChipSeat[]): ChipTable {
  return chipTable(seats);
}

function fill(label: string | RegExp, value: string, place = 0): void {
  const field = screen.getAllByLabelText(label)[place];
  fireEvent.input(field as HTMLElement, { target: { value } });
}

const valueOf = (label: string): string => (screen.getByLabelText(label) as HTMLInputElement).value;

function send(): void {
  fireEvent.submit(document.querySelector("form") as HTMLFormElement);
}

const alerts = (): string =>
  screen
    .getAllByRole("alert")
    .map((each) => each.textContent)
    .join(" ");

test("chips are proposed for what is paid, and bought as they are handed out", async () => {
  const { ask, onClose } = shown({ form: "buy", seat: "3" }, seated(player("3", null)));
  fill("Cash", "120");
  fill("Chips for value", "45");
  await screen.findByText("$165.00");
  expect(["100.00", "25.00", "5.00", "1.00"].map(valueOf)).toEqual(["1", "2", "3", ""]);
  // The player would rather have five of 5.00 more, and one of 25.00 less.
  fill("25.00", "1");
  fill("5.00", "8");
  send();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(ask).toHaveBeenCalledExactlyOnceWith({
    type: "BuyChips",
    seat: "3",
    chips: [
      [10_000, 1],
      [2_500, 1],
      [500, 8],
    ],
    cash: 12_000,
    dropped: 4_500,
  });
});

test("chips that are not worth what is paid are not asked for, and it is said beside them", async () => {
  const { ask } = shown({ form: "buy", seat: "3" }, seated(player("3", null)));
  fill("Cash", "100");
  fill("100.00", "2");
  send();
  await vi.waitFor(() => expect(alerts()).toContain("$100.00 is paid, and the chips are worth $200.00"));
  expect(ask).not.toHaveBeenCalled();
});

test("nothing paid, no amount, and more chips than the rack has are each told in their place", async () => {
  const { ask } = shown({ form: "buy", seat: "3" }, seated(player("3", null)));
  send();
  await screen.findByText("Write what the player pays");
  fill("Cash", "ten");
  await screen.findByText(/Write an amount/);
  expect(screen.getByLabelText("Cash").getAttribute("aria-invalid")).toBe("true");
  fill("Cash", "2100");
  fill("100.00", "21");
  // The rack has twenty of them.
  await screen.findByText("Only 20 in all");
  fill("5.00", "");
  fill("25.00", "");
  send();
  expect(ask).not.toHaveBeenCalled();
});

test("what the rack cannot make up is shown before anything is asked", async () => {
  shown({ form: "buy", seat: "3" }, seated(player("3", null)));
  fill("Cash", "0.50");
  await screen.findByText(/The rack cannot make this up/);
});

test("what the server refuses is shown with its clause, and the form stays", async () => {
  const { onClose } = shown(
    { form: "buy", seat: "3" },
    seated(player("3", null)),
    refused("the winning bets are paid first", "4.4"),
  );
  fill("Cash", "100");
  await screen.findByDisplayValue("1");
  send();
  await screen.findByText(/The winning bets are paid first/);
  screen.getByText("clause 4.4");
  expect(onClose).not.toHaveBeenCalled();
});

test("Enter goes from one denomination to the next, and at the end sends", () => {
  shown({ form: "open-day" }, chipTable([]));
  const first = screen.getByLabelText("100.00");
  first.focus();
  fireEvent.keyDown(first, { key: "Enter" });
  expect(document.activeElement).toBe(screen.getByLabelText("25.00"));
  fireEvent.keyDown(screen.getByLabelText("25.00"), { key: "ArrowUp" });
  expect(document.activeElement).toBe(first);
  const last = screen.getByLabelText("1.00");
  last.focus();
  // Nothing keeps the browser from sending the form.
  expect(fireEvent.keyDown(last, { key: "Enter" })).toBe(true);
});

test("chips are changed for others worth the same, and only then", async () => {
  const { ask } = shown({ form: "exchange", seat: "2" }, seated(player("2", null)));
  fill("100.00", "1", 0);
  await screen.findByText("Still to hand out: $100.00");
  fill("5.00", "19", 1);
  send();
  await vi.waitFor(() => expect(alerts()).toContain("$100.00 is given and $95.00 is taken"));
  expect(ask).not.toHaveBeenCalled();
  fill("5.00", "20", 1);
  await vi.waitFor(() => expect(screen.queryByText(/Still to hand out/)).toBeNull());
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({
    type: "ExchangeChips",
    seat: "2",
    given: [[10_000, 1]],
    taken: [[500, 20]],
  });
});

test("leaving with bets on the layout says that they are walked away from, and what is unclaimed", () => {
  const { ask } = shown({ form: "leave", seat: "4" }, seated(player("4", null, { staked: 2_500 })));
  screen.getByText(/Bets of \$25\.00 lie on the layout.*walking away.*is kept/);
  fireEvent.click(screen.getByRole("button", { name: "The player walks away" }));
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({ type: "LeaveSeat", seat: "4", converts: false });
});

test("leaving gives the player the code of their session", () => {
  shown({ form: "leave", seat: "4" }, seated(player("4", null, { session: "1234567890123452" })));
  screen.getByText("Give the player the code of their session: 1234 5678 9012 3452");
});

test("leaving with coloured pieces in front converts them first", () => {
  const { ask } = shown({ form: "leave", seat: "4" }, seated(player("4", "red", { pieces: 12 })));
  screen.getByText(/12 coloured pieces are still in front: they are converted first/);
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({ type: "LeaveSeat", seat: "4", converts: true });
});

/** The server's dry run for each seat: the player with red takes 120.00, others are refused. */
function tried(_: string, request?: RequestInit): Promise<Response> {
  const { command } = JSON.parse(String(request?.body)) as { command: { seat: string } };
  const of = command.seat;
  const would = {
    ...{ table: "T1", will: [], more_will: 0, voids: false, more_accounts: 0, netted: [], more_netted: 0 },
    ...{ accounts: [{ account: "credits", of, change: -12_000, before: 12_000, after: 0 }], shortfall: 0, seconds: [] },
  };
  const problem = { title: "Refused", status: 409, detail: "the rack has not enough chips", code: "RACK_SHORT" };
  const answer = of === "5" ? new Response(JSON.stringify(problem), { status: 409 }) : new Response(JSON.stringify(would));
  answer.headers.set("content-type", of === "5" ? "application/problem+json" : "application/json");
  return Promise.resolve(answer);
}

test("all leave by one form: tried by the server first, who has bets stays, who is refused is named", async () => {
  vi.stubGlobal("fetch", tried);
  const players = [player("1", "red", { pieces: 12 }), player("2", null), player("3", null, { staked: 500 }), player("5", "blue")];
  const { ask, onClose } = shown({ form: "all-leave" }, seated(...players, player("7", null, { away: true })));
  const lines = () => screen.getAllByRole("listitem").map((each) => each.textContent);
  await vi.waitFor(() => expect(lines()[0]).toMatch(/Seat 1.*Red.*takes \$120\.00.*12 pieces converted/));
  expect(lines()).toHaveLength(4);
  expect(lines()[2]).toContain("walks away from bets of $5.00");
  await vi.waitFor(() => expect(lines()[3]).toContain("The rack has not enough chips"));
  // The dry runs of seats 1 and 2 say 120.00 each.
  await screen.findByText("In all $240.00 in chips leaves the table.");
  ask.mockImplementation((command) =>
    Promise.resolve("seat" in command && command.seat === "5" ? refused("the rack has not enough chips", null) : registered()),
  );
  fireEvent.click(screen.getByRole("button", { name: "3 players leave" }));
  send();
  await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(3));
  expect(ask.mock.calls.map(([command]) => command)).toEqual([
    { type: "LeaveSeat", seat: "1", converts: true },
    { type: "LeaveSeat", seat: "2", converts: false },
    { type: "LeaveSeat", seat: "5", converts: true },
  ]);
  expect(onClose, "a seat was not let go").not.toHaveBeenCalled();
  await screen.findByText("Left: 2. Not let go: 1; the reason stands with the seat.");
  fireEvent.click(screen.getByLabelText(/Seat 5/));
  await screen.findByRole("button", { name: "2 players leave" });
  send();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  vi.unstubAllGlobals();
});

test("a colour that belongs to nobody is given at the value marked; the minimum is proposed", async () => {
  const { ask } = shown({ form: "assign", seat: "2" }, seated(player("1", "red"), player("2", null)));
  const free = within(screen.getByLabelText("Colour")).getAllByRole("option");
  expect(free.map((each) => each.textContent)).toEqual(["Blue"]);
  expect(valueOf("A piece is worth")).toBe("5");
  fill("A piece is worth", "");
  await screen.findByDisplayValue("");
  send();
  await screen.findByText("Write what a piece is worth");
  expect(ask).not.toHaveBeenCalled();
  fill("A piece is worth", "25");
  await screen.findByDisplayValue("25");
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({ type: "AssignColour", seat: "2", colour: "blue", value: 2_500 });
});

test("pieces are proposed from the cash, and a part of one is not sold", async () => {
  const { ask } = shown({ form: "buy-colour", seat: "1" }, seated(player("1", "red", { value: 500 })));
  fill("Cash", "101");
  await screen.findByDisplayValue("101");
  expect(valueOf("Pieces")).toBe("");
  send();
  await screen.findByText("$101.00 must be a whole number of pieces at $5.00");
  expect(ask).not.toHaveBeenCalled();
  fill("Cash", "100");
  await screen.findByDisplayValue("20");
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({ type: "BuyColour", seat: "1", count: 20, cash: 10_000, given: [] });
});

test("pieces are bought with value chips too", async () => {
  const { ask } = shown({ form: "buy-colour", seat: "1" }, seated(player("1", "red", { value: 500 })));
  fill("25.00", "2");
  await screen.findByDisplayValue("10");
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({
    type: "BuyColour",
    seat: "1",
    count: 10,
    cash: 0,
    given: [[2_500, 2]],
  });
});

test("all pieces in front are converted unless fewer are wanted, and never more", async () => {
  const { ask } = shown({ form: "convert", seat: "1" }, seated(player("1", "red", { value: 500, pieces: 13 })));
  expect(valueOf("Pieces")).toBe("13");
  screen.getByText("Worth $65.00");
  fill("Pieces", "14");
  await screen.findByText("Only 13 are in front of the player");
  send();
  expect(ask).not.toHaveBeenCalled();
  fill("Pieces", "3");
  await screen.findByText("Worth $15.00");
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({ type: "ConvertColour", seat: "1", count: 3 });
});

test("a colour is given back", () => {
  const { ask } = shown({ form: "release", seat: "1" }, seated(player("1", "red", { pieces: 0 })));
  screen.getByRole("heading", { name: "Seat 1 gives Red back" });
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({ type: "ReleaseColour", seat: "1" });
});

test("the opening count is added up as it is keyed, for the date the server proposes, and blind", async () => {
  const { ask } = shown({ form: "open-day" }, chipTable([], [], { rack_value: 12_345 }));
  expect(valueOf("Date of the gaming day")).toBe("2026-11-16");
  fill("100.00", "10");
  fill("25.00", "20");
  await screen.findByText("$1,500.00");
  // The form does not show what should be there.
  expect(document.body.textContent).not.toContain("123.45");
  screen.getByText("Takes a second person");
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({
    type: "OpenDay",
    date: "2026-11-16",
    count: [
      [10_000, 10],
      [2_500, 20],
    ],
  });
});

test("an empty sheet has not been counted; a rack of nothing is said with a nought", async () => {
  const { ask } = shown({ form: "open-day" }, chipTable([]));
  send();
  await vi.waitFor(() => expect(alerts()).toContain("0 where there are none"));
  expect(ask).not.toHaveBeenCalled();
  fill("1.00", "0");
  await screen.findByDisplayValue("0");
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({ type: "OpenDay", date: "2026-11-16", count: [] });
});

test("a count that is no number is shown at its row, and not sent", async () => {
  const { ask } = shown({ form: "open-day" }, chipTable([]));
  fill("25.00", "2o");
  await screen.findByText("Write a whole number of pieces");
  expect(screen.getByLabelText("25.00").getAttribute("aria-invalid")).toBe("true");
  send();
  expect(ask).not.toHaveBeenCalled();
});

const DAY = { date: "2026-11-16", opening: 200_000, fills: 50_000, credits: 10_000, drop: 30_000, in_box: 777 };

test("the closing count writes out what it makes of the day", async () => {
  const { ask } = shown({ form: "close-day" }, chipTable([], [], { day: DAY }));
  const win = () => document.querySelector(".money-win")?.textContent?.trim();
  // Drop 300 + closing - opening 2,000 - fills 500 + credits 100.
  expect(win()).toBe(
    "Drop300.00+ Closingto be counted− Opening2,000.00− Fills500.00+ Credits100.00= Winto be counted",
  );
  fill("100.00", "19");
  await vi.waitFor(() => expect(win()).toContain("= Win-200.00"));
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({ type: "CloseDay", count: [[10_000, 19]] });
});

test("the drop box is counted without being told what should be in it, nought and all", async () => {
  const { ask } = shown({ form: "count-drop" }, chipTable([], [], { day: DAY }));
  expect(document.body.textContent).not.toContain("7.77");
  fill("Cash in the box", "310");
  await screen.findByText("$310.00");
  send();
  await screen.findByText("Write the amount; 0 where there is none");
  expect(ask).not.toHaveBeenCalled();
  fill("Chips for value in the box", "0");
  await screen.findByDisplayValue("0");
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({ type: "CountDrop", cash: 31_000, chips: 0 });
});

test("a fill is received as it is counted, and a difference to what was sent is shown", async () => {
  const fills = [{ name: "cage-7", amount: 50_000 }];
  const { ask } = shown({ form: "receive", name: "cage-7" }, chipTable([], [], { day: DAY, fills }));
  screen.getByText("Fill cage-7: the cage sent $500.00.");
  fill("100.00", "4");
  await screen.findByText(/The cage sent \$500\.00, and \$400\.00 is counted/);
  fill("25.00", "4");
  await vi.waitFor(() => expect(screen.queryByText(/is counted/)).toBeNull());
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({
    type: "ReceiveFill",
    transit: "cage-7",
    chips: [
      [10_000, 4],
      [2_500, 4],
    ],
  });
});

test("a credit that the cage has not received is taken back, with what is left of it", async () => {
  const table = chipTable([], [], { day: DAY, credits: [{ name: "Crane-118", amount: 30_000 }] });
  const { ask } = shown({ form: "credit-back", name: "Crane-118" }, table);
  expect(screen.getByText(/was sent as \$300\.00/)).toBeTruthy();
  send();
  await vi.waitFor(() => expect(alerts()).toContain("Write how many of each chip"));
  expect(ask).not.toHaveBeenCalled();
  fill("100.00", "2");
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({
    type: "ReturnCredit",
    transit: "Crane-118",
    chips: [[10_000, 2]],
  });
});

test("a credit sends what the rack has, and no more", async () => {
  const { ask } = shown({ form: "credit" }, chipTable([], [], { day: DAY }));
  send();
  await vi.waitFor(() => expect(alerts()).toContain("Write how many of each chip"));
  fill("25.00", "21");
  await screen.findByText("Only 20 in all");
  send();
  expect(ask).not.toHaveBeenCalled();
  fill("25.00", "4");
  await screen.findByDisplayValue("4");
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({ type: "SendCredit", chips: [[2_500, 4]] });
});

test("what could not be recovered is at most what is owed, and has a note", async () => {
  const recovering = [{ name: "5", amount: 8_000 }];
  const { ask } = shown({ form: "recovery", name: "5" }, chipTable([], [], { recovering }));
  fill("Could not be had", "90");
  await screen.findByText("Not more than $80.00");
  fill("Could not be had", "30");
  await screen.findByDisplayValue("30");
  send();
  await screen.findByText("Say in your words what happened");
  expect(ask).not.toHaveBeenCalled();
  fill("In your words", "left before the call");
  await screen.findByDisplayValue("left before the call");
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({
    type: "RecordRecovery",
    seat: "5",
    missing: 3_000,
    note: "left before the call",
  });
});

const STACKS = [
  { seat: "1", box: "small", amount: 5_000, chips: [[2_500, 2]], oral: false },
  { seat: "2", box: "big", amount: 1_500, chips: [["red", 3]], oral: false },
] as const;

test("a bet is put right with its box, chips, reason and note, each asked for in its place", async () => {
  const table = chipTable([player("1", null), player("2", "red", { value: 500 })], STACKS);
  const { ask } = shown({ form: "put-right" }, table);
  send();
  await screen.findByText("Choose the box it was meant for");
  screen.getByText("Choose one of the three");
  screen.getByText("Say in your words what happened");
  expect(ask).not.toHaveBeenCalled();
  fireEvent.change(screen.getByLabelText("The bet"), { target: { value: "2 big" } });
  await screen.findByLabelText("Red");
  // The whole stack is proposed, and its own box is not offered as the box that was meant.
  expect(valueOf("Red")).toBe("3");
  expect(within(screen.getByLabelText("Meant for")).queryByRole("option", { name: "Big" })).toBeNull();
  fireEvent.change(screen.getByLabelText("Meant for"), { target: { value: "small" } });
  fill("Red", "2");
  fireEvent.click(screen.getByLabelText("Another patron moved it"));
  fill("In your words", "a sleeve");
  await screen.findByDisplayValue("a sleeve");
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({
    type: "PutBetRight",
    seat: "2",
    from_box: "big",
    to_box: "small",
    chips: [["red", 2]],
    reason: "moved-by-patron",
    note: "a sleeve",
  });
});
