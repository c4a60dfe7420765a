import { act, fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, expect, test, vi } from "vitest";

import type { RulebookContent } from "../../answers.ts";
import type { ChipTable } from "../../live/index.ts";
import type { AnyEvent, Role } from "../../protocol.ts";
import { NoticeNow } from "../../shell/notices.tsx";
import { loadWords } from "../../words/words.ts";
import { Board } from "../board.ts";
import { AT, FakeServer, chipTable, player, refused, registered, step, steps, view } from "../fakes.ts";
import { MoneyForms, TableMoney } from "./index.tsx";

await loadWords("console", "layout", "recording");

afterEach(() => void vi.useRealTimers());

interface Shown {
  readonly phase?: string;
  readonly role?: Role;
}

function shown(table: ChipTable | null, { phase = "ready", role = "dealer" }: Shown = {}) {
  const server = new FakeServer();
  server.chipTable.value = table;
  server.view.value = view({ form: "chips", phase });
  const board = new Board(server.link, "T1");
  render(
    <>
      <TableMoney board={board} role={role} />
      <MoneyForms board={board} />
    </>,
  );
  const happened = (event: AnyEvent): void => {
    act(() => {
      board.log.value = [{ key: String(board.log.value.length), at: AT, event, line: { sentences: [] } }, ...board.log.value];
    });
  };
  return { server, board, happened };
}

/** The part of a rulebook that says whether a bet may be corrected. */
function rules(corrections_clause: string | null): RulebookContent {
  const settlement = { corrections_clause };
  const procedure = { settlement, tumble: { cover: "open" } };
  return { irregularities: [], procedure } as unknown as RulebookContent;
}

const DAY = { date: "2026-11-16", opening: 200_000, fills: 50_000, credits: 0, drop: 0, in_box: 77_700 };
const part = (name: string): HTMLElement => screen.getByRole("region", { name });

test("nothing is shown of a table before the server has sent of it", () => {
  shown(null);
  screen.getByText(/Seats and chips are shown/);
});

test("a free seat is taken, and why it cannot be is said beside it", async () => {
  const { server } = shown(chipTable([player("1", "red")], [], { day: DAY }));
  fireEvent.click(within(part("Seats")).getByRole("radio", { name: /^Seat 3/ }));
  server.answer = refused("the table is closed", null);
  fireEvent.click(await screen.findByRole("button", { name: "Take seat 3" }));
  await screen.findByText("The table is closed");
  expect(server.sent).toEqual([{ type: "TakeSeat", seat: "3" }]);
});

test("a seat offers what its player can do: a colour to who has none, pieces to who has one", async () => {
  shown(chipTable([player("1", "red"), player("2", null)], [], { day: DAY }));
  fireEvent.click(screen.getByRole("radio", { name: /^Seat 2/ }));
  await screen.findByRole("button", { name: "Give a colour…" });
  expect(screen.queryByRole("button", { name: "Convert…" })).toBeNull();
  fireEvent.click(screen.getByRole("radio", { name: /^Seat 1/ }));
  await screen.findByRole("button", { name: "Convert…" });
  expect(screen.queryByRole("button", { name: "Give a colour…" })).toBeNull();
});

