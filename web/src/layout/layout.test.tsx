import { signal, type Signal } from "@preact/signals";
import { cleanup, fireEvent, render } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Area, LayoutView, OddsView } from "../answers.ts";
import { Layout } from "./index.ts";
import type { BoxMarks, ChipMark } from "./types.ts";

/** A small layout: three areas above, two below, and Big printed a second time. */
const AREAS: readonly Area[] = [
  { box: "small", kind: "small", name: "Small", code: "s", pays: "1", prints: [], x: 0, y: 0, w: 4, h: 2 },
  { box: "total-9", kind: "total", name: "Total 9", code: "t9", pays: "7", prints: [], x: 4, y: 0, w: 4, h: 2 },
  { box: "big", kind: "big", name: "Big", code: "b", pays: "1", prints: [], x: 8, y: 0, w: 4, h: 2 },
  {
    box: "single-4",
    kind: "single",
    name: "Single 4",
    code: "4",
    pays: { 1: "1", 2: "2", 3: "12" },
    prints: [],
    ...{ x: 0, y: 2, w: 6, h: 2 },
  },
  { box: "big", kind: "big", name: "Big", code: "b", pays: "1", prints: [], x: 6, y: 2, w: 6, h: 2 },
];

const LAYOUT: LayoutView = {
  ...{ pay_table: "ts6/1", sha256: "0", name: "Appendix A", clause: "A", columns: 12, rows: 5 },
  areas: AREAS,
  captions: [{ code: "each-single", text: "1 to 1 on one die", x: 0, y: 4, w: 12, h: 1 }],
};

const ODDS: OddsView = {
  pay_table: "ts6/1",
  rulebook: { key: "ts6", title: "Tai Sai", version: "6", effective: null, sha256: "0" },
  layout: "Appendix A",
  boxes: AREAS.slice(0, 4).map(({ box, kind, name, pays }) => ({
    ...{ box, kind, name, pays },
    ways: 105,
    probability: "35/72",
    house_edge: "1/36",
    clause: "4.1.1",
  })),
};

interface Marks extends BoxMarks {
  readonly own: Signal<readonly ChipMark[]>;
  readonly total: Signal<number>;
  readonly refused: Signal<string | null>;
}

let marks: Map<string, Marks>;

beforeEach(() => {
  const fresh = () => ({ own: signal([]), total: signal(0), refused: signal(null) });
  marks = new Map(ODDS.boxes.map(({ box }) => [box, fresh()]));
});
afterEach(cleanup);

function of(box: string): Marks {
  const found = marks.get(box);
  if (found === undefined) throw new Error(`No marks for ${box}.`);
  return found;
}

function names(container: Element): (string | null)[] {
  const buttons = [...container.querySelectorAll("button[data-box]")];
  return buttons.map((each) => each.getAttribute("aria-label"));
}

/** A changed signal reaches an attribute after two microtasks, and a component after one. */
const drawn = async () => {
  for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
};

test("each area is a button that says its name, its odds and what lies on it", async () => {
  const lit = new Set(["total-9"]);
  const { container } = render(<Layout layout={LAYOUT} odds={ODDS} boxes={of} lit={lit} />);
  expect(names(container)).toEqual([
    "Small, pays 1 to 1",
    "Total 9, pays 7 to 1, wins",
    "Big, pays 1 to 1",
    "Single 4, pays 1 to 1 on one die, 2 to 1 on two, 12 to 1 on three",
    "Big, pays 1 to 1",
  ]);
  of("small").own.value = [
    { amount: 500, state: "registered" },
    { amount: 250, state: "pending" },
    { amount: 250, state: "pending" },
  ];
  await drawn();
  expect(names(container)[0]).toBe("Small, pays 1 to 1, your bet 5.00, 5.00 on its way");
});

test("an area prints and says the totals that win it, and that a triple beats it", () => {
  const prints = ["11 to 17", "loses on any triple"];
  const areas = AREAS.map((area) => (area.box === "big" ? { ...area, prints } : area));
  const { container } = render(<Layout layout={{ ...LAYOUT, areas }} odds={ODDS} boxes={of} />);
  expect(names(container)[2]).toBe("Big, 11 to 17, loses on any triple, pays 1 to 1");
  const lines = [...container.querySelectorAll('[data-box="big"] .layout-line')];
  expect(lines.map((line) => line.textContent)).toEqual([...prints, ...prints]);
  expect(container.querySelector('[data-box="small"] .layout-line')).toBeNull();
});

