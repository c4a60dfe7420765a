import { cleanup, fireEvent, render } from "@testing-library/preact";
import { afterEach, expect, test, vi } from "vitest";

import { ChipStack, Die, DiceRow, Tumbler } from "../index.ts";
import { chipAmount, fractionPercent, useChipDrag } from "../index.ts";
import { nearest } from "../hand/neighbours.ts";

afterEach(cleanup);

test("dice are drawn with as many pips as they show, and say it", () => {
  const { getByRole } = render(<Die face={5} />);
  const die = getByRole("img", { name: "A die showing 5" });
  expect(die.querySelector("path")?.getAttribute("d")?.match(/h0/g)).toHaveLength(5);
});

test("the one and the four are red, as dice in Asia are", () => {
  const { container } = render(<DiceRow faces={[1, 2, 3, 4, 5, 6]} />);
  const pips = [...container.querySelectorAll("path")];
  const red = pips.map((each) => each.classList.contains("dots-red"));
  expect(red).toEqual([true, false, false, true, false, false]);
});

test("a die has no seventh face", () => {
  expect(() => render(<Die face={7} />)).toThrow("A die has no face 7.");
});

test("covered and tumbling dice show no face", () => {
  const { container, getByRole, rerender } = render(<Tumbler faces={[1, 2, 3]} covered />);
  expect(getByRole("img", { name: "The dice are covered" })).toBeDefined();
  expect(container.querySelector(".tumbler-dice path")).toBeNull();
  rerender(<Tumbler faces={[1, 2, 3]} call="1, 2, 3, total 6" />);
  expect(getByRole("img", { name: "1, 2, 3, total 6" })).toBeDefined();
  expect(container.querySelectorAll(".tumbler-dice path")).toHaveLength(3);
});

test("a fraction is also told as a percentage", () => {
  expect(fractionPercent("7/72")).toBe("9.72%");
  expect(fractionPercent("0")).toBe("0.00%");
});

test("amounts on chips are short, exact where they can be", () => {
  expect([100, 2500, 1250, 50000, 100000, 1234500].map(chipAmount)).toEqual([
    ...["1", "25", "12.5", "500", "1K", "12.3K"],
  ]);
});

test("three chips of a stack are drawn and the rest counted", () => {
  const chips = [1, 2, 3, 4, 5].map((units) => ({ amount: units * 100, state: "draft" as const }));
  const { container } = render(<ChipStack chips={chips} />);
  const amounts = [...container.querySelectorAll("text")].map((each) => each.textContent);
  expect(amounts).toEqual(["3", "4", "5"]);
  expect(container.querySelector(".chip-more")?.textContent).toBe("+2");
});

test("the nearest area in a direction is the one in line, not one off a corner", () => {
  const at = (x: number, y: number) => ({ x, y, w: 1, h: 1 });
  const rects = [at(0, 0), at(1.5, 2), at(3, 0), at(0, 4)];
  expect(nearest(rects, 0, "right")).toBe(2);
  expect(nearest(rects, 0, "down")).toBe(3);
  expect(nearest(rects, 0, "left")).toBeNull();
});

test("a carried chip is dropped on the area below it, and its click is no press", () => {
  const [drop, press] = [vi.fn<(box: string, chip: number) => void>(), vi.fn()];
  function Tray() {
    const { handlers, ghost, className } = useChipDrag(drop);
    return (
      <>
        <button class={className} {...handlers(500)} onClick={press}>
          5
        </button>
        <button data-box="big">Big</button>
        {ghost}
      </>
    );
  }
  const { getByText } = render(<Tray />);
  const [chip, big] = [getByText("5"), getByText("Big")];
  document.elementFromPoint = () => big;
  chip.setPointerCapture = () => undefined;
  fireEvent.pointerDown(chip, { pointerId: 1, button: 0, clientX: 0, clientY: 0 });
  fireEvent.pointerMove(chip, { pointerId: 1, clientX: 60, clientY: 60 });
  expect(big.hasAttribute("data-over")).toBe(true);
  fireEvent.pointerUp(chip, { pointerId: 1, clientX: 60, clientY: 60 });
  fireEvent.click(chip);
  expect(drop.mock.calls).toEqual([["big", 500]]);
  expect(big.hasAttribute("data-over")).toBe(false);
  expect(press).not.toHaveBeenCalled();
  fireEvent.click(chip);
  expect(press).toHaveBeenCalledOnce();
});
