import { render, screen } from "@testing-library/preact";
import { expect, test } from "vitest";

import type { Fairness } from "../../answers.ts";
import { Band, scaleOf } from "./band.tsx";
import { Dealers } from "./dealers.tsx";
import { endsOf, FairnessMonitor } from "../dice/fairness.tsx";
import { FIGURES } from "../fakes.ts";

test("a win is shown in words beside its drawing, with both bands in figures", () => {
  render(<Band figures={FIGURES} />);
  const words = "Win $1,240.00, theory $980.00: within the band.";
  expect(screen.getByRole("img", { name: words })).toBeTruthy();
  expect(screen.getByText(words)).toBeTruthy();
  expect(screen.getByText(/19 times in 20: -\$216\.58 to \$2,176\.58 \(±1\.96 σ\)/)).toBeTruthy();
  expect(screen.getByText(/99 times in 100: -\$595\.09 to \$2,555\.09 \(±2\.58 σ\)/)).toBeTruthy();
});

test("a win outside the band says how seldom chance alone leads there", () => {
  const { rerender } = render(<Band figures={{ ...FIGURES, win: 300_000, standing: "outside" }} />);
  expect(screen.getByRole("img").getAttribute("aria-label")).toMatch(/outside the band.*less than 1 time in 100/);
  rerender(<Band figures={{ ...FIGURES, standing: "watch" }} />);
  expect(screen.getByRole("img").getAttribute("aria-label")).toMatch(/at the edge.*less than 1 time in 20/);
});

test("there is no band before a round is settled, nor while older rounds are read", () => {
  const { rerender } = render(<Band figures={{ ...FIGURES, rounds: 0 }} />);
  expect(screen.queryByRole("img")).toBeNull();
  expect(screen.getByText("No round has been settled yet.")).toBeTruthy();
  rerender(<Band figures={null} />);
  expect(screen.getByText("The figures are still being read.")).toBeTruthy();
});

test("everything drawn lies on the drawing, in its order, also where the win is far out", () => {
  for (const win of [124_000, -900_000, 2_000_000]) {
    const at = scaleOf(win, FIGURES.band);
    const { lowest, low, high, highest } = FIGURES.band;
    const places = [lowest, low, FIGURES.theory, high, highest].map(at);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    for (const place of [...places, at(win)]) {
      expect(place).toBeGreaterThanOrEqual(0);
      expect(place).toBeLessThanOrEqual(100);
    }
  }
  // Theory lies in the middle of its own bands.
  expect(scaleOf(98_000, FIGURES.band)(98_000)).toBeCloseTo(50, 5);
});

test("a band without width is drawn in the middle, and nothing is divided by nothing", () => {
  expect(scaleOf(0, { lowest: 0, low: 0, high: 0, highest: 0 })(0)).toBe(50);
});

const WATCH: Fairness = {
  dice_set: "D-17",
  throws: 412,
  e_value: 0.41,
  alarm_at: 100,
  confidence: 0.99,
  alarmed_at: null,
  in_use: true,
};

test("the evidence against dice is shown in words: none, some, and an alarm", () => {
  const { rerender } = render(<FairnessMonitor watch={WATCH} points={[]} />);
  const none = "No evidence against fair dice after 412 throws.";
  expect(screen.getByRole("img", { name: none })).toBeTruthy();
  expect(screen.getByText("D-17, in use")).toBeTruthy();
  rerender(<FairnessMonitor watch={{ ...WATCH, e_value: 31.62 }} points={[]} />);
  expect(screen.getByRole("img").getAttribute("aria-label")).toBe(
    "Some evidence against fair dice after 412 throws: 31.6; the alarm is at 100.",
  );
  rerender(<FairnessMonitor watch={{ ...WATCH, in_use: false }} points={[]} isPutAway />);
  expect(screen.getByText("D-17, damaged and put away")).toBeTruthy();
  // An alarm stays an alarm, even if the evidence has fallen since.
  rerender(<FairnessMonitor watch={{ ...WATCH, e_value: 12, alarmed_at: 388 }} points={[]} />);
  expect(screen.getByRole("img").getAttribute("aria-label")).toMatch(/^Alarm since throw 388/);
});

test("the scale of the evidence has room for the alarm, and for whatever there is", () => {
  expect(endsOf(WATCH)).toEqual([-2, 3]);
  expect(endsOf({ ...WATCH, e_value: 0.000_2 })).toEqual([-4, 3]);
  expect(endsOf({ ...WATCH, e_value: 5e7 })).toEqual([-2, 8]);
  expect(endsOf({ ...WATCH, e_value: 0 })[0]).toBe(-12);
});

test("what was seen of the evidence is drawn once there is a line to draw", () => {
  const one = [{ throws: 410, evidence: 0.4 }];
  const { rerender, container } = render(<FairnessMonitor watch={WATCH} points={one} />);
  expect(container.querySelector("polyline")).toBeNull();
  const more = [...one, { throws: 411, evidence: 0.39 }, { throws: 412, evidence: 0.41 }];
  rerender(<FairnessMonitor watch={WATCH} points={more} />);
  expect(container.querySelector("polyline")?.getAttribute("points")?.split(" ")).toHaveLength(3);
  expect(screen.getByText(/throws 410 to 412: from 0\.4 to 0\.41/)).toBeTruthy();
});

test("dealers are shown with their deviation, and sorted by any of their figures", async () => {
  const dan = { person: "Dan", automatic: false, tables: ["T1"], figures: { ...FIGURES, rounds: 3, deviation: -2.7, standing: "outside" as const } };
  const automatic = { person: "automatic-dealer", automatic: true, tables: ["T2", "T3"], figures: FIGURES };
  render(<Dealers dealers={[automatic, dan]} />);
  const names = () => screen.getAllByRole("rowheader").map(({ textContent }) => textContent);
  expect(names()).toEqual(["automatic dealer", "Dan"]);
  expect(screen.getByText("-2.7 σ").parentElement?.textContent).toContain("outside the band");
  const header = screen.getByRole("button", { name: "Deviation" });
  header.click();
  await Promise.resolve();
  expect(names(), "the furthest from theory first").toEqual(["Dan", "automatic dealer"]);
  expect(header.closest("th")?.getAttribute("aria-sort")).toBe("descending");
});
