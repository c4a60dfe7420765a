import { act, fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { DayCount, DayList, DayOfTable } from "../../answers.ts";
import { storeSession } from "../../live/credentials.ts";
import { Days } from "./days.tsx";
import { AT, FIGURES } from "../fakes.ts";

const COUNT: DayCount = {
  ...{ opened_at: AT, opened_by: "Sue", opening: 500_000, opening_expected: 500_000 },
  ...{ fills: 100_000, credits: 50_000, drop_cash: 110_000, drop_chips: 10_000, drop: 120_000 },
  ...{ drop_expected: 120_000, drop_counted_at: AT, closing: 499_500, closing_expected: 500_000 },
  ...{ closed_at: AT, closed_by: "Sue", win: 69_500, difference: -500, opening_difference: 0, between: 0 },
  missing: 0,
};

function dayOf(date: string, table: string, more: Partial<DayOfTable> = {}): DayOfTable {
  return {
    ...{ table, date, form: "terminals", open: false, figures: FIGURES, collected: 0, paid: 0 },
    ...{ corrections: 0, win: 124_000, drop: 900_000, out: 0, count: null },
    ...more,
  };
}

const LIST: DayList = {
  at: 1_794_803_228_232,
  ...{ currency: "SGD", since: "2026-11-10", until: "2026-11-16", day_starts: 6, time_zone: "Asia/Singapore" },
  days: [
    dayOf("2026-11-16", "Crane", { form: "chips", open: true, win: 70_000, count: { ...COUNT, closing: null, win: null } }),
    dayOf("2026-11-16", "T1", { open: true }),
    dayOf("2026-11-15", "Crane", { form: "chips", win: 69_500, count: COUNT }),
  ],
  missing: [],
};

let list: DayList = LIST;
let status = 200;
const requests: string[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
  requests.length = 0;
  list = LIST;
  status = 200;
  vi.stubGlobal("fetch", (address: string, init?: RequestInit) => {
    requests.push(`${address} ${new Headers(init?.headers).get("authorization") ?? ""}`.trim());
    const body = status === 200 ? list : { status, code: "BAD_DATE", detail: "the first date is after the last" };
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  storeSession(null);
});

const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(10)));
const rows = (name = "Win against theory"): string[][] =>
  within(screen.getByRole("region", { name }))
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent));

test("gaming days are listed by table, with what was counted where chips are", async () => {
  render(<Days />);
  await settle();
  expect(requests).toEqual(["/api/reports/days"]);
  expect(screen.getByText(/starts at 6:00, Asia\/Singapore/)).toBeTruthy();
  const [open, electronic, closed] = rows();
  expect(open?.slice(0, 9)).toEqual(
    ["2026-11-16", "Crane", "under way", "1,204", "48,150.00", "9,000.00", "700.00", "980.00", "2.58%"],
  );
  expect(electronic?.slice(0, 3)).toEqual(["2026-11-16", "T1", "under way"]);
  expect(closed?.[2]).toBe("closed");
  // 1,200.00 + 4,995.00 - 5,000.00 - 1,000.00 + 500.00 = 695.00
  expect(rows("Counted at chip tables")).toEqual([
    ["2026-11-16", "Crane", "under way", "1,200.00", "–", "5,000.00", "1,000.00", "500.00", "–", "-5.00"],
    ["2026-11-15", "Crane", "closed", "1,200.00", "4,995.00", "5,000.00", "1,000.00", "500.00", "695.00", "-5.00"],
  ]);
});

test("each date has its reports, to print and as CSV, and all of them one CSV", async () => {
  render(<Days />);
  await settle();
  const page = screen.getByRole("link", { name: "Page to print, 2026-11-15" });
  expect(page.getAttribute("href")).toBe("/api/reports/day/2026-11-15/page?language=en");
  expect(page.getAttribute("target")).toBe("_blank");
  const csv = screen.getByRole("link", { name: "CSV, 2026-11-16" });
  expect(csv.getAttribute("href")).toBe("/api/reports/day/2026-11-16/csv?language=en");
  expect(csv.getAttribute("download")).toBe("gaming-day-2026-11-16.csv");
  expect(screen.getAllByRole("link", { name: /^Page to print/ })).toHaveLength(2);
  const all = screen.getByRole("link", { name: "These days as CSV" });
  expect(all.getAttribute("href")).toBe("/api/reports/days/csv?from=2026-11-10&to=2026-11-16");
});

test("a tab with a session of its own fetches a report: a page is opened, a file is saved", async () => {
  storeSession("token-1");
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:1", revokeObjectURL: () => undefined }));
  const saved: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const document_ = document.implementation.createHTMLDocument();
  Object.defineProperty(document_, "adoptedStyleSheets", { writable: true, value: [] });
  const open = vi.fn(() => ({ document: document_, CSSStyleSheet: class { replaceSync = vi.fn(); } }));
  vi.stubGlobal("open", open);
  render(<Days />);
  await settle();
  expect(screen.queryByRole("link")).toBeNull();
  const answering = fetch;
  const page = "<!doctype html><html lang='en'><head><title>The day</title><style>tfoot{}</style></head><body><h1>Day</h1></body></html>";
  vi.stubGlobal("fetch", (address: string, init?: RequestInit) =>
    address.includes("/page") ? (void answering(address, init), Promise.resolve(new Response(page))) : answering(address, init),
  );
  fireEvent.click(screen.getByRole("button", { name: "Page to print, 2026-11-15" }));
  await settle();
  expect(requests.at(-1)).toBe("/api/reports/day/2026-11-15/page?language=en Bearer token-1");
  expect(open).toHaveBeenCalledOnce();
  expect([document_.title, document_.body.innerHTML]).toEqual(["The day", "<h1>Day</h1>"]);
  expect(document_.adoptedStyleSheets).toHaveLength(1);
  expect(saved).toEqual([]);
  fireEvent.click(screen.getByRole("button", { name: "CSV, 2026-11-15" }));
  await settle();
  expect(saved).toEqual(["gaming-day-2026-11-15.csv"]);
  click.mockRestore();
});

test("the list says of when it is, and is asked for again while it is looked at", async () => {
  render(<Days />);
  await settle();
  expect(screen.getByText(/^Figures as of/)).toBeTruthy();
  const before = requests.length;
  await act(async () => void (await vi.advanceTimersByTimeAsync(15_000)));
  expect(requests.length).toBe(before + 1);
});

test("other dates are asked for, and what is wrong with them is said", async () => {
  render(<Days />);
  await settle();
  fireEvent.input(screen.getByLabelText("From"), { target: { value: "2026-11-20" } });
  status = 400;
  fireEvent.submit(screen.getByLabelText("From").closest("form") ?? fail());
  await settle();
  expect(requests.at(-1)).toBe("/api/reports/days?from=2026-11-20&to=2026-11-16");
  expect(screen.getByRole("alert").textContent).toBe("the first date is after the last");
  expect(rows(), "what was shown before stays").toHaveLength(3);
});

test("a table whose figures are not known is named, and a week without play says so", async () => {
  list = { ...LIST, days: [], missing: ["Fern"] };
  render(<Days />);
  await settle();
  expect(screen.getByText(/figures of Fern are not known/)).toBeTruthy();
  expect(screen.getByText("Nothing was played on these dates.")).toBeTruthy();
});

function fail(): never {
  throw new Error("There is no form.");
}
