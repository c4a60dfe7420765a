import { act, cleanup, render, screen as page } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { loadWords } from "../words/words.ts";
import { notify } from "./notices.tsx";
import { addressOf, SCREENS, startRouter, type Screen } from "./router.ts";
import { TopBar } from "./top_bar.tsx";

const WIDTH = 1_000;
const HEIGHT = 600;
/** How high a notice is drawn. */
const NOTICE = 50;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A fake place for each element, since nothing is drawn here; others have no size. */
let drawn: Map<Element, Box>;

beforeEach(async () => {
  await loadWords();
  vi.useFakeTimers();
  drawn = new Map();
  vi.stubGlobal("innerWidth", WIDTH);
  vi.stubGlobal("innerHeight", HEIGHT);
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
    const { left, top, width, height } = drawn.get(this) ?? { left: 0, top: 0, width: 0, height: 0 };
    return { left, top, width, height, right: left + width, bottom: top + height } as DOMRect;
  });
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(NOTICE);
  HTMLElement.prototype.checkVisibility = () => true;
});
afterEach(() => {
  // Let the notices that still wait be shown and go.
  pass(60_000);
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The bar of a screen, and buttons on the page below it. */
function shown(screen: Screen, controls: readonly Box[] = []): HTMLElement {
  history.replaceState(null, "", addressOf(screen));
  const end = startRouter();
  dispatchEvent(new PopStateEvent("popstate"));
  end();
  const { container } = render(
    <>
      <TopBar />
      <main>
        {controls.map((_, number) => (
          <button key={number} type="button">
            press
          </button>
        ))}
      </main>
    </>,
  );
  controls.forEach((box, number) => drawn.set(container.querySelectorAll("main button")[number] as Element, box));
  return container.querySelector(".top") as HTMLElement;
}

const notice = (): HTMLElement | null => page.queryByRole("region", { name: "Notice" });
const pass = (ms: number): void => {
  void act(() => void vi.advanceTimersByTime(ms));
};

test.each(SCREENS)("over %s a notice stands in the bar, or free of every control, and goes by itself", (screen) => {
  const rows = Array.from({ length: 8 }, (_, row) => ({ left: 0, top: 150 + row * 50, width: WIDTH, height: 44 }));
  const bar = shown(screen, rows);
  act(() => notify("It is done"));
  const now = notice();
  expect(bar.contains(now)).toBe(true);
  if (screen === "display") {
    // The wall has no bar in sight: there is room above the controls alone.
    expect(now?.dataset["place"]).toBe("free");
    expect(Number.parseFloat(now?.style.top ?? "")).toBeLessThanOrEqual(150 - NOTICE);
  } else {
    expect(now?.dataset["place"]).toBe("bar");
  }
  pass(6_000);
  expect(notice()).toBeNull();
  expect(page.getByRole("button", { name: /^Notices: \d+ new$/ })).toBeTruthy();
});

test("over a page that is scrolled a notice moves out of the way of what comes under it", () => {
  const button = { left: 200, top: 540, width: 600, height: 44 };
  const bar = shown("pit", [button]);
  drawn.set(bar, { left: 0, top: -60, width: WIDTH, height: 48 });
  act(() => notify("It is done"));
  const placed = (): Box => {
    const { left, top, width } = (notice() as HTMLElement).style;
    return { left: Number.parseFloat(left), top: Number.parseFloat(top), width: Number.parseFloat(width), height: NOTICE };
  };
  const apart = (one: Box, other: Box): boolean =>
    one.left + one.width <= other.left ||
    other.left + other.width <= one.left ||
    one.top + one.height <= other.top ||
    other.top + other.height <= one.top;
  expect(apart(placed(), button)).toBe(true);
  const moved = { ...button, ...placed() };
  drawn.set(page.getByRole("button", { name: "press" }), moved);
  pass(500);
  expect(apart(placed(), moved)).toBe(true);
});

test("where there is no room at all the list alone has it", () => {
  const bar = shown("cage", [{ left: 0, top: 0, width: WIDTH, height: HEIGHT }]);
  drawn.set(bar, { left: 0, top: -60, width: WIDTH, height: 48 });
  act(() => notify("It is done"));
  expect((document.querySelector(".notice") as HTMLElement).dataset["place"]).toBe("none");
});
