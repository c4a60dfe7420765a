import { render } from "@testing-library/preact";
import { expect, test } from "vitest";

import { Led } from "./led.tsx";

function figures(container: Element): (string | null)[] {
  return [...container.querySelectorAll("svg")].map((svg) => svg.getAttribute("data-figure"));
}

test("the light shows the last three faces pressed, the newest on the right", () => {
  const { container } = render(<Led faces={[1, 6, 2, 5]} />);
  expect(figures(container)).toEqual(["6", "2", "5"]);
});

test("a place that nothing was pressed for shows a dash", () => {
  const { container, getByRole } = render(<Led faces={[4]} />);
  expect(figures(container)).toEqual(["-", "-", "4"]);
  expect(getByRole("status").getAttribute("aria-label")).toBe("Pressed: 4");
});

test("a result that was put right takes the place of what was pressed", () => {
  const { container, getByRole } = render(<Led faces={[1, 3, 6]} result={[1, 3, 5]} />);
  expect(figures(container)).toEqual(["1", "3", "5"]);
  expect(getByRole("status").getAttribute("aria-label")).toBe("Result: 1, 3, 5");
});

test.each([
  [1, 2],
  [2, 5],
  [3, 5],
  [4, 4],
  [5, 5],
  [6, 6],
])("a %i lights %i of the seven segments", (face, lit) => {
  const { container } = render(<Led faces={[face]} />);
  const figure = container.querySelector(`[data-figure="${face}"]`);
  expect(figure?.querySelectorAll(".console-led-on")).toHaveLength(lit);
});
