import { signal } from "@preact/signals";
import { act, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Link, LiveTable } from "../live/index.ts";
import type { AnyPublicEvent, TableView } from "../protocol.ts";
import { followLine } from "../shell/index.ts";
import { language, loadWords } from "../words/words.ts";
import { LostLine } from "./lost_line.tsx";
import { Wall } from "./table_wall.tsx";
import { watch } from "./table_feed.ts";
import { VenueWall, WallTable } from "./venue_wall.tsx";

const NOW = 1_794_803_228_232;

const VIEW: TableView = {
  table: "T1",
  currency: "SGD",
  phase: "betting",
  round: 214,
  tumbler: "simulated",
  rulebook: { key: "tso5", title: "Tai Sai (Open Cover)", version: "5", sha256: "c1", pay_table: "tso5/3" },
  limits: { minimum: 100, maximum: 500_000, differential: 1_000_000 },
  operator: null,
  apart: [],
  put_away: [],
  sign: [{ name: "triple", minimum: 500, maximum: 10_000 }],
  totals: {},
  terminals: 40,
  tumbled: false,
  uncovered: false,
  faces: null,
  call: null,
  winners: [], tested: null, lit: [],
  notice_given: false,
  stopped: null,
  doubts: [],
  waiting: false,
  commitment: null,
  rounds: { 213: { round: 213, faces: [2, 2, 5], void: false, total: 9, size: "small", parity: "odd" } },
  form: "terminals",
  seats: 0,
  taken: [],
  marked: [],
  paying: false,
  interrupted: false,
};

const ANSWERS: Readonly<Record<string, unknown>> = {
  "/api/words/en": { language: "en", boxes: { small: "Small", odd: "Odd" }, kinds: { triple: "Triple" }, irregularities: {} },
  "/api/words/zh-Hans": { language: "zh-Hans", boxes: {}, kinds: {}, irregularities: { "die-not-flat": "骰子没有平放" } },
  "/api/rulebooks/tso5?sha256=c1": { procedure: { tumble: { cover: "open" } } },
  "/api/tables/T1/statistics?language=en": {
    rounds: 213,
    clause: "5.11",
    note: "information only",
    hot: [{ box: "small", name: "Small", seen: 120, expected: { exact: "1", rounded: "103.5" } }],
    cold: [{ box: "odd", name: "Odd", seen: 1, expected: { exact: "1", rounded: "5.1" } }],
  },
};

