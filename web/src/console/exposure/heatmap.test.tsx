import { fireEvent, render, screen } from "@testing-library/preact";
import { expect, test } from "vitest";

import { neighbour, rowsOf, type Outcome } from "./heat.ts";
import { HeatMap } from "./heatmap.tsx";

/** All results of three dice, found by throwing all 216. */
function allOutcomes(): Outcome[] {
  const ways = new Map<string, number>();
  for (let throw_ = 0; throw_ < 216; throw_++) {
    const faces = [Math.floor(throw_ / 36) + 1, (Math.floor(throw_ / 6) % 6) + 1, (throw_ % 6) + 1].sort();
    ways.set(faces.join(""), (ways.get(faces.join("")) ?? 0) + 1);
  }
  return [...ways].map(([text, many]) => {
    const faces = [...text].map(Number);
    return { faces, ways: many, total: faces.reduce((a, b) => a + b, 0), call: faces.join(", ") };
  });
}

const OUTCOMES = allOutcomes();
const PAYS = OUTCOMES.map((outcome) => (outcome.total === 18 ? 120_000 : outcome.total === 10 ? 0 : -5_000));
const RISK = { staked: 5_000, pays: PAYS, worst: 120_000, expected: -4_000, losing: "1/216" };

test("all 56 results are there, in a row for each of the 16 totals", () => {
  render(<HeatMap outcomes={OUTCOMES} risk={RISK} />);
  expect(screen.getAllByRole("gridcell")).toHaveLength(56);
  expect(screen.getAllByRole("rowheader").map((each) => each.textContent)).toEqual(
    Array.from({ length: 16 }, (_, place) => String(place + 3)),
  );
});

test("a cell says in a sentence who gains how much, by sign and by side, not by colour alone", () => {
  render(<HeatMap outcomes={OUTCOMES} risk={RISK} />);
  const worst = screen.getByRole("gridcell", { name: /^6, 6, 6 \(1 of 216.*pays \$1,200\.00/ });
  expect(worst.dataset["side"]).toBe("pays");
  expect(worst.querySelector(".console-heat-amount")?.textContent).toBe("−1,200");
  const kept = screen.getByRole("gridcell", { name: /^1, 1, 1 .*keeps \$50\.00/ });
  expect(kept.querySelector(".console-heat-amount")?.textContent).toBe("+50");
  expect(screen.getByRole("gridcell", { name: /^1, 3, 6 \(6 of 216.*neither/ }).dataset["side"]).toBe("even");
});

test.each([
  [999_900, "−9,999"],
  [1_656_700, "−16.6K"],
  [123_456_700, "−1.23M"],
])("%s is no longer in its cell than there is room: %s", (worst, written) => {
  const pays = OUTCOMES.map((outcome) => (outcome.total === 18 ? worst : 0));
  render(<HeatMap outcomes={OUTCOMES} risk={{ ...RISK, pays, worst }} />);
  const cell = screen.getByRole("gridcell", { name: /^6, 6, 6/ });
  expect(cell.querySelector(".console-heat-amount")?.textContent).toBe(written);
});

test("worst case, average and chance to lose stand in words above", () => {
  render(<HeatMap outcomes={OUTCOMES} risk={RISK} />);
  screen.getByText("Worst: 6, 6, 6");
  screen.getByText("pays $1,200.00");
  screen.getByText("keeps $40.00");
  screen.getByText("0.5% (1/216)");
});

test("focus tells the sentence, and the arrow keys move it", () => {
  render(<HeatMap outcomes={OUTCOMES} risk={RISK} />);
  const [first] = screen.getAllByRole("gridcell");
  first?.focus();
  fireEvent.keyDown(first as HTMLElement, { key: "ArrowDown" });
  expect(document.activeElement?.textContent).toMatch(/^1, 1, 2/);
});

test("as a table it lists all results, the dearest first", () => {
  render(<HeatMap outcomes={OUTCOMES} risk={RISK} />);
  fireEvent.click(screen.getByRole("button", { name: "Show as a table" }));
  const rows = screen.getAllByRole("row");
  expect(rows).toHaveLength(57);
  expect(rows[1]?.textContent).toContain("6, 6, 6");
});

test("a share is of the largest amount either way", () => {
  const rows = rowsOf(OUTCOMES, PAYS);
  expect(rows.at(-1)?.cells[0]?.share).toBe(1);
  expect(rows[0]?.cells[0]?.share).toBeCloseTo(5_000 / 120_000);
});

test("from the end of a row the arrow keys stay", () => {
  const rows = rowsOf(OUTCOMES, PAYS);
  const lone = rows[0]?.cells[0]?.index ?? -1;
  expect(neighbour(rows, lone, "ArrowRight")).toBe(lone);
  expect(neighbour(rows, lone, "ArrowUp")).toBe(lone);
});
