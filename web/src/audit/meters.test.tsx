import { act, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { MeterReport, MeterView } from "../answers.ts";
import { Meters } from "./meters.tsx";

const AT = 1_794_803_228_232;
const METER: MeterView = {
  ...{ table: "T1", meter: "table", name: null, turnover: 100_000, collected: 60_000, won: 45_000 },
  ...{ hold: 15_000, drop: null, out: 0, voided: 0, corrections: 0 },
};

let report: MeterReport;
let asked: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  report = { at: AT, currency: "SGD", meters: [METER] };
  asked = 0;
  vi.stubGlobal("fetch", (address: string) => {
    const isReport = address === "/api/reports/meters";
    if (isReport) asked += 1;
    return Promise.resolve(new Response(JSON.stringify(isReport ? report : {})));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

/** The time of the meters, and the stakes at the table. */
function shown(): readonly (string | null | undefined)[] {
  const table = within(screen.getByRole("region", { name: /table/i })).getAllByRole("row")[1];
  return [screen.getByText(/^As of/).textContent, table?.querySelector("td")?.textContent];
}

test("meters say of when they are, and follow while they are looked at", async () => {
  render(<Meters />);
  await pass(10);
  expect(screen.getByRole("heading", { name: "By table" })).toBeTruthy();
  expect(screen.getByRole("columnheader", { name: "Table" })).toBeTruthy();
  const [before, staked] = shown();
  expect(before).toMatch(/:08$/);
  expect(staked).toBe("1,000.00");
  screen.getByRole("columnheader", { name: "Table" });
  report = { ...report, at: AT + 15_000, meters: [{ ...METER, turnover: 250_000 }] };
  await pass(14_000);
  expect(asked).toBe(1);
  await pass(1_000);
  expect(asked).toBe(2);
  const [after, then] = shown();
  expect(after).toBe(before?.replace(/:08$/, ":23"));
  expect(then).toBe("2,500.00");
});