test("chance and edge are described exactly, and only on demand", () => {
  const { container, rerender } = render(<Layout layout={LAYOUT} odds={ODDS} boxes={of} />);
  const small = () => container.querySelector('[data-box="small"]');
  expect(small()?.textContent).not.toContain("%");
  rerender(<Layout layout={LAYOUT} odds={ODDS} boxes={of} chances />);
  expect(small()?.getAttribute("aria-description")).toBe(
    "Chance 35/72, 48.61%. House edge 1/36, 2.78%.",
  );
  expect(small()?.textContent).toContain("48.61%");
});

test("a box that changes is drawn again alone", async () => {
  const { container } = render(<Layout layout={LAYOUT} odds={ODDS} boxes={of} />);
  const changed = new Set<string | undefined>();
  const watch = new MutationObserver((records) => {
    for (const { target } of records) {
      const near = target instanceof Element ? target : target.parentElement;
      changed.add(near?.closest<HTMLElement>("[data-box]")?.dataset["box"]);
    }
  });
  const everything = { childList: true, characterData: true, attributes: true };
  watch.observe(container, { subtree: true, ...everything });
  of("total-9").total.value = 125000;
  of("single-4").own.value = [{ amount: 100, state: "draft" }];
  await drawn();
  await vi.waitFor(() => expect(changed).toEqual(new Set(["total-9", "single-4"])));
  watch.disconnect();
  expect(container.querySelector('[data-box="total-9"] .layout-total')?.textContent).toBe("1.25K");
});

test("arrow keys go over the layout as it lies, and one area alone takes the tab key", () => {
  const { container } = render(<Layout layout={LAYOUT} odds={ODDS} boxes={of} />);
  const buttons = [...container.querySelectorAll<HTMLButtonElement>("button[data-box]")];
  const go = (key: string) => {
    fireEvent.keyDown(document.activeElement ?? container, { key });
    return buttons.indexOf(document.activeElement as HTMLButtonElement);
  };
  buttons[0]?.focus();
  expect(go("ArrowRight")).toBe(1);
  expect(go("ArrowRight")).toBe(2);
  expect(go("ArrowRight")).toBe(2);
  expect(go("ArrowDown")).toBe(4);
  expect(go("ArrowLeft")).toBe(3);
  expect(go("ArrowUp")).toBe(0);
  expect(go("End")).toBe(2);
  expect(go("Home")).toBe(0);
  expect(buttons.map((each) => each.tabIndex)).toEqual([0, -1, -1, -1, -1]);
});

test("a press bets, and Delete takes back; focus stays where it was", async () => {
  const [pressed, back] = [vi.fn<(box: string) => void>(), vi.fn<(box: string) => void>()];
  const layout = (lit: ReadonlySet<string>) => (
    <Layout layout={LAYOUT} odds={ODDS} boxes={of} lit={lit} onPress={pressed} onTakeBack={back} />
  );
  const { container, rerender } = render(layout(new Set()));
  const nine = container.querySelector<HTMLButtonElement>('[data-box="total-9"]');
  nine?.focus();
  nine?.click();
  fireEvent.keyDown(nine ?? container, { key: "Delete" });
  expect(pressed.mock.calls).toEqual([["total-9"]]);
  expect(back.mock.calls).toEqual([["total-9"]]);
  of("total-9").own.value = [{ amount: 100, state: "draft" }];
  rerender(layout(new Set(["big"])));
  await drawn();
  expect(document.activeElement).toBe(nine);
  expect(names(container)[2]).toBe("Big, pays 1 to 1, wins");
});

test("the chips of a box that is printed twice lie where the first was put", async () => {
  const put = (box: string) => {
    of(box).own.value = [{ amount: 100, state: "draft" }];
  };
  const { container } = render(<Layout layout={LAYOUT} odds={ODDS} boxes={of} onPress={put} />);
  const [first, second] = [...container.querySelectorAll<HTMLButtonElement>('[data-box="big"]')];
  second?.click();
  await drawn();
  expect(first?.querySelector(".chip")).toBeNull();
  expect(second?.querySelector(".chip")).not.toBeNull();
  expect(first?.getAttribute("aria-label")).toContain("1.00 put down, not yet sent");
});

