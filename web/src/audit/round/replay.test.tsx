import { signal } from "@preact/signals";
import { act, fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Replay } from "./replay.tsx";
import { CHIP_STORY } from "./chip_story.example.ts";
import { LAYOUT, ODDS, STORY } from "./story.example.ts";
import { Tables } from "./story_tables.tsx";

const NAMES: Readonly<Record<string, string>> = { small: "Small", big: "Big", "total-9": "Total 9" };
const nameOf = (box: string): string => NAMES[box] ?? box;
const show = () => render(<Replay record={{ story: STORY, layout: LAYOUT, odds: ODDS }} nameOf={nameOf} at={signal(0)} />);
const key = (name: string) => fireEvent.keyDown(document.body, { key: name });
const stakes = (): string[] => [...document.querySelectorAll(".replay-stakes > li")].map((each) => each.textContent);
const postings = (): string[] =>
  within(screen.getByRole("list", { name: "Money moved" }))
    .getAllByRole("listitem")
    .map((each) => each.textContent);

const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("stepping shows what lies, and the money that moved", () => {
  show();
  expect(screen.getByText("Step 1 of 10")).toBeTruthy();
  expect(screen.getByText("There is nothing on the layout.")).toBeTruthy();
  expect(screen.getByText("No money moved.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "One step on" }));
  expect(stakes()).toEqual(["Small 10.00", "Big 5.00"]);
  expect(postings()).toEqual(["credits of T1-1→tobets of T1-1$15.00"]);
  expect(document.querySelectorAll(".replay-layout .chip-registered")).toHaveLength(2);
});

test("the keyboard moves from anywhere, and stays within the round", () => {
  show();
  key("ArrowLeft");
  expect(screen.getByText("Step 1 of 10")).toBeTruthy();
  key("ArrowRight");
  key("ArrowRight");
  expect(screen.getByText("Step 3 of 10")).toBeTruthy();
  key("End");
  expect(screen.getByText("Step 10 of 10")).toBeTruthy();
  expect(stakes()).toEqual(["◆ Small 20.00 back in all"]);
  expect(postings()).toHaveLength(3);
  key("Home");
  expect(screen.getByText("Step 1 of 10")).toBeTruthy();
});

test("the step stays where it is while the story is read in another language", () => {
  const at = signal(0);
  const story = () => <Replay record={{ story: STORY, layout: LAYOUT, odds: ODDS }} nameOf={nameOf} at={at} />;
  const shown = render(story());
  key("End");
  const told = screen.getByText(/^Step \d+ of \d+$/).textContent;
  shown.unmount();
  render(story());
  expect(screen.getByText(/^Step \d+ of \d+$/).textContent).toBe(told);
});

test("scrubbing goes to a step, and says which", () => {
  show();
  const scrub = screen.getByRole("slider", { name: "Step" });
  fireEvent.input(scrub, { target: { value: "6" } });
  expect(scrub.getAttribute("aria-valuetext")).toBe("Step 7 of 10: the result is put right: 1 2 6");
  const card = document.querySelector<HTMLElement>(".event-card");
  expect(card?.textContent).toContain("Dana (dealer); second person: Sue (supervisor)");
  expect(card?.textContent).toContain("5.5");
  expect(screen.getByRole("img", { name: "Dice: 1, 2, 6" })).toBeTruthy();
});

test("playing steps by itself, and ends at the end", async () => {
  show();
  fireEvent.click(screen.getByRole("button", { name: "Play" }));
  await pass(2000);
  expect(screen.getByText("Step 3 of 10")).toBeTruthy();
  key(" ");
  await pass(5000);
  expect(screen.getByText("Step 3 of 10")).toBeTruthy();
  key(" ");
  await pass(60_000);
  expect(screen.getByText("Step 10 of 10")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Play" })).toBeTruthy();
});

test("the chips of one terminal", () => {
  show();
  key("ArrowRight");
  key("ArrowRight");
  fireEvent.change(screen.getByRole("combobox", { name: "Chips of" }), { target: { value: "T1-2" } });
  expect(stakes()).toEqual(["Small 3.00", "Total 9 2.00"]);
});

test("a record that the check did not reach says so", () => {
  show();
  key("End");
  expect(screen.getByText("Record 9 was not reached by the check.")).toBeTruthy();
  key("ArrowLeft");
  key("ArrowLeft");
  expect(screen.getByText(/Record 8 follows on the one before it/)).toBeTruthy();
});

test("tables tell each bet with its reason, and credits before and after", () => {
  render(<Tables story={STORY} nameOf={nameOf} />);
  const [, won] = within(screen.getByRole("region", { name: "How each bet was settled" })).getAllByRole("row");
  expect(won?.textContent).toContain("Small wins at 1 to 1: total 9 is small");
  expect(won?.textContent).toContain("20.00");
  const balances = screen.getByRole("region", { name: /Credits of each terminal/ });
  expect(balances.textContent).toContain("-15.00");
  expect(balances.textContent).toContain("+20.00");
  expect(balances.textContent).toContain("105.00");
});

test("a secret that gives other dice is not passed over", () => {
  const hash = "cd".repeat(32);
  const secret = { commitment: hash, before: hash, secret: hash, drawn: [1, 1, 1] as const, links: true, agrees: false };
  render(<Tables story={{ ...STORY, secret }} nameOf={nameOf} />);
  expect(screen.getByText("✓ yes")).toBeTruthy();
  expect(screen.getByText("✕ no")).toBeTruthy();
  expect(screen.getByRole("img", { name: "Dice: 1, 1, 1" })).toBeTruthy();
});

test("a layout round is replayed with seats, chips and the lists of its payment", () => {
  render(<Replay record={{ story: CHIP_STORY, layout: LAYOUT, odds: ODDS }} nameOf={nameOf} at={signal(0)} />);
  key("ArrowRight");
  expect(stakes()).toEqual(["Small seat 10: 100.00", "Total 9 seat 10: 50.00"]);
  const chipsOf = (name: string) =>
    within(screen.getByRole("list", { name })).getAllByRole("listitem").map((each) => each.lastChild?.textContent);
  expect(chipsOf("On Total 9")).toEqual(["2 × 25"]);
  expect(postings()).toEqual([
    "chips carried about→tochips of seat 10$50.00",
    "chips of seat 10→tobets of seat 10$150.00",
  ]);
  key("ArrowRight");
  expect(chipsOf("On Big")).toEqual(["4 × Pink"]);
  key("ArrowRight");
  expect(chipsOf("Taken from Big")).toEqual(["4 × Pink"]);
  expect(chipsOf("On Big")).toEqual(["6 × Pink"]);
  key("End");
  key("ArrowLeft");
  expect(chipsOf("Taken from Big")).toEqual(["4 × Pink"]);
  key("End");
  expect(chipsOf("Paid out of the rack")).toEqual(["1 × 100", "2 × 25"]);
  expect(screen.getByRole("option", { name: "seat 10" })).toBeTruthy();
});

test("chips that are given back are shown as taken from their box", () => {
  const steps = CHIP_STORY.events.map(({ event }) => event);
  const at = signal(steps.indexOf("AdvisedBetReturned"));
  render(<Replay record={{ story: CHIP_STORY, layout: LAYOUT, odds: ODDS }} nameOf={nameOf} at={at} />);
  expect(screen.getByRole("list", { name: "Taken from Total 9" }).textContent).toContain("1 × Pink");
  expect(stakes().some((each) => each.includes("Total 9"))).toBe(false);
  key("ArrowRight");
  expect(screen.getByRole("list", { name: "Taken from Big" }).textContent).toContain("3 × 100");
  expect(stakes()).toContain("Big seat 2: 20.00");
});

test("the tables of a layout round speak of seats", () => {
  render(<Tables story={CHIP_STORY} nameOf={nameOf} />);
  expect(screen.getByRole("region", { name: "Chips in front of each player, before and after" })).toBeTruthy();
  expect(screen.getAllByRole("columnheader", { name: "Seat" })).toHaveLength(2);
  expect(screen.queryByRole("columnheader", { name: "Terminal" })).toBeNull();
  expect(screen.getByRole("columnheader", { name: "Bought or brought" })).toBeTruthy();
  expect(screen.queryByRole("columnheader", { name: "Cashed out" })).toBeNull();
});
