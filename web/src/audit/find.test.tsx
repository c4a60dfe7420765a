import { act, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, expect, test, vi } from "vitest";

import type { EventView, FoundPage } from "../answers.ts";
import { Find } from "./find.tsx";
import { FindRound } from "./find_round.tsx";
import { venue } from "../shell/index.ts";
import { csvOf } from "./shown_files.tsx";

const AT = 1_794_803_228_232;

function eventOf(version: number): EventView {
  return {
    ...{ at: AT - version, stream: "table/T1", version, event: "BetsRegistered", round: 7, terminal: "T1-2" },
    ...{ role: "terminal", person: "T1-2", order: "1", second: null, second_role: null, clause: null, note: null },
    ...{ summary: `event ${version}`, details: {} },
  };
}

/** A server that gives page after page, and the addresses that it was asked. */
function paging(pages: readonly FoundPage[]): URL[] {
  const asked: URL[] = [];
  vi.stubGlobal("fetch", (address: string) => {
    const url = new URL(address, "http://venue");
    if (url.pathname !== "/api/audit/find") return Promise.resolve(new Response("{}"));
    asked.push(url);
    return Promise.resolve(new Response(JSON.stringify(pages[asked.length - 1])));
  });
  return asked;
}

const settle = () => act(async () => void (await new Promise((done) => setTimeout(done, 20))));

afterEach(() => vi.unstubAllGlobals());

test("what is looked for is asked part by part, until enough is found or all was looked at", async () => {
  const empty = { events: [], before: "5.3.table/T1", back_to: AT - 1_000, examined: 100_000 };
  const last = { events: [eventOf(2), eventOf(1)], before: null, back_to: null, examined: 3 };
  const asked = paging([empty, last]);
  render(<Find />);
  fireEvent.input(screen.getByLabelText("Terminal or seat"), { target: { value: " T1-2 " } });
  fireEvent.input(screen.getByLabelText("Amount from"), { target: { value: "12.50" } });
  fireEvent.click(screen.getByRole("button", { name: "Find" }));
  await settle();
  expect(asked.map((url) => url.searchParams.get("before"))).toEqual([null, "5.3.table/T1"]);
  expect(asked[0]?.searchParams.get("terminal")).toBe("T1-2");
  expect(asked[0]?.searchParams.get("least")).toBe("1250");
  expect(asked[0]?.searchParams.get("person")).toBeNull();
  expect(screen.getByRole("status").textContent).toContain("100,003 events were looked at, all there are.");
  expect(screen.getAllByRole("article").map((each) => each.textContent?.includes("event"))).toEqual([true, true]);
  expect(screen.getByRole("group", { name: "Save what is shown" })).toBeTruthy();
});

test("what is no amount and no voucher is said, and nothing is asked", async () => {
  const asked = paging([]);
  render(<Find />);
  fireEvent.input(screen.getByLabelText("Amount to"), { target: { value: "much" } });
  fireEvent.input(screen.getByLabelText(/Voucher/), { target: { value: "12a" } });
  fireEvent.click(screen.getByRole("button", { name: "Find" }));
  await settle();
  expect(screen.getByText(/This is no amount/)).toBeTruthy();
  expect(screen.getByText(/digits alone/)).toBeTruthy();
  expect(asked).toEqual([]);
});

test("a file has exactly the rows that are shown, and no formula", () => {
  const rows = [
    { name: "=1+1", note: 'say "so"', amount: -5, empty: null },
    { name: "Ada, Lee", note: "two\nlines", amount: 7, empty: null },
  ];
  expect(csvOf(rows)).toBe('name,note,amount,empty\r\n\'=1+1,"say ""so""",-5,\r\n"Ada, Lee","two\nlines",7,\r\n');
  expect(csvOf([])).toBe("\r\n");
});

test("rounds in the list are marked by what was out of the ordinary", async () => {
  const round = { faces: [1, 2, 3], void: false, total: 6, size: "small", parity: "even", call: "1, 2, 3, total 6" };
  vi.stubGlobal("fetch", (address: string) => {
    const marks = { table: "T1", marks: { 8: ["irregular", "amended"], 7: ["reversed"] }, incomplete: false };
    const rounds = { table: "T1", rounds: [{ ...round, round: 9 }, { ...round, round: 8 }, { ...round, round: 7, void: true }], before: null };
    return Promise.resolve(new Response(JSON.stringify(address.includes("/marks") ? marks : rounds)));
  });
  const known = venue as { value: unknown };
  const before = venue.peek();
  known.value = { name: "V", currency: "SGD", demo: true, at: AT, tables: ["T1"], protocol: 1, languages: ["en"], live: "" };
  render(<FindRound />);
  await settle();
  const shown = screen.getAllByRole("link").map((each) => each.textContent);
  expect(shown[0]).not.toMatch(/irregularity|void/);
  expect(shown[1]).toMatch(/▲ irregularity.*✎ amended/);
  expect(shown[2]).toMatch(/↶ reversed/);
  known.value = before;
});
