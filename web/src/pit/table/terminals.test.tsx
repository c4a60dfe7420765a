import { act, fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { CommandPreview, TerminalMeters } from "../../answers.ts";
import { floorOf } from "../fakes.ts";
import { Terminals } from "./terminals.tsx";

const MONEY = { credits: 35_000, staked: 0, bought: 35_000, cashed: 0, back: 0, corrections: 0 };
const ROW: TerminalMeters = {
  ...{ terminal: "T1-7", place: "seat 7", connected: true, barred: false, failed: false, locked: false },
  ...{ bound: false, session: true, turnover: 0, won: 0, hold: 0 },
  ...MONEY,
};
const PREVIEW: CommandPreview = {
  table: "T1",
  will: [{ sentence: "the session T1-7@3 at terminal T1-7 is ended", clause: null }],
  voids: false,
  accounts: [
    { account: "credits", of: "T1-7", change: -35_000, before: 35_000, after: 0 },
    { account: "unclaimed", of: "T1-7@3", change: 35_000, before: 0, after: 35_000 },
  ],
  ...{ more_will: 0, more_accounts: 0, netted: [], more_netted: 0, shortfall: 0, seconds: [] },
};

let terminals: readonly TerminalMeters[];
let refusal: string | null;
const bodies: Record<string, unknown>[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
  terminals = [ROW];
  refusal = null;
  bodies.length = 0;
  vi.stubGlobal("fetch", (address: string, asked?: RequestInit) => {
    const { pathname } = new URL(address, "http://venue");
    if (typeof asked?.body === "string") bodies.push(JSON.parse(asked.body) as Record<string, unknown>);
    return Promise.resolve(answerTo(pathname));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function answerTo(path: string): Response {
  if (path.startsWith("/api/reports")) return json({ table: "T1", currency: "SGD", terminals });
  if (refusal !== null) {
    return json({ type: "about:blank", title: "Conflict", status: 409, detail: refusal, code: "X" }, 409);
  }
  if (path.endsWith("/preview")) return json(PREVIEW);
  return json({ id: "1", terminal: "T1-7", session: "1234567890123452", amount: 35_000, at: 1 });
}

function json(answer: unknown, status = 200): Response {
  return new Response(JSON.stringify(answer), { status });
}

async function shown(): Promise<void> {
  const { floor } = floorOf("supervisor");
  render(<Terminals floor={floor} name="T1" />);
  await pass();
}

async function pass(): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(300);
  });
}

function note(text: string): void {
  const field = screen.getByLabelText("In your words");
  fireEvent.input(field, { target: { value: text } });
  fireEvent.submit(field.closest("form") as HTMLFormElement);
}

test("ending a session shows first what moves, then the code once it is ended", async () => {
  await shown();
  fireEvent.click(screen.getByRole("button", { name: "End the session at T1-7" }));
  await pass();
  const table = screen.getByRole("table", { name: "What moves" });
  expect(within(table).getAllByRole("row").map((row) => row.textContent)).toEqual([
    "AccountBeforeChangeAfter",
    "Credits of T1-7$350.00−$350.00$0.00",
    "Set aside for T1-7, session 3$0.00+$350.00$350.00",
  ]);
  note("the player has gone");
  await pass();
  screen.getByText("$350.00 is set aside for the player.");
  screen.getByText("1234 5678 9012 3452");
  expect(bodies.at(-1)).toMatchObject({ terminal: "T1-7", note: "the player has gone" });
});

test("why a session cannot be ended is said before and after it is asked for", async () => {
  refusal = "terminal T1-7 has bets on the table";
  await shown();
  fireEvent.click(screen.getByRole("button", { name: "End the session at T1-7" }));
  await pass();
  screen.getByText("Terminal T1-7 has bets on the table");
  note("gone");
  await pass();
  expect(screen.getAllByText(/erminal T1-7 has bets on the table/)).toHaveLength(2);
  expect(screen.queryByText("1234 5678 9012 3452")).toBeNull();
});

test("a terminal out of service says so in words and can be put back, with no session to end", async () => {
  terminals = [{ ...ROW, failed: true, session: false }];
  await shown();
  screen.getByText("out of service");
  screen.getByRole("button", { name: "Put T1-7 back into service" });
  expect(screen.queryByRole("button", { name: "End the session at T1-7" })).toBeNull();
});

test("what marking a terminal as failed would do is asked of the server", async () => {
  await shown();
  fireEvent.click(screen.getByRole("button", { name: "Take T1-7 out of service" }));
  await pass();
  expect(bodies.at(-1)).toEqual({ command: { type: "MarkTerminalFailed", terminal: "T1-7", note: "…" } });
  screen.getByText("The session T1-7@3 at terminal T1-7 is ended");
});
