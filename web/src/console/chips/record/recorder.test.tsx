import { fireEvent, render, screen } from "@testing-library/preact";
import { signal } from "@preact/signals";
import { beforeEach, expect, test, vi } from "vitest";

import type { LayoutView } from "../../../answers.ts";
import type { LimitNotice } from "../../../protocol.ts";
import { Desk } from "../../desk.ts";
import { FakeServer, chipTable, player, refused, view } from "../../fakes.ts";
import { Notices } from "../limits/limit_warnings.tsx";
import { RecordLine } from "./record_line.tsx";
import { Recorder } from "./recorder.ts";
import { SeatStrip } from "../seat_strip.tsx";

/** The codes that the server gives to the boxes of a layout of 50 and more. */
const CODES: readonly (readonly [string, string])[] = [
  ...(["small", "big", "odd", "even"] as const).map((box) => [box, box.slice(0, 1)] as const),
  ["any-triple", "a"],
  ...Array.from({ length: 6 }, (_, at) => [`single-${at + 1}`, `${at + 1}`] as const),
  ...Array.from({ length: 14 }, (_, at) => [`total-${at + 4}`, `t${at + 4}`] as const),
  ["domino-12", "12"],
  ["domino-35", "35"],
  ["double-6", "66"],
  ["triple-4", "444"],
];
const LAYOUT = {
  areas: CODES.map(([box, code]) => ({ box, code, name: box, kind: "", pays: "1", x: 0, y: 0, w: 1, h: 1 })),
} as unknown as LayoutView;

let server: FakeServer;
let recorder: Recorder;

function line(): HTMLInputElement {
  return screen.getByRole<HTMLInputElement>("textbox");
}

/** Type letter by letter, as a hand does; returns the number of keys. */
function type(text: string): number {
  for (const letter of text) fireEvent.input(line(), { target: { value: line().value + letter } });
  return text.length;
}

function enter(): number {
  fireEvent.submit(line().closest("form") as HTMLFormElement);
  return 1;
}

beforeEach(() => {
  server = new FakeServer();
  server.view.value = view({ phase: "betting", form: "chips", seats: 8 });
  server.chipTable.value = chipTable([player("1", "red"), player("3", null), player("8", "blue")]);
  recorder = new Recorder(new Desk(server.link, "T1"), signal(LAYOUT));
  render(
    <>
      <SeatStrip recorder={recorder} />
      <RecordLine recorder={recorder} />
      <Notices recorder={recorder} />
    </>,
  );
});

test("every seat says who sits there, with which colour, and what they have", () => {
  expect(screen.getAllByRole("radio")).toHaveLength(8);
  screen.getByRole("radio", {
    name: "Seat 1, Red, marked at $1.00, 100 pieces in front, $100.00 known to be in front, $0.00 staked",
  });
  screen.getByRole("radio", { name: /^Seat 3, Value, \$100\.00/ });
  screen.getByRole("radio", { name: "Seat 2, Free" });
});

test("a number and a point choose the seat, and are no part of the line", () => {
  type("3.b 5");
  expect(recorder.seat.value).toBe("3");
  expect(line().value).toBe("b 5");
});

test("arrow keys go over the seats that are taken, Alt and a digit to any", () => {
  fireEvent.keyDown(line(), { key: "ArrowDown" });
  expect(recorder.seat.value).toBe("1");
  fireEvent.keyDown(line(), { key: "ArrowDown" });
  expect(recorder.seat.value).toBe("3");
  fireEvent.keyDown(line(), { key: "ArrowUp" });
  fireEvent.keyDown(line(), { key: "ArrowUp" });
  expect(recorder.seat.value).toBe("8");
  fireEvent.keyDown(line(), { key: "2", code: "Digit2", altKey: true });
  expect(recorder.seat.value).toBe("2");
});

test("the line says how it is understood before it is sent", async () => {
  type("1.b 5 t9 2x25");
  await expect.poll(() => screen.getAllByRole("listitem").map((each) => each.textContent)).toHaveLength(2);
  screen.getByRole("img", { name: "5 Red" });
  screen.getByRole("img", { name: "2 of $25.00" });
  screen.getByText("$55.00 in all");
  expect(server.sent).toEqual([]);
});

test("a line that is wrong is not sent, and says what is wrong with it", async () => {
  type("1.b 5 q 2");
  enter();
  await screen.findByText("No box has the code “q”.");
  expect(server.sent).toEqual([]);
  expect(line().value).toBe("b 5 q 2");
  expect(line().getAttribute("aria-invalid")).toBe("true");
});