/** A table as the socket would send it, changed by the tests. */
function tableAt(first: Partial<TableView> = {}) {
  const view = signal<TableView | null>({ ...VIEW, ...first });
  const suspended = signal(false);
  const closesAt = signal<number | null>(NOW + 9_400);
  const listeners = new Set<(event: AnyPublicEvent) => void>();
  const onEvent = (listener: (event: AnyPublicEvent) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const picture = { name: "T1", view, suspended, closesAt, onEvent } as unknown as LiveTable;
  const link = { now: () => NOW, table: () => picture, leave: vi.fn() } as unknown as Link;
  const watched = watch(link, "T1");
  const happen = (event: Partial<AnyPublicEvent>, changes: Partial<TableView> = {}): void => {
    act(() => {
      view.value = { ...(view.peek() ?? VIEW), ...changes };
      for (const listener of listeners) listener(event as AnyPublicEvent);
    });
  };
  return { link, watched, view, suspended, closesAt, happen };
}

const pass = (ms: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
const settle = () => pass(0);
const matter = (): string | undefined => document.querySelector<HTMLElement>(".wall")?.dataset["matter"];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
  vi.stubGlobal("fetch", (address: string) => {
    const answer = ANSWERS[address];
    return Promise.resolve(new Response(JSON.stringify(answer ?? {}), { status: answer === undefined ? 404 : 200 }));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("while bets are open the seconds dominate, between limits that are all shown", async () => {
  const { watched } = tableAt();
  render(<Wall watched={watched} />);
  await settle();
  expect(matter()).toBe("betting");
  expect(screen.getByRole("heading", { name: "Place your bets" })).toBeTruthy();
  expect(screen.getByRole("timer", { name: "10 seconds left" }).textContent).toContain("10");
  const limits = screen.getByRole("group", { name: "Limits" });
  expect(limits.textContent).toContain("Minimum1");
  expect(limits.textContent).toContain("Maximum5,000");
  expect(limits.textContent).toContain("Differential10,000");
  expect(limits.textContent).toContain("Triple 5 to 100");
  expect(screen.getByText("Tai Sai (Open Cover), version 5")).toBeTruthy();
  expect(screen.getByText("Round 214")).toBeTruthy();
});

test("what the rulebook is not approved for is on the wall: by which paper, or that it is a demo", async () => {
  const apart = [
    { aspect: "form", approved_by: "The Authority", reference: "letter 7" },
    { aspect: "dice", approved_by: "The Authority", reference: "letter 8" },
  ];
  const { watched, view } = tableAt({ operator: "The House", apart });
  render(<Wall watched={watched} />);
  await settle();
  expect(screen.getByText("By written departure: form of table (The Authority, letter 7), source of dice (The Authority, letter 8)")).toBeTruthy();
  act(() => {
    view.value = { ...VIEW, apart: [{ aspect: "operator", approved_by: null, reference: null }] };
  });
  expect(screen.getByText("Demo: played outside its approval (operator)")).toBeTruthy();
});

test("a sign that does not fit takes turns; those who listen have the whole of it", async () => {
  const names = ["small", "big", "odd", "even", "triple", "total-4", "total-5", "total-6"];
  const sign = names.map((name, place) => ({ name, minimum: 100, maximum: 10_000 + 100 * place }));
  const { watched } = tableAt({ sign });
  render(<Wall watched={watched} />);
  await settle();
  const limits = screen.getByRole("group", { name: "Limits" });
  const shown = () => [...limits.querySelectorAll(".wall-own strong")].map((each) => each.textContent);
  expect(shown()).toEqual(["1 to 100", "1 to 101", "1 to 102", "1 to 103"]);
  expect(limits.textContent).toContain("1 of 2");
  await pass(8_000);
  expect(shown()).toEqual(["1 to 104", "1 to 105", "1 to 106", "1 to 107"]);
  const heard = [...limits.querySelectorAll(".unseen dd")].map((each) => each.textContent);
  expect(heard).toHaveLength(8);
});

test("the last seconds are shown by words and blocks too", async () => {
  const { watched, closesAt } = tableAt();
  closesAt.value = NOW + 2_500;
  render(<Wall watched={watched} />);
  await settle();
  expect(screen.getByRole("heading", { name: "Last bets" })).toBeTruthy();
  expect(document.querySelectorAll(".wall-block")).toHaveLength(5);
  expect(document.querySelectorAll(".wall-block-gone")).toHaveLength(2);
});

test.each([
  [false, "The dice are tumbled and covered"],
  [true, "The dice are tumbled and uncovered"],
])("a wall that is opened after the tumble says what it shows too (uncovered: %s)", async (uncovered, sentence) => {
  const { watched } = tableAt({ phase: "no-more-bets", tumbled: true, uncovered });
  render(<Wall watched={watched} />);
  await settle();
  expect(screen.getByText(sentence)).toBeTruthy();
  expect(document.querySelector(".tumbler-covered") !== null).toBe(!uncovered);
  expect(document.querySelector(".tumbler-rolling")).toBeNull();
});

test("no more bets, the tumble in view, the dice with their call, then the winners by name", async () => {
  const { watched, happen } = tableAt();
  render(<Wall watched={watched} />);
  await settle();
  happen({ type: "BetsClosed", bell: false }, { phase: "no-more-bets" });
  expect(matter()).toBe("closed");
  expect(screen.getByRole("heading", { name: "No More Bets" })).toBeTruthy();
  expect(screen.getByText("The dice are not tumbled yet")).toBeTruthy();
  expect(document.querySelector(".tumbler-rolling"), "nothing tumbles that is not recorded").toBeNull();
  happen({ type: "TumbleRecorded", times: 3 }, { tumbled: true, uncovered: true });
  await settle();
  expect(screen.getByText("The dice are tumbled and uncovered")).toBeTruthy();
  expect(document.querySelector(".tumbler-rolling")).not.toBeNull();
  expect(document.querySelector(".tumbler-lifted"), "the cover is open").not.toBeNull();
  const faces = [1, 3, 3] as const;
  const call = "1, double 3, total 7";
  happen({ type: "ResultEntered", faces, call, total: 7 }, { phase: "result", faces, call });
  happen({ type: "ResultConfirmed", faces, winners: ["small", "odd"] }, { phase: "confirmed", winners: ["small", "odd"] });
  expect(matter(), "each scene is seen before the next").toBe("closed");
  await pass(1_500);
  expect(matter()).toBe("result");
  expect(screen.getByRole("img", { name: call })).toBeTruthy();
  await pass(1_000);
  expect(matter()).toBe("lit");
  const winners = screen.getByRole("list", { name: "Winning boxes" });
  expect(within(winners).getAllByRole("listitem").map((each) => each.textContent)).toEqual(["◆ Small", "◆ Odd"]);
});

test("the roads do not tell the dice before the screen has shown them", async () => {
  const { watched, happen } = tableAt();
  render(<Wall watched={watched} />);
  await settle();
  const faces = [1, 3, 3] as const;
  const newest = { round: 214, faces, void: false, total: 7, size: "small", parity: "odd" } as const;
  happen({ type: "BetsClosed", bell: false }, { phase: "no-more-bets" });
  happen({ type: "ResultEntered", faces, call: "", total: 7 }, { phase: "result", faces });
  happen({ type: "RoundSettled", round: 214, faces, odds: {}, total: 7 }, { phase: "ready", rounds: { ...VIEW.rounds, [newest.round]: newest } });
  const last = () => document.querySelector(".strip .unseen")?.textContent;
  expect(last()).toContain("Round 213");
  await pass(4_000);
  expect(matter()).toBe("over");
  expect(last()).toContain("Round 214");
});

const CHIP_TABLE = {
  form: "chips",
  seats: 9,
  taken: ["10", "2", "3"],
  marked: [
    { colour: "pink", seat: "10", value: 500 },
    { colour: "blue", seat: "2", value: 2_500 },
    { colour: "sand", seat: "3", value: 150_000 },
  ],
} as const;

test("a chip table has its display rack: each colour by name, what a piece is worth, and whose it is", async () => {
  const { watched, happen } = tableAt(CHIP_TABLE);
  render(<Wall watched={watched} />);
  await settle();
  const rack = screen.getByRole("region", { name: "Display rack" });
  expect(within(rack).getByText("3 of 9 seats taken")).toBeTruthy();
  const colours = () => within(rack).getAllByRole("listitem").map((each) => each.textContent);
  expect(colours(), "in the order of the seats").toEqual([
    "25Blue25 a pieceSeat 2",
    "1.5Ksand1,500 a pieceSeat 3",
    "5Pink5 a pieceSeat 10",
  ]);
  happen({ type: "SeatLeft", seat: "2" }, { taken: ["10", "3"], marked: CHIP_TABLE.marked.slice(2) });
  expect(colours()).toHaveLength(1);
  happen({ type: "ColourReleased", colour: "sand" }, { marked: [] });
  expect(within(rack).getByText("No colour is in use.")).toBeTruthy();
});

test("more colours than can be read at once take turns, and say so", async () => {
  const marked = Array.from({ length: 9 }, (_, seat) => ({ colour: `c${seat}`, seat: String(seat), value: 500 }));
  const { watched } = tableAt({ ...CHIP_TABLE, marked });
  render(<Wall watched={watched} />);
  await settle();
  const rack = screen.getByRole("region", { name: "Display rack" });
  const colours = () => within(rack).getAllByRole("listitem").map((each) => each.querySelector("strong")?.textContent);
  expect(rack.textContent).toContain("1 of 2");
  expect(colours()).toEqual(["c0", "c1", "c2", "c3", "c4"]);
  await pass(8_000);
  expect(rack.textContent).toContain("2 of 2");
  expect(colours()).toEqual(["c5", "c6", "c7", "c8"]);
});

test("while winners are paid at a layout no bets are taken, and the dice stay to be seen", async () => {
  const { watched, happen } = tableAt({ ...CHIP_TABLE, phase: "confirmed", faces: [1, 3, 3], call: "1, double 3, total 7" });
  render(<Wall watched={watched} />);
  await settle();
  await pass(5_000);
  expect(matter()).toBe("lit");
  happen({ type: "LosersCollected", round: 214 }, { paying: true });
  expect(matter()).toBe("paying");
  expect(screen.getByRole("heading", { name: "No bets yet" })).toBeTruthy();
  expect(screen.getByText("Winners are being paid: no bets yet")).toBeTruthy();
  expect(screen.getByRole("img", { name: "1, double 3, total 7" })).toBeTruthy();
  happen({ type: "RoundSettled", round: 214, faces: [1, 3, 3], odds: {}, total: 7 }, { phase: "ready", paying: false });
  await pass(20_000);
  expect(matter()).toBe("over");
});

test("a table without a layout has no rack", async () => {
  const { watched } = tableAt();
  render(<Wall watched={watched} />);
  await settle();
  expect(screen.queryByRole("region", { name: "Display rack" })).toBeNull();
});

test("a void round says why, with its clause", async () => {
  const { watched, happen } = tableAt();
  render(<Wall watched={watched} />);
  await settle();
  happen({ type: "RoundVoided", round: 214, sentence: "a die does not lie flat", clause: "5.5" }, { phase: "ready" });
  expect(matter()).toBe("void");
  expect(screen.getByText("a die does not lie flat")).toBeTruthy();
  expect(screen.getByText("Clause 5.5")).toBeTruthy();
  expect(screen.queryByText(/goes back/), "its sentence says so already").toBeNull();
});

test("a void round is told in the language that one changes to, by its name", async () => {
  const { watched, happen } = tableAt();
  render(<Wall watched={watched} />);
  await settle();
  happen(
    { type: "RoundVoided", round: 214, code: "die-not-flat", sentence: "a die does not lie flat", clause: "5.5" },
    { phase: "ready" },
  );
  await loadWords("display", "layout", "roads");
  await act(async () => {
    language.value = "zh-Hans";
    await loadWords("display", "layout", "roads");
  });
  await settle();
  expect(screen.queryByText("a die does not lie flat")).toBeNull();
  expect(screen.getByText("骰子没有平放")).toBeTruthy();
  expect(screen.getByText("本局所有投注全部退回。")).toBeTruthy();
  expect(document.querySelector(".wall-note")?.textContent).toMatch(/。仅供参考：骰子没有记忆。（条款 5.11）$/);
  await act(async () => {
    language.value = "en";
    await loadWords("display", "layout", "roads");
  });
});

test.each([
  ["stopped", { phase: "ready", stopped: "7.4" }, /No further games/],
  ["waiting", { phase: "no-more-bets", waiting: true }, /Two persons/],
  ["in_doubt", { phase: "result", doubts: ["die-not-flat"] }, /supervisor finds out/],
  ["shut", { phase: "closed" }, /takes no bets/],
] as const)("when the table is %s a sentence dominates", async (name, changes, sentence) => {
  const { watched } = tableAt(changes);
  render(<Wall watched={watched} />);
  await settle();
  expect(matter()).toBe(name);
  expect(screen.getByText(sentence).className).toBe("wall-said");
});

test("of several troubles the one that must be over first dominates", () => {
  const all = { waiting: true, doubts: ["die-not-flat"], stopped: "7.4" };
  const { watched, suspended, view } = tableAt({ phase: "ready", ...all });
  suspended.value = true;
  const shown: string[] = [watched.matter.value];
  suspended.value = false;
  for (const over of [{ waiting: false }, { doubts: [] }, { stopped: null }]) {
    shown.push(watched.matter.value);
    view.value = { ...(view.peek() ?? VIEW), ...over };
  }
  expect([...shown, watched.matter.value]).toEqual(["suspended", "waiting", "in_doubt", "stopped", "idle"]);
});

test("a table that stops in a round shows that round first", async () => {
  const { watched, happen } = tableAt();
  happen({ type: "BetsClosed", bell: false }, { phase: "no-more-bets" });
  await settle();
  happen({ type: "TableStopped", clause: "7.4" }, { stopped: "7.4" });
  await settle();
  expect(watched.matter.value).toBe("closed");
});

test("on the wall of all tables nothing tumbles while a round is in doubt", async () => {
  const { watched, happen } = tableAt();
  render(<WallTable watched={watched} />);
  await settle();
  happen({ type: "BetsClosed", bell: false }, { phase: "no-more-bets" });
  happen({ type: "TumbleRecorded", times: 3 }, { tumbled: true });
  expect(document.querySelector(".tumbler-rolling")).not.toBeNull();
  happen({ type: "IrregularityReported", code: "die-not-flat", ruling: "void", clause: null, in_doubt: true }, { doubts: ["die-not-flat"] });
  await settle();
  expect(document.querySelector(".tumbler-rolling")).toBeNull();
});

test("a round that is settled again shows the dice as they were, and what had been entered", async () => {
  const { watched, happen } = tableAt();
  render(<Wall watched={watched} />);
  await settle();
  const settled = { round: 214, faces: [1, 3, 3], void: false, total: 7, size: "small", parity: "odd" } as const;
  const again = { ...settled, faces: [1, 3, 4], total: 8, parity: "even" } as const;
  happen({ type: "ResultEntered", faces: [1, 3, 3], call: "1, double 3, total 7", total: 7 }, { phase: "result", faces: [1, 3, 3] });
  happen({ type: "RoundSettled", round: 214, faces: [1, 3, 3], odds: {}, total: 7 }, { phase: "ready", faces: null, rounds: { 214: settled } });
  await pass(4_000);
  expect(screen.getByRole("img", { name: "1, double 3, total 7" })).toBeTruthy();
  happen({ type: "RoundResettled", before: [1, 3, 3], clause: "5.10", ...again }, { rounds: { 214: again } });
  await settle();
  expect(screen.getAllByRole("img", { name: "Dice: 1, 3, 4" })).not.toHaveLength(0);
  expect(screen.queryByText("1, double 3, total 7")).toBeNull();
  expect(document.querySelector(".wall-amended")?.textContent).toContain("1 3 3");
});

test("a table that is suspended says so, whatever its round", async () => {
  const { watched, suspended } = tableAt();
  render(<Wall watched={watched} />);
  await settle();
  act(() => {
    suspended.value = true;
  });
  expect(matter()).toBe("suspended");
  expect(screen.getByText(/Every bet that is registered is safe/)).toBeTruthy();
});

test("where a person deals there is no countdown", async () => {
  const { watched, closesAt } = tableAt();
  closesAt.value = null;
  render(<Wall watched={watched} />);
  await settle();
  expect(screen.queryByRole("timer")).toBeNull();
  expect(screen.getByText("Until the dealer closes")).toBeTruthy();
});

test("hot and cold are the server's, and for information only", async () => {
  const { watched } = tableAt();
  render(<Wall watched={watched} />);
  await settle();
  const past = screen.getByRole("region", { name: "Past results" });
  expect(past.textContent).toContain("120 times, 103.5 expected");
  expect(past.textContent).toContain("1 time, 5.1 expected");
  expect(past.textContent).toContain("For information only");
  expect(past.textContent).toContain("Clause 5.11");
});

test("on an upright wall the brackets are explained while they are shown, and under no road", async () => {
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: query.startsWith("(max-aspect-ratio") }));
  const { watched } = tableAt();
  render(<Wall watched={watched} />);
  await settle();
  const past = screen.getByRole("region", { name: "Past results" });
  for (const [title, isExplained] of [["Big · Small", false], ["Odd · Even", false], ["More than expected", true]] as const) {
    expect(past.textContent).toContain(title);
    expect(past.textContent.includes("In brackets"), title).toBe(isExplained);
    await pass(10_000);
  }
});

test("on a wall of more tables than it shows at once every page is full", async () => {
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: query === "(max-aspect-ratio: 3/2)" }));
  const { link, view } = tableAt();
  view.value = null;
  const { unmount } = render(<VenueWall link={link} tables={["Crane", "Fern", "Jade", "Lantern", "Willow"]} />);
  const shown = () => screen.getAllByRole("region").map((each) => each.getAttribute("aria-label"));
  expect(shown()).toEqual(["Crane", "Fern", "Jade", "Lantern"]);
  await pass(12_000);
  expect(shown()).toEqual(["Fern", "Jade", "Lantern", "Willow"]);
  await pass(12_000);
  expect(shown()).toEqual(["Crane", "Fern", "Jade", "Lantern"]);
  unmount();
});

test("before the first round there is no strip of dice, nor its room", async () => {
  const { watched, happen } = tableAt({ rounds: {} });
  render(<Wall watched={watched} />);
  await settle();
  expect(document.querySelector(".wall-strip")).toBeNull();
  happen({}, { rounds: VIEW.rounds });
  expect(document.querySelectorAll(".wall-strip .strip-round")).toHaveLength(1);
});

test("a line that is lost is said over everything, once it is worth a word", async () => {
  const status = signal("live");
  const unfollow = followLine({ status, why: signal(null), behind: signal(null) } as unknown as Link);
  render(<LostLine />);
  const banner = () => document.querySelector(".display-lost")?.textContent;
  expect(banner()).toBeUndefined();
  act(() => {
    status.value = "lost";
  });
  expect(banner(), "a blink is not worth it").toBeUndefined();
  await pass(3_000);
  expect(banner()).toContain("The connection to the server is lost");
  act(() => {
    status.value = "live";
  });
  expect(banner()).toBeUndefined();
  unfollow();
});