test("a form opens from its button, asks the server, and is closed when it was registered", async () => {
  const { server } = shown(chipTable([player("1", "red")], [], { day: DAY }));
  fireEvent.click(screen.getByRole("radio", { name: /^Seat 1/ }));
  fireEvent.click(await screen.findByRole("button", { name: "Give the colour back…" }));
  const dialog = await screen.findByRole("dialog", { name: "Seat 1 gives Red back" });
  server.answer = registered();
  fireEvent.submit(dialog.querySelector("form") as HTMLFormElement);
  await act(async () => await Promise.resolve());
  expect(server.sent).toEqual([{ type: "ReleaseColour", seat: "1" }]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a form whose player has left is gone, and says so", async () => {
  const { server, board } = shown(chipTable([player("1", "red")], [], { day: DAY }));
  render(<NoticeNow />);
  fireEvent.click(screen.getByRole("radio", { name: /^Seat 1/ }));
  fireEvent.click(await screen.findByRole("button", { name: "Give the colour back…" }));
  await screen.findByRole("dialog", { name: "Seat 1 gives Red back" });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  act(() => {
    server.chipTable.value = chipTable([], [], { day: DAY });
  });
  act(() => void vi.advanceTimersByTime(1_000));
  expect(screen.queryByRole("dialog")).toBeNull();
  screen.getByText("What this form was about is over: it was closed, and nothing was sent.");
  expect(board.money.value).toBeNull();
  expect(server.sent).toEqual([]);
});

test("a closed table changes chips back and lets players go; nobody sits down or buys", async () => {
  shown(chipTable([player("1", "red")], [], { day: DAY }), { phase: "closed" });
  screen.getByText(/The table is closed: whoever still sits here/);
  fireEvent.click(screen.getByRole("radio", { name: /^Seat 2/ }));
  await screen.findByRole("radio", { name: /^Seat 2/, checked: true });
  expect(screen.queryByRole("button", { name: "Take seat 2" })).toBeNull();
  fireEvent.click(screen.getByRole("radio", { name: /^Seat 1/ }));
  await screen.findByRole("button", { name: "Convert…" });
  screen.getByRole("button", { name: "Leave…" });
  expect(screen.queryByRole("button", { name: /^Buy/ })).toBeNull();
});

test("who walked away has nothing more to do at the table", async () => {
  shown(chipTable([player("1", null, { away: true, staked: 500 })], [], { day: DAY }));
  fireEvent.click(screen.getByRole("radio", { name: /^Seat 1/ }));
  await screen.findByText(/walked away from bets/);
  expect(screen.queryByRole("button", { name: "Buy chips…" })).toBeNull();
});

test("the rack is drawn with its counts and sums, but not where it is about to be counted", () => {
  const table = chipTable([], [], { day: DAY });
  const { server } = shown(table);
  const rack = part("Rack");
  within(rack).getByText("20 × 25.00");
  within(rack).getByText("500.00");
  within(rack).getByText("$2,800.00");
  act(() => {
    server.view.value = view({ form: "chips", phase: "closed" });
    server.chipTable.value = { ...table, rack: null, rack_value: null };
  });
  expect(within(part("Rack")).queryByText("$2,800.00")).toBeNull();
  within(part("Rack")).getByText(/counted without being shown/);
});

test("the display rack tells each colour by name, whose it is and at what value", () => {
  shown(chipTable([player("1", "red", { value: 500 })], [], { day: DAY, colours: { red: 180, blue: 300 } }));
  const [red, blue] = within(part("Display rack")).getAllByRole("listitem");
  expect(red?.textContent).toContain("RedSeat 1, at $5.00180 in the rack");
  expect(blue?.textContent).toContain("Bluefree300 in the rack");
});

test("without a gaming day the opening count comes first; a refused one says why and does nothing", () => {
  const { server } = shown(chipTable([]), { phase: "closed", role: "supervisor" });
  const heading = screen.getAllByRole("heading", { level: 2 })[0];
  expect(heading?.textContent).toBe("Gaming day");
  act(() => {
    server.steps.value = steps([step("OpenDay", "refused", { sentence: "a dealer may not do this" })]);
  });
  const count = screen.getByRole("button", { name: "Opening count…" });
  expect(count.getAttribute("aria-disabled")).toBe("true");
  screen.getByText("A dealer may not do this");
  fireEvent.click(count);
  expect(screen.queryByRole("dialog")).toBeNull();
  act(() => {
    server.steps.value = steps([step("OpenDay", "next")]);
  });
  fireEvent.click(screen.getByRole("button", { name: "Opening count…" }));
  screen.getByRole("dialog", { name: "Open the gaming day" });
});

test("the step of a count opens its form, wherever one looks at the moment", () => {
  // No server answers HTTP here.
  vi.stubGlobal("fetch", () => new Promise<Response>(() => undefined));
  const { board } = shown(chipTable([]), { phase: "closed", role: "supervisor" });
  const end = board.follow();
  act(() => board.desk.take(step("OpenDay", "next", { fields: ["date", "count"] })));
  expect(board.panel.value).toBe("money");
  screen.getByRole("dialog", { name: "Open the gaming day" });
  end();
  vi.unstubAllGlobals();
});

test("a gaming day shows what was counted in, fills on their way, and never what should be in the box", () => {
  shown(chipTable([], [], { day: DAY, fills: [{ name: "cage-7", amount: 50_000 }] }));
  const day = part("Gaming day 2026-11-16");
  expect(day.textContent).toContain("Opening$2,000.00");
  expect(day.textContent).toContain("cage-7 $500.00");
  expect(day.textContent).not.toContain("777");
  within(day).getByText(/The closing count comes when the table is closed/);
  fireEvent.click(within(day).getByRole("button", { name: "Receive…" }));
  screen.getByRole("dialog", { name: "Receive the fill" });
});

test("what a count came to, and how far it is from the books, is shown afterwards", () => {
  const { happened } = shown(chipTable([], [], { day: DAY }), { phase: "closed" });
  happened({ type: "DropCounted", cash: 30_000, chips: 1_000, expected: 31_500, by: "bo" });
  screen.getByText(/\$300\.00 in cash, \$10\.00 in chips for value\. The books say \$315\.00: \$5\.00 is missing\./);
  happened({ type: "DayOpened", date: "2026-11-16", count: [], amount: 200_000, expected: 200_000, by: "bo" });
  screen.getByText(/Counted at the opening: \$2,000\.00\. The books say \$2,000\.00 too\./);
});

test("a closed day shows its win written out, as the server sent it", () => {
  const { happened } = shown(chipTable([]), { phase: "closed" });
  happened({
    type: "DayClosed",
    date: "2026-11-16",
    count: [],
    closing: 95_000,
    expected: 96_000,
    opening: 200_000,
    fills: 0,
    credits: 10_000,
    drop: 20_000,
    win: -75_000,
    by: "bo",
  });
  screen.getByText(/Counted: \$950\.00\. The books say \$960\.00: \$10\.00 is missing\./);
  expect(document.querySelector(".money-win")?.textContent).toContain("= Win-750.00");
});

test("the chips that the server chose for a conversion are shown to whoever hands them out", async () => {
  const { happened } = shown(chipTable([player("1", "red")], [], { day: DAY }));
  fireEvent.click(screen.getByRole("radio", { name: /^Seat 1/ }));
  const chips = [[10_000, 2], [500, 2]] as const;
  happened({ type: "ColourConverted", seat: "1", colour: "red", count: 21, amount: 21_000, chips, by: "bo" });
  const handed = await screen.findByText(/Handed out:/);
  expect(within(handed).getByRole("img").getAttribute("aria-label")).toMatch(/2.*\$100\.00.*2.*\$5\.00/);
});

test("a reversal is shown as lists: collect first, then return, until bets are open again", () => {
  const recovering = [{ name: "1", amount: 5_000 }];
  const { happened, server } = shown(chipTable([player("1", null), player("2", null)], [], { day: DAY, recovering }));
  happened({
    type: "RoundsReversed",
    first: 3,
    last: 4,
    rounds: [3, 4],
    netted: [["1", 0, 5_000, 0, 0], ["2", 2_500, 0, 0, 0]],
    clause: "5.6",
    note: "damaged",
    at: 1_000,
    gone: [["6@3", 1_000, 0, 0, 0], ["5@4", 0, 2_000, 500, 0]],
    part: 1,
    parts: 1,
  });
  const lists = within(part("Rounds 3 to 4 were reversed"));
  expect(lists.getAllByRole("list").map((each) => each.textContent)).toEqual([
    "Seat 1 $50.00Say what came of it…Seat 5, session 4 $20.00",
    "Seat 2 $25.00",
    "Seat 6, session 3 $10.00",
  ]);
  act(() => {
    server.chipTable.value = chipTable([player("1", null), player("2", null)], [], { day: DAY });
  });
  lists.getByText("✓ recorded");
  happened({ type: "BetsOpened", words: "Place your bets", clause: "3.2", by: "bo" });
  expect(screen.queryByRole("region", { name: /reversed/ })).toBeNull();
});

test("a reversal that does not say whose money it moves is not told as nothing to do", () => {
  const { happened } = shown(chipTable([], [], { day: DAY }));
  const none = { netted: [], gone: [], clause: "5.6", note: "damaged", at: 1_000 };
  happened({ type: "RoundsReversed", first: 3, last: 3, rounds: [3], part: 1, parts: 1, ...none });
  expect(screen.queryByRole("region", { name: /reversed/ })).toBeNull();
});

test("a large reversal that comes in parts is one list", () => {
  const { happened } = shown(chipTable([player("1", null), player("2", null)], [], { day: DAY }));
  const both = { type: "RoundsReversed", first: 3, last: 4, clause: "5.6", note: "damaged", at: 1_000, parts: 2 } as const;
  happened({ ...both, rounds: [3], netted: [["1", 2_500, 0, 0, 0], ["2", 500, 0, 0, 0]], gone: [], part: 1 });
  happened({ ...both, rounds: [4], netted: [], gone: [["6@3", 1_000, 0, 0, 0]], part: 2 });
  const lists = within(part("Rounds 3 to 4 were reversed"));
  expect(lists.getAllByRole("list").map((each) => each.textContent)).toEqual([
    "",
    "Seat 1 $25.00Seat 2 $5.00",
    "Seat 6, session 3 $10.00",
  ]);
});

test("a bet is put right only by who may, where the rules know a case, and while bets lie closed", () => {
  const stacks = [{ seat: "1", box: "small", amount: 500, chips: [[500, 1]], oral: false }] as const;
  const table = chipTable([player("1", null)], stacks, { day: DAY });
  const { board, server } = shown(table, { phase: "betting", role: "supervisor" });
  expect(screen.queryByRole("region", { name: "Put a bet right" })).toBeNull();
  act(() => {
    board.desk.rules.value = rules("4.9");
  });
  screen.getByText(/Between the close of bets and the settlement/);
  act(() => {
    server.view.value = view({ form: "chips", phase: "result" });
  });
  fireEvent.click(screen.getByRole("button", { name: "Put a bet right…" }));
  screen.getByRole("dialog", { name: "Put a bet right" });
});

test("a dealer is told who puts a bet right", () => {
  const { board } = shown(chipTable([], [], { day: DAY }), { phase: "result" });
  act(() => {
    board.desk.rules.value = rules("4.9");
  });
  screen.getByText("A supervisor or the pit does this.");
  act(() => {
    board.desk.rules.value = rules(null);
  });
  expect(screen.queryByRole("region", { name: "Put a bet right" })).toBeNull();
});

test("what is kept is listed with who pays it, and what is to be recovered is listed", () => {
  const table = chipTable([], [], {
    day: DAY,
    unclaimed: [{ name: "3@12", amount: 16_500 }],
    recovering: [{ name: "5", amount: 8_000 }],
  });
  shown(table);
  const kept = part("Kept for players");
  expect(kept.textContent).toContain("Seat 3, session 12 $165.00");
  within(kept).getByText("The cage pays it against the session’s code.");
  expect(kept.textContent).toContain("Seat 5 $80.00");
});
