import { fireEvent, render, screen } from "@testing-library/preact";
import { beforeEach, expect, test, vi } from "vitest";

import type { PayoutGuide } from "../../../live/index.ts";
import { Board } from "../../board.ts";
import { FakeServer, chipTable, player, step, steps, view } from "../../fakes.ts";
import { useKeys } from "../../keys.ts";
import { SidePanels } from "../../side/panels.tsx";
import { chipKey, useChipPhase } from "../index.tsx";

const GUIDE: PayoutGuide = {
  round: 7,
  put_back: [],
  collect: [
    { box: "small", seat: "1", amount: 400, chips: [["red", 4]], change: [] },
    { box: "small", seat: "3", amount: 13_500, chips: [[10_000, 2]], change: [[2_500, 2], [500, 3]] },
  ],
  collected: 13_900,
  pay: [
    { box: "big", seat: "3", amount: 3_000, chips: [[2_500, 1], [500, 1]] },
    { box: "double-4", seat: "1", amount: 5_500, chips: null },
  ],
  paid: 8_500,
  wanted: [[500, 2]],
  parts: [
    {
      ...{ seat: "3", box: "small", stake: 20_000, playing: 13_500, clause: "5.1.1" },
      sentence: "seat 3: of 200.00 on Small, 135.00 plays",
    },
  ],
  more_collect: 0,
  more_pay: 0,
  more_parts: 0,
};

let server: FakeServer;
let board: Board;

function Shown() {
  useChipPhase(board);
  useKeys({
    ...{ next: () => undefined, entry: () => undefined, face: () => undefined },
    ...{ bell: () => server.sent.push({ type: "CloseBets", bell: true }), help: () => undefined },
    cancel: () => undefined,
    first: (key) => chipKey(board, key),
  });
  return <SidePanels board={board} role="dealer" />;
}

const press = (key: string): boolean => fireEvent.keyDown(document.body, { key });
const ticks = (): (string | null)[] => screen.getAllByRole("checkbox").map((each) => each.getAttribute("aria-checked"));
const tab = (): string | undefined =>
  screen.getAllByRole("tab").find((each) => each.getAttribute("aria-selected") === "true")?.textContent;

beforeEach(() => {
  server = new FakeServer();
  server.view.value = view({ form: "chips", phase: "betting", seats: 8 });
  server.chipTable.value = chipTable([player("1", "red"), player("3", null)]);
  board = new Board(server.link, "T1");
  render(<Shown />);
});

function confirm(guide: PayoutGuide = GUIDE): void {
  server.view.value = view({ form: "chips", phase: "confirmed", seats: 8 });
  server.chipTable.value = chipTable([player("1", "red"), player("3", null)], [], { guide });
}

test("while bets are open the layout is shown, and once the result is confirmed the lists are", async () => {
  expect(tab()).toBe("Layout");
  confirm();
  await expect.poll(tab).toBe("Collect and pay");
});

test("everything is collected before anything is paid, in the server's order, with sums and chips", async () => {
  confirm();
  const lines = await screen.findAllByRole("checkbox");
  expect(lines.map((each) => each.querySelector(".rec-paying-seat")?.textContent)).toEqual([
    ...["Seat 1", "Seat 3", "Seat 3", "Seat 1"],
  ]);
  expect(screen.getAllByRole("heading").map((each) => each.textContent)).toEqual([
    ...["First collect $139.00", "Then pay $85.00"],
  ]);
  screen.getByRole("img", { name: "2 of $25.00, 3 of $5.00" });
});

test("a stack that cannot be split says what goes back, a short rack what it wants", async () => {
  confirm();
  const [, second, , fourth] = await screen.findAllByRole("checkbox");
  expect(second?.textContent).toContain("Give back");
  expect(fourth?.textContent).toContain("The rack cannot make this up");
  screen.getByText("The rack is short. A fill of $10.00 is wanted:");
});