test("what the server refuses comes back into the line with its sentence and clause", async () => {
  server.answer = refused("bets are closed", "4.7");
  type("1.b 5");
  enter();
  await screen.findByText(/Bets are closed/);
  screen.getByText(/clause 4\.7/);
  await expect.poll(() => line().value).toBe("b 5");
});

test("a dealer who goes on keying keeps what is keyed, and finds the refused line beside it", async () => {
  server.answer = refused("bets are closed", "4.7");
  type("1.b 5");
  enter();
  type("8.s 2");
  fireEvent.click(await screen.findByRole("button", { name: "Key it again" }));
  expect([recorder.seat.value, recorder.line.value]).toEqual(["1", "b 5"]);
});

test("Escape clears the line", async () => {
  type("1.b 5");
  fireEvent.keyDown(line(), { key: "Escape" });
  await expect.poll(() => line().value).toBe("");
  expect(recorder.seat.value).toBe("1");
});

test("forty stacks of eight seats are eight batches, in 240 keys or fewer", () => {
  server.chipTable.value = chipTable(
    Array.from({ length: 8 }, (_, at) => player(String(at + 1), at % 2 === 0 ? `colour ${at}` : null)),
  );
  const seats = [
    ...["b 5 t9 2 12 3 66 1 o 10", "s 20 t10 5 35 10 4 25 e 5", "b 10 a 2 444 1 t17 3 6 8"],
    ...["b 100 s 50 t4 5 12 15 1 1", "e 4 t8 2 t12 2 66 2 444 2", "s 25 t9 10 35 5 2 40 b 5"],
    ...["o 6 t11 3 12 2 3 12 a 1", "b 75 t13 10 5 20 66 5 s 5"],
  ];
  let keys = 0;
  seats.forEach((bets, at) => {
    keys += type(`${at + 1}.${bets}`);
    keys += enter();
  });
  expect(server.sent).toHaveLength(8);
  const stacks = server.sent.flatMap((each) => (each.type === "RecordBets" ? each.bets : []));
  expect(stacks).toHaveLength(40);
  expect(keys).toBeLessThanOrEqual(240);
});

const OVER: LimitNotice = {
  ...{ box: "big", seat: null, outside: "maximum", amount: 500 },
  ...{ sentence: "5.00 too much lies on Big", clause: "5.1" },
};
const UNDER: LimitNotice = {
  ...{ box: "small", seat: "1", outside: "minimum", amount: 300 },
  ...{ sentence: "a bet on Small is at least 5.00", clause: "5.2" },
};

function noticed(): void {
  server.chipTable.value = chipTable(
    [player("1", "red"), player("3", null)],
    [
      { seat: "1", box: "small", amount: 200, chips: [["red", 2]], oral: false },
      { seat: "3", box: "big", amount: 1_500, chips: [[500, 3]], oral: false },
    ],
    { notices: [OVER, UNDER] },
  );
}

test("excess is shown with its clause, and one key gives the newest chips back", async () => {
  noticed();
  const over = (await screen.findByText(/too much lies on Big/)).closest("li") as HTMLElement;
  expect(over.textContent).toContain("clause 5.1");
  fireEvent.keyDown(over, { key: "r" });
  await expect.poll(() => server.sent).toEqual([
    { type: "RejectExcess", seat: "3", box: "big", chips: [[500, 1]] },
  ]);
});

test("a player below the minimum is advised by one key, and the notice says so", async () => {
  noticed();
  const under = (await screen.findByText(/at least 5\.00/)).closest("li") as HTMLElement;
  fireEvent.keyDown(under, { key: "a" });
  await expect.poll(() => server.sent).toEqual([{ type: "AdvisePlayer", seat: "1", box: "small" }]);
  await screen.findByText(/Advised\./);
});

test("that a player was advised is known to the table: after loading again, and when more is short", async () => {
  noticed();
  const more = { ...UNDER, amount: 200 };
  const known = server.chipTable.value;
  if (known === null) throw new Error("nothing is noticed");
  server.chipTable.value = { ...known, notices: [more], returning: [["1", "small", 300, [["red", 3]], false]] };
  await screen.findByText(/Advised\./);
  expect(screen.queryByRole("button", { name: /Advise/ })).toBeNull();
});

test("what is left stays in sight as left", async () => {
  noticed();
  const over = (await screen.findByText(/too much lies on Big/)).closest("li") as HTMLElement;
  fireEvent.keyDown(over, { key: "l" });
  await screen.findByText(/Left as it lies\./);
  expect(server.sent).toEqual([]);
});

