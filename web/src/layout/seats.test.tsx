import { signal } from "@preact/signals";
import { render, screen } from "@testing-library/preact";
import { expect, test } from "vitest";

import type { LayoutView, OddsView } from "../answers.ts";
import { Layout, type BoxMarks, type ChipMark } from "./index.ts";

const AREA = {
  ...{ box: "big", kind: "big", name: "Big", code: "b", pays: "1", prints: [] },
  ...{ x: 0, y: 0, w: 4, h: 4 },
};
const LAYOUT: LayoutView = {
  ...{ pay_table: "ts6/2", sha256: "", name: "Appendix C", clause: "4.1.2", columns: 4, rows: 4 },
  ...{ areas: [AREA], captions: [] },
};
const ODDS = {
  boxes: [{ ...AREA, ways: 105, probability: "35/72", house_edge: "1/36", clause: "4.1.2" }],
} as unknown as OddsView;

const STACKS: readonly ChipMark[] = [
  { amount: 5_000, state: "registered", seat: "1", colour: null },
  { amount: 2_500, state: "registered", seat: "6", colour: "yellow" },
  { amount: 1_000, state: "draft", seat: "12", colour: "plaid" },
];

function shown(more: Partial<BoxMarks> = {}): HTMLElement {
  const marks: BoxMarks = { own: signal(STACKS), words: signal("seat 1: $50.00"), ...more };
  const boxes = (): BoxMarks => marks;
  render(<Layout layout={LAYOUT} odds={ODDS} boxes={boxes} />);
  return screen.getByRole("button", { name: /^Big/ });
}

test("chips of several players have their seats on them, and the look of their colours", () => {
  const chips = [...shown().querySelectorAll(".chip")];
  expect(chips.map((each) => each.querySelector(".chip-seat")?.textContent)).toEqual(["1", "6", "12"]);
  expect(chips.map((each) => each.classList.contains("chip-colour"))).toEqual([false, true, true]);
  expect(chips[1]?.classList.contains("chip-colour-yellow")).toBe(true);
});

test("whose they are is said in place of one's own bets", () => {
  expect(shown().getAttribute("aria-label")).toBe("Big, pays 1 to 1, seat 1: $50.00");
});

test("a box with room for fewer says how many more there are", () => {
  const area = shown({ most: 2 });
  expect(area.querySelectorAll(".chip")).toHaveLength(2);
  expect(area.querySelector(".chip-more")?.textContent).toBe("+1");
});

test("what a dealer should see to is marked on the box as long as it is so", async () => {
  const notice = signal<string | null>("▲65");
  const area = shown({ notice });
  expect(area.querySelector(".layout-notice")?.textContent).toBe("▲65");
  notice.value = null;
  await expect.poll(() => area.querySelector(".layout-notice")).toBeNull();
});