test("whoever bet beyond a limit is told what of it played, with the clause", async () => {
  confirm();
  const part = await screen.findByText(/of 200\.00 on Small, 135\.00 plays/);
  expect(part.textContent).toContain("clause 5.1.1");
});

test("lists that are too long to be sent say how much of them is not shown", async () => {
  confirm();
  await screen.findAllByRole("checkbox");
  expect(screen.queryByText(/more line/)).toBeNull();
  const guide = { ...GUIDE, more_collect: 12, more_pay: 1 };
  server.chipTable.value = chipTable([player("1", "red"), player("3", null)], [], { guide });
  await screen.findByText("12 more lines are not shown: work them by the layout.");
  screen.getByText("1 more line is not shown: work it by the layout.");
});

test("lines are ticked off by key and by hand, and asked of nobody", async () => {
  confirm();
  await screen.findAllByRole("checkbox");
  press("t");
  press("t");
  await expect.poll(ticks).toEqual(["true", "true", "false", "false"]);
  press("T");
  await expect.poll(ticks).toEqual(["true", "false", "false", "false"]);
  fireEvent.click(screen.getAllByRole("checkbox")[3] as HTMLElement);
  await expect.poll(ticks).toEqual(["true", "false", "false", "false"]);
  fireEvent.click(screen.getAllByRole("checkbox")[1] as HTMLElement);
  await screen.findByText(/Everything is ticked off: say that the losing bets are collected/);
  press("t");
  expect(board.walked.value).toBe(2);
  expect(server.sent).toEqual([]);
});

test("once the losing bets are collected the winning ones are ticked off", async () => {
  confirm({ ...GUIDE, collect: [], collected: 0 });
  await screen.findAllByRole("checkbox");
  press("t");
  press("t");
  await expect.poll(ticks).toEqual(["true", "true"]);
  screen.getByText(/Everything is ticked off: say that the winning bets are paid/);
});

test("what was collected and is not lost after all is put back first", async () => {
  confirm({ ...GUIDE, put_back: [{ box: "big", seat: "1", amount: 500, chips: [["red", 5]], change: [] }] });
  await screen.findByRole("heading", { name: "First put back $5.00" });
  screen.getByRole("heading", { name: "Then collect $139.00" });
  expect(screen.getAllByRole("checkbox")).toHaveLength(5);
  press("t");
  await expect.poll(ticks).toEqual(["true", "false", "false", "false", "false"]);
});

test("the letter of a box is keyed into the line, wherever the focus is, and never rings the bell", async () => {
  board.layout.value = { areas: [{ box: "big", code: "b", name: "Big" }] } as unknown as Board["layout"]["value"];
  press("1");
  press("b");
  await expect.poll(() => screen.getByRole<HTMLInputElement>("textbox").value).toBe("1b");
  server.view.value = view({ form: "chips", phase: "no-more-bets", seats: 8 });
  press("b");
  expect(server.sent).toEqual([]);
});

test("a line of the round before is gone when bets open again", () => {
  board.recorder.key("b 5");
  server.view.value = view({ form: "chips", phase: "no-more-bets", seats: 8 });
  server.view.value = view({ form: "chips", phase: "betting", seats: 8, round: 8 });
  expect(board.recorder.line.value).toBe("");
});

test("a step of the gaming day opens its form among the table's money", () => {
  // The board's HTTP requests do not matter here.
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const end = board.follow();
  server.steps.value = steps([step("CloseDay", "next")]);
  board.desk.takeNamed("CloseDay");
  expect([board.panel.value, board.money.value, board.desk.opened.value]).toEqual([
    ...["money", { form: "close-day" }, null],
  ]);
  end();
  vi.unstubAllGlobals();
});

test("an electronic table has none of this", async () => {
  server.view.value = view({ phase: "betting" });
  await expect.poll(() => screen.getAllByRole("tab").map((each) => each.textContent)).toEqual([
    ...["Exposure", "Bets and limits", "Payout guide", "Irregularities", "Log"],
  ]);
});