test("tapped chips are one batch for each seat, and nothing is sent before", async () => {
  recorder.select("3");
  recorder.chosen.value = 2_500;
  recorder.tap("big");
  recorder.tap("big");
  recorder.chosen.value = 500;
  recorder.tap("big");
  recorder.select("1");
  recorder.tap("small");
  recorder.tap("single-1");
  recorder.untap();
  expect(server.sent).toEqual([]);
  await recorder.sendTapped();
  expect(server.sent).toEqual([
    { type: "RecordBets", seat: "3", bets: [["big", [[2_500, 2], [500, 1]]]] },
    { type: "RecordBets", seat: "1", bets: [["small", [["red", 1]]]] },
  ]);
  expect(recorder.tapped.value).toEqual([]);
});

test("tapped chips that the server refuses stay to be put right", async () => {
  server.answer = refused("bets are closed", null);
  recorder.select("1");
  recorder.tap("big");
  await recorder.sendTapped();
  expect(recorder.tapped.value).toEqual([{ seat: "1", box: "big", chip: "red" }]);
});

test("nothing is tapped for an empty seat, and it says so", async () => {
  recorder.select("2");
  expect(recorder.tap("big")).toBe(false);
  expect(recorder.tapped.value).toEqual([]);
  expect((await screen.findByRole("status")).textContent).toBe("Nobody sits at seat 2.");
});

test("what was left is shown again when more lies there", async () => {
  noticed();
  fireEvent.keyDown((await screen.findByText(/too much lies on Big/)).closest("li") as HTMLElement, { key: "l" });
  await screen.findByText(/Left as it lies\./);
  server.chipTable.value = chipTable([player("1", "red")], [], { notices: [{ ...OVER, amount: 900 }] });
  await expect.poll(() => screen.queryByText(/Left as it lies\./)).toBeNull();
});

test("whoever rejects by key goes on with the next notice, and then with the line", async () => {
  noticed();
  const over = (await screen.findByText(/too much lies on Big/)).closest("li") as HTMLElement;
  over.focus();
  server.chipTable.value = chipTable([player("1", "red")], [], { notices: [UNDER] });
  await expect.poll(() => document.activeElement?.textContent).toContain("at least 5.00");
  server.chipTable.value = chipTable([player("1", "red")]);
  await expect.poll(() => document.activeElement).toBe(line());
});

test("keys that come before the line is drawn are not lost, and the line has the keys when it is", () => {
  const input = line();
  input.blur();
  recorder.shownIn(null);
  expect(recorder.beginsLine(".")).toBe(false);
  recorder.key("1");
  recorder.takeKeys();
  expect(recorder.beginsLine(".")).toBe(true);
  recorder.shownIn(input);
  expect(document.activeElement).toBe(input);
  expect(recorder.beginsLine(".")).toBe(false);
});

test("chips placed after the close are refused as late, by a sign or the button", async () => {
  expect(screen.queryByRole("button", { name: /Late/ })).toBeNull();
  server.chipTable.value = chipTable([player("3", null)], [], { reading: "closed" });
  await screen.findByRole("button", { name: /Late/ });
  type("3.~b 5");
  screen.getByText("Placed after the close: refuse, and note it");
  enter();
  await vi.waitFor(() => expect(server.sent).toHaveLength(1));
  fireEvent.click(screen.getByRole("button", { name: /Late/ }));
  type("s 25");
  screen.getByRole("button", { name: "Refuse as late" });
  enter();
  await vi.waitFor(() => expect(server.sent).toHaveLength(2));
  expect(server.sent).toEqual([
    { type: "RefuseLateBet", seat: "3", box: "big", chips: [[500, 1]] },
    { type: "RefuseLateBet", seat: "3", box: "small", chips: [[2_500, 1]] },
  ]);
  // The next line records bets again, unless it is marked as late again.
  expect(recorder.understood.value.act).toBe("record");
});

test("a late bet carries the reason that was given, and what is tapped is late too", async () => {
  server.chipTable.value = chipTable([player("3", null)], [], { reading: "late" });
  recorder.reason.value = "thrown in";
  recorder.late.value = true;
  recorder.select("3");
  recorder.chosen.value = 500;
  recorder.tap("odd");
  await recorder.sendTapped();
  expect(server.sent).toEqual([
    { type: "RefuseLateBet", seat: "3", box: "odd", chips: [[500, 1]], note: "thrown in" },
  ]);
});

test("a stack of value and colour chips is separated by the sign and a box", async () => {
  type("1.&b,s");
  screen.getByText("Put value and colour chips beside each other");
  enter();
  await vi.waitFor(() => expect(server.sent).toHaveLength(2));
  expect(server.sent).toEqual([
    { type: "SeparateStack", seat: "1", box: "big" },
    { type: "SeparateStack", seat: "1", box: "small" },
  ]);
});
