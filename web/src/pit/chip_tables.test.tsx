import { act, fireEvent, render, screen, within } from "@testing-library/preact";
import { expect, test } from "vitest";

import type { Alert, PitDay, PitTable } from "../answers.ts";
import { chipTable, steps, view } from "../console/fakes.ts";
import { Card } from "./tables/card.tsx";
import { DayPanel } from "./days/day_panel.tsx";
import { OpeningList } from "./opening/opening.tsx";
import { flagsOf, conditionOf } from "./tables/condition.ts";
import { alertOf, FIGURES, floorOf, openingOf, seenOf, stepOf, TABLE, wanted } from "./fakes.ts";

const DAY: PitDay = {
  date: "2026-11-16",
  opening: 500_000,
  fills: 100_000,
  credits: 50_000,
  drop: 120_000,
  in_box: 30_000,
  rack: 470_000,
  seats: 4,
  win: 70_000,
  difference: -500,
};
const CHIP_TABLE: PitTable = { ...TABLE, form: "chips", terminals: 0, connected: 0, day: DAY, today: { ...FIGURES, rounds: 41 } };

const factsIn = (within: Element): Record<string, string> =>
  Object.fromEntries(
    [...within.querySelectorAll("dl > div")].map((each) => [
      each.querySelector("dt")?.textContent ?? "",
      each.querySelector("dd")?.textContent ?? "",
    ]),
  );

test("the card of a layout has seats for terminals, and its gaming day with what it won so far", () => {
  const { floor, server } = floorOf();
  server.view.value = view({ form: "chips", seats: 9, taken: ["1", "2", "5"], paying: true });
  render(<Card floor={floor} seen={seenOf(CHIP_TABLE, server)} />);
  const card = screen.getByRole("article");
  expect(factsIn(card)["Seats taken"]).toBe("3 of 9");
  expect(factsIn(card)["Terminals"]).toBeUndefined();
  expect(card.textContent).toContain("Day 2026-11-16: $700.00 so far");
  expect(card.textContent).toContain("Winners are being paid");
});

test("a layout that is not watched has its seats as they were shown, and says when no day is open", () => {
  const { floor } = floorOf();
  const { rerender } = render(<Card floor={floor} seen={seenOf(CHIP_TABLE)} />);
  expect(factsIn(screen.getByRole("article"))["Seats taken"]).toBe("4");
  rerender(<Card floor={floor} seen={seenOf({ ...CHIP_TABLE, day: null })} />);
  expect(screen.getByRole("article").textContent).toContain("No gaming day is open");
});

test("counts that differ are one flag, and chips on their way too long another", () => {
  const alert = (code: string, level: Alert["level"]): Alert => alertOf({ at: 1, code, level });
  const t = Object.assign((key: string): string => key, { count: () => "" });
  const alerts = [
    alert("PIT_OPENING_DIFFERS", "watch"),
    alert("PIT_DROP_DIFFERS", "watch"),
    alert("PIT_FILL_LATE", "act"),
  ];
  const flags = flagsOf(t, conditionOf(CHIP_TABLE, null), false, alerts);
  expect(flags.map(({ words, level }) => `${level} ${words}`)).toEqual(["act flag_fill", "watch flag_count"]);
});

test("the gaming day: what was counted, what came and went, the win so far, and the day's band", () => {
  const { floor } = floorOf("auditor");
  render(<DayPanel floor={floor} seen={seenOf(CHIP_TABLE)} />);
  const panel = screen.getByRole("region", { name: "Gaming day 2026-11-16" });
  expect(factsIn(panel)).toEqual({
    Opening: "$5,000.00",
    Fills: "$1,000.00",
    Credits: "$500.00",
    "Drop, counted": "$1,200.00",
    "In the drop box, by the books": "$300.00",
    "In the rack, by the books": "$4,700.00",
    Difference: "-$5.00",
    "Seats taken": "4",
  });
  expect(panel.textContent).toContain("Won so far, by the books $700.00");
  expect(within(panel).getByRole("img", { name: /within the band/ })).toBeTruthy();
});

test("a closed table is counted blind: box and rack are not told before", () => {
  const { floor } = floorOf();
  render(<DayPanel floor={floor} seen={seenOf({ ...CHIP_TABLE, phase: "closed", day: { ...DAY, in_box: null, rack: null } })} />);
  const facts = factsIn(screen.getByRole("region"));
  expect(facts["In the drop box, by the books"]).toBe("to be counted");
  expect(facts["In the rack, by the books"]).toBe("to be counted");
  expect(facts["Opening"]).toBe("$5,000.00");
});

test("between two days the panel says how the next begins", () => {
  const { floor } = floorOf();
  render(<DayPanel floor={floor} seen={seenOf({ ...CHIP_TABLE, day: null, today: null })} />);
  expect(screen.getByText(/begins with a count of the rack by two persons/)).toBeTruthy();
});

test("the counts that end a day are taken here, or say why not yet", async () => {
  const { floor, server } = floorOf();
  server.view.value = view({ form: "chips", phase: "closed" });
  server.chipTable.value = chipTable([], [], { day: { ...DAY } });
  const drop = stepOf("CountDrop", { label: "Count the drop box", standing: "next" });
  const close = stepOf("CloseDay", { label: "Close the gaming day", standing: "refused", sentence: "the drop box first" });
  server.steps.value = steps([drop, close]);
  render(<DayPanel floor={floor} seen={seenOf({ ...CHIP_TABLE, phase: "closed" }, server)} />);
  expect(screen.getByText("the drop box first")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Close the gaming day…" }));
  expect(screen.queryByRole("dialog"), "it is refused").toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Count the drop box…" }));
  fireEvent.input(screen.getByLabelText("Cash in the box"), { target: { value: "300" } });
  fireEvent.input(screen.getByLabelText("Chips for value in the box"), { target: { value: "0" } });
  await act(async () => {
    fireEvent.submit(screen.getByRole("dialog").querySelector("form") ?? fail());
    await Promise.resolve();
  });
  expect(server.sent).toEqual([{ type: "CountDrop", cash: 30_000, chips: 0 }]);
});

test("a chip table opens with a count of its rack", async () => {
  const { floor, server } = floorOf();
  server.view.value = view({ form: "chips", phase: "closed" });
  server.chipTable.value = chipTable([]);
  const step = stepOf("OpenDay", { label: "Open the gaming day", standing: "next", fields: ["count"] });
  const opening = openingOf([wanted("gaming-day", false, step)]);
  render(<OpeningList floor={floor} seen={seenOf({ ...CHIP_TABLE, phase: "closed", day: null }, server)} opening={opening} />);
  fireEvent.click(screen.getByRole("button", { name: "Open the gaming day…" }));
  const dialog = screen.getByRole("dialog");
  fireEvent.input(within(dialog).getByLabelText("100.00"), { target: { value: "20" } });
  await act(async () => {
    fireEvent.submit(dialog.querySelector("form") ?? fail());
    await Promise.resolve();
  });
  expect(server.sent).toEqual([{ type: "OpenDay", date: "2026-11-16", count: [[10_000, 20]] }]);
});

function fail(): never {
  throw new Error("There is no form.");
}
