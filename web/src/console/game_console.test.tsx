import { act, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { SessionView } from "../answers.ts";
import type { PayoutGuide } from "../live/index.ts";
import { NoticeNow } from "../shell/notices.tsx";
import { language, loadWords } from "../words/words.ts";
import { chipTable, FakeServer, player, step, steps, view } from "./fakes.ts";
import { GameConsole } from "./game_console.tsx";

const GUIDE: PayoutGuide = {
  ...{ round: 7, put_back: [], collected: 400, pay: [], paid: 0, wanted: [], parts: [] },
  collect: [{ box: "small", seat: "1", amount: 400, chips: [["red", 4]], change: [] }],
  ...{ more_collect: 0, more_pay: 0, more_parts: 0 },
};
const COLLECT = step("CollectLosers", "next", { label: "Losing bets collected", give: { type: "CollectLosers" } });

// These tests need nothing that is fetched: names, layouts, lists of irregularities.
beforeEach(() => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  Element.prototype.scrollIntoView ??= () => undefined;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The console of a chip table whose losers are to be collected, and a press of its large button. */
function collecting(server: FakeServer): () => boolean {
  server.view.value = view({ form: "chips", phase: "confirmed", seats: 8 });
  server.chipTable.value = chipTable([player("1", "red")], [], { guide: GUIDE });
  server.steps.value = steps([COLLECT], [], "CollectLosers");
  render(<GameConsole link={server.link} who={{ person: "dana", role: "dealer" } as SessionView} table="T1" />);
  return () => fireEvent.click(screen.getAllByRole("button", { name: /Losing bets collected/ })[0] as HTMLElement);
}

test("at a chip table the desk knows which lines of the lists are not ticked off", async () => {
  const server = new FakeServer();
  const go = collecting(server);
  go();
  await screen.findByText(/1 line is not ticked off/);
  expect(server.sent).toEqual([]);
  fireEvent.keyDown(document.body, { key: "t" });
  await expect.poll(() => screen.getByRole("checkbox").getAttribute("aria-checked")).toBe("true");
  go();
  await expect.poll(() => server.sent).toEqual([{ type: "CollectLosers" }]);
});

test("what is not ticked off is said in another language too, where all is sent anew, and is not asked twice", async () => {
  const server = new FakeServer();
  const go = collecting(server);
  go();
  await screen.findByText(/1 line is not ticked off/);
  language.value = "zh-Hans";
  await act(() => loadWords());
  act(() => void (server.view.value = view({ form: "chips", phase: "confirmed", seats: 8 })));
  await screen.findByText(/尚有 1 行未勾选/);
  screen.getByText(/^收取 1 号座位/);
  go();
  await expect.poll(() => server.sent).toEqual([{ type: "CollectLosers" }]);
  language.value = "en";
  await act(() => loadWords());
});

test("what was not ticked off is forgotten when the table has gone on", async () => {
  const server = new FakeServer();
  collecting(server)();
  await screen.findByText(/1 line is not ticked off/);
  act(() => void (server.view.value = view({ form: "chips", phase: "ready", round: 8, seats: 8 })));
  await expect.poll(() => screen.queryByText(/not ticked off/)).toBeNull();
});

test("the form of a step that is refused meanwhile is gone, and says why", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const server = new FakeServer();
  const amend = { label: "Amend the result", fields: ["faces"] };
  server.steps.value = steps([step("AmendResult", "open", amend)]);
  render(<GameConsole link={server.link} who={{ person: "dana", role: "dealer" } as SessionView} table="T1" />);
  render(<NoticeNow />);
  act(() => void fireEvent.click(screen.getByRole("button", { name: "Amend the result" })));
  expect(document.querySelector("form")).not.toBeNull();
  act(() => void (server.steps.value = steps([step("AmendResult", "refused", { ...amend, sentence: "the bets are paid" })])));
  expect(document.querySelector("form")).toBeNull();
  act(() => void vi.advanceTimersByTime(1_000));
  screen.getByText("Amend the result: the form was closed, and nothing was sent. The bets are paid");
  expect(server.sent).toEqual([]);
});
