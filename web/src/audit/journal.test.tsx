import { act, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Fault, Outcome, Standing, Verification } from "../answers.ts";
import { Journal } from "./journal.tsx";

const RUNNING: Verification = {
  number: 3,
  by: "Ada",
  began_at: 1_794_803_228_232,
  state: "running",
  seen: 0,
  total: 0,
  ended_at: null,
  outcome: null,
  failure: null,
  stopped_by: null,
};

const AT = 1_794_803_228_232;
const STANDING: Standing = {
  at: AT,
  events: 1_500_158,
  checkpoint: { number: 29, at: AT - 61_000, events: 1_500_000, key: "k1" },
  waiting: 158,
  anchor: { number: 29, at: AT - 61_000, fault: null },
  anchor_fault: null,
  witnesses: [
    { public: "7f".repeat(32), number: 27, at: AT - 200_000, behind: 2, fault: null },
    { public: "0c".repeat(32), number: 40, at: AT, behind: 0, fault: "the journal has no checkpoint 40" },
  ],
};

const OUTCOME: Outcome = {
  verified: true,
  faults_found: 0,
  faults: [],
  notes: ["158 events wait for a signature"],
  streams: 6,
  events: 1_500_000,
  decisions: 5417,
  rounds: 324,
  checkpoints: 29,
  snapshots: 0,
  seals: 4,
  copied_events: 0,
  newest_checkpoint: null,
  money: {
    currency: "SGD",
    ...{ turnover: 100, won: 50, bank: 25, credits: 10, stakes: 5, vouchers: 3, unclaimed: 0, in_transit: 0 },
  },
  seconds: 12.34,
};

/** A fake server that gives prepared answers, and records the requests. */
function answering(first: Verification | null) {
  const state = { current: first };
  const requests: string[] = [];
  vi.stubGlobal("fetch", (address: string, { method }: RequestInit) => {
    requests.push(`${method} ${address}`);
    if (address.includes("/standing")) return Promise.resolve(new Response(JSON.stringify(STANDING)));
    if (method === "POST") state.current = RUNNING;
    if (method === "DELETE") state.current = { ...RUNNING, state: "stopped", stopped_by: "Ada" };
    return Promise.resolve(new Response(JSON.stringify(state.current)));
  });
  return { state, requests };
}

const pass = (ms: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("none was asked for; one begins, moves on and comes to something", async () => {
  const { state, requests } = answering(null);
  render(<Journal />);
  await pass(0);
  expect(screen.getByText(/No verification was asked for/)).toBeTruthy();
  screen.getByRole("button", { name: "Verify now" }).click();
  await pass(0);
  expect(requests).toContain("POST /api/audit/verifications");
  expect(screen.getByText("Counting the records…")).toBeTruthy();
  state.current = { ...RUNNING, seen: 100_000, total: 1_500_000 };
  await pass(500);
  state.current = { ...RUNNING, seen: 130_000, total: 1_500_000 };
  await pass(500);
  const bar = screen.getByRole("progressbar", { name: "Progress" });
  expect([bar.getAttribute("value"), bar.getAttribute("max")]).toEqual(["130000", "1500000"]);
  expect(screen.getByText(/130,000 of 1,500,000 events, 9%/).textContent).toContain("60,000 a second");
  state.current = { ...RUNNING, state: "done", outcome: OUTCOME };
  await pass(500);
  expect(screen.getByRole("status").textContent).toContain("The journal is whole");
  expect(screen.getByText("158 events wait for a signature")).toBeTruthy();
});

test("one that is under way is shown at once, and cannot be begun again", async () => {
  const { requests } = answering({ ...RUNNING, seen: 1, total: 4 });
  render(<Journal />);
  await pass(0);
  expect(screen.getByText(/1 of 4 events, 25%/)).toBeTruthy();
  screen.getByRole("button", { name: "Verifying" }).click();
  await pass(0);
  expect(requests.filter((each) => each.startsWith("POST"))).toEqual([]);
});

test("what does not hold is reported, one by one", async () => {
  const fault: Fault = {
    ...{ in: "event", sentence: "table/T1 breaks at version 4711", stream: "table/T1", version: 4711 },
    ...{ checkpoint: null, field: null, byte: null, expected: null, found: null },
  };
  const outcome = { ...OUTCOME, verified: false, faults_found: 3, faults: [fault] };
  answering({ ...RUNNING, state: "done", outcome });
  render(<Journal />);
  await pass(0);
  expect(screen.getByRole("status").textContent).toContain("does not verify: 3 faults");
  expect(screen.getByText("An event was altered")).toBeTruthy();
  expect(screen.getByText("table/T1 breaks at version 4711")).toBeTruthy();
  expect(screen.getByText("T1 · record 4,711")).toBeTruthy();
  expect(screen.getByText("and 2 more")).toBeTruthy();
});

test("one that is under way can be stopped, and says that it proves nothing", async () => {
  const { requests } = answering({ ...RUNNING, seen: 1, total: 4 });
  render(<Journal />);
  await pass(0);
  screen.getByRole("button", { name: "Stop" }).click();
  await pass(0);
  expect(requests).toContain("DELETE /api/audit/verifications/current");
  expect(screen.getByRole("status").textContent).toContain("Stopped by Ada: nothing is proved");
  expect(screen.queryByRole("button", { name: "Stop" })).toBeNull();
});

test("how it is attested: checkpoint, anchor and witnesses, each with its age and what it means", async () => {
  answering(null);
  render(<Journal />);
  await pass(0);
  const shown = screen.getByRole("region", { name: "How the journal is attested" }).textContent;
  expect(shown).toMatch(/Number 29, signed .*1:01 ago/);
  expect(shown).toContain("158 events wait");
  expect(shown).toContain("✓ The journal still holds it.");
  expect(shown).toContain("2 checkpoints came after it");
  expect(shown).toContain("✕ the journal has no checkpoint 40");
});