test("why a bet was refused stands next to its box, and is announced", async () => {
  const { container, getByRole } = render(<Layout layout={LAYOUT} odds={ODDS} boxes={of} />);
  const status = getByRole("status", { name: "Refused bets" });
  expect(status.textContent).toBe("");
  of("single-4").refused.value = "The stake is below the minimum of 10.00.";
  await drawn();
  expect(status.textContent).toBe("Single 4 The stake is below the minimum of 10.00.");
  const bubble = container.querySelector<HTMLElement>(".layout-bubble");
  const area = container.querySelector<HTMLElement>('[data-box="single-4"]');
  expect(bubble?.style.gridArea).toBe(area?.style.gridArea);
  of("single-4").refused.value = null;
  await drawn();
  expect(status.textContent).toBe("");
});

test("i opens the details of a box, Escape closes them and gives the focus back", async () => {
  of("small").own.value = [{ amount: 500, state: "registered" }];
  const limits = () => ({ minimum: 1000, maximum: 500000 });
  const { container, getByRole, queryByRole } = render(
    <Layout layout={LAYOUT} odds={ODDS} boxes={of} limits={limits} onPress={() => undefined} />,
  );
  const small = container.querySelector<HTMLButtonElement>('[data-box="small"]');
  small?.focus();
  fireEvent.keyDown(small ?? container, { key: "i" });
  await drawn();
  const dialog = getByRole("dialog", { name: "Small" });
  for (const words of ["Odds1 to 1", "35/72 (48.61%)", "1/36 (2.78%)", "Tai Sai, 4.1.1"])
    expect(dialog.textContent).toContain(words);
  expect(dialog.textContent).toContain("$10.00 to $5,000.00");
  expect(dialog.textContent).toContain("Your bet$5.00");
  await vi.waitFor(() => expect(document.activeElement).toBe(dialog));
  fireEvent.keyDown(dialog, { key: "Escape" });
  await drawn();
  expect(queryByRole("dialog")).toBeNull();
  expect(document.activeElement).toBe(small);
});

test("without a press the layout explains, and on a wall it does neither", async () => {
  const { container, queryByRole, rerender } = render(
    <Layout layout={LAYOUT} odds={ODDS} boxes={of} />,
  );
  container.querySelector<HTMLButtonElement>('[data-box="big"]')?.click();
  await drawn();
  expect(queryByRole("dialog")).not.toBeNull();
  rerender(<Layout layout={LAYOUT} odds={ODDS} boxes={of} still />);
  expect(container.querySelectorAll("button")).toHaveLength(0);
  expect(container.querySelectorAll('[role="img"][data-box]')).toHaveLength(5);
});

test("a finger that holds an area asks, and does not bet", async () => {
  vi.useFakeTimers();
  const pressed = vi.fn<(box: string) => void>();
  const opened = vi.fn<(box: string) => void>();
  const { container } = render(
    <Layout layout={LAYOUT} odds={ODDS} boxes={of} onPress={pressed} onDetails={opened} />,
  );
  const big = container.querySelector<HTMLButtonElement>('[data-box="big"]');
  const touch = { pointerType: "touch", clientX: 5, clientY: 5 };
  fireEvent.pointerDown(big ?? container, touch);
  vi.advanceTimersByTime(600);
  fireEvent.pointerUp(big ?? container, touch);
  big?.click();
  expect(opened.mock.calls).toEqual([["big"]]);
  expect(pressed).not.toHaveBeenCalled();
  big?.click();
  expect(pressed.mock.calls).toEqual([["big"]]);
  vi.useRealTimers();
});

test("the easy view has each common box once, in the order of the pay table", () => {
  const { container } = render(<Layout layout={LAYOUT} odds={ODDS} boxes={of} mode="easy" />);
  const boxes = [...container.querySelectorAll<HTMLElement>("button[data-box]")];
  expect(boxes.map((each) => each.dataset["box"])).toEqual(["small", "big", "total-9", "single-4"]);
});
