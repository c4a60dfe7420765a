import { act, fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, expect, test, vi } from "vitest";

import type { EventView, FoundPage } from "../answers.ts";
import { Events } from "./events.tsx";
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

/** A fake server that gives page after page, and records the addresses requested. */
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

/** The files given to the browser to save, each with its name and content. */
function saving(): { readonly files: () => Promise<readonly (readonly [string, string])[]> } {
  const given: Blob[] = [];
  const names: string[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((content) => `blob:${given.push(content as Blob)}`);
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  const contents = async () => await Promise.all(given.map((blob) => blob.text()));
  return { files: async () => (await contents()).map((text, place) => [names[place] ?? "", text] as const) };
}

/** Save what is shown, as either file. */
function saveShown(): void {
  const group = within(screen.getByRole("group", { name: "Save what is shown" }));
  for (const name of ["CSV", "JSON"]) fireEvent.click(group.getByRole("button", { name }));
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

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
  const saved = saving();
  saveShown();
  const files = await saved.files();
  expect(files.map(([name]) => name)).toEqual(["found-events.csv", "found-events.json"]);
  expect(JSON.parse(files[1]?.[1] ?? "")).toMatchObject([{ summary: "event 2" }, { summary: "event 1" }]);
});

test("significant events that are shown are saved as they are, newest first", async () => {
  const told = { ...eventOf(232), clause: "5.5.2", note: "=it leans", person: "Dan", second: "Sue" };
  vi.stubGlobal("fetch", (address: string) => {
    const page = { events: [told, eventOf(231)], before: null };
    return Promise.resolve(new Response(JSON.stringify(address.includes("/audit/events") ? page : [])));
  });
  render(<Events />);
  await settle();
  const saved = saving();
  saveShown();
  const [csv, json] = await saved.files();
  // AT less 232 ms is a whole second of the 16th of November 2026.
  const columns = "at,stream,version,event,round,terminal,role,person,second,clause,note,summary";
  const first = "2026-11-16T04:27:08.000Z,table/T1,232,BetsRegistered,7,T1-2,terminal,Dan,Sue,5.5.2,'=it leans,event 232";
  const second = "2026-11-16T04:27:08.001Z,table/T1,231,BetsRegistered,7,T1-2,terminal,T1-2,,,,event 231";
  expect(csv).toEqual(["significant-events.csv", `${columns}\r\n${first}\r\n${second}\r\n`]);
  expect(json?.[0]).toBe("significant-events.json");
  const rows = JSON.parse(json?.[1] ?? "") as Record<string, unknown>[];
  expect(rows.map((row) => Object.keys(row).join())).toEqual([columns, columns]);
  expect(rows[0]).toMatchObject({ version: 232, round: 7, second: "Sue", clause: "5.5.2", note: "=it leans" });
  expect(rows[1]).toMatchObject({ second: null, clause: null, note: null, summary: "event 231" });
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
  const saved = saving();
  saveShown();
  const call = "1, 2, 3, total 6";
  const rows = [
    { table: "T1", round: 9, dice: "1 2 3", total: 6, call, void: false, marks: "" },
    { table: "T1", round: 8, dice: "1 2 3", total: 6, call, void: false, marks: "irregular amended" },
    { table: "T1", round: 7, dice: "1 2 3", total: 6, call, void: true, marks: "reversed" },
  ];
  const lines = [
    "table,round,dice,total,call,void,marks",
    'T1,9,1 2 3,6,"1, 2, 3, total 6",false,',
    'T1,8,1 2 3,6,"1, 2, 3, total 6",false,irregular amended',
    'T1,7,1 2 3,6,"1, 2, 3, total 6",true,reversed',
  ];
  const [csv, json] = await saved.files();
  expect(csv).toEqual(["rounds-T1.csv", lines.map((line) => `${line}\r\n`).join("")]);
  expect(json?.[0]).toBe("rounds-T1.json");
  expect(JSON.parse(json?.[1] ?? "")).toEqual(rows);
  known.value = before;
});
