import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { AnyEvent } from "../protocol.ts";
import { oneEventOfEach } from "../protocol.examples.ts";
import { floorOf, pitOf, TABLE } from "./fakes.ts";

const ANSWERS: Readonly<Record<string, unknown>> = { "/api/pit": pitOf([TABLE]), "/api/approvals": [], "/api/cage/drawer": {} };
let asked: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", (address: string) => {
    const path = address.split("?")[0] ?? "";
    asked.push(path);
    return Promise.resolve(new Response(JSON.stringify(ANSWERS[path])));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Requests in the 1.5 seconds after an event, long before the regular ones. */
async function askedAfter(event: AnyEvent): Promise<readonly string[]> {
  const { floor, server } = floorOf();
  const ends = [floor.follow(), floor.drawer.follow()];
  floor.drawer.refresh();
  await vi.advanceTimersByTimeAsync(500);
  asked = [];
  server.tells({ type: "Staff", to: "T1", sequence: 2, after: 1, at: 1, events: [event] });
  await vi.advanceTimersByTimeAsync(1_500);
  for (const end of ends) end();
  return asked;
}

test.each([
  ...(["InterruptionRecorded", "PlayResumed", "ReportDeclined", "DiceQuarantined", "ResultsDisagreed"] as const),
  ...(["EquipmentWithdrawn", "WinSetAside", "NoticeGiven", "SeatTaken", "SeatLeft", "LosersCollected"] as const),
])("after %s the pit is asked at once, and not only when it is due", async (type) => {
  expect(await askedAfter(oneEventOfEach[type])).toContain("/api/pit");
});

test.each(["CreditReturned", "UnclaimedPaid", "VoucherVoided", "FillSent", "ShiftClosed", "TerminalLocked"] as const)(
  "after %s the drawer is asked at once",
  async (type) => {
    expect(await askedAfter(oneEventOfEach[type])).toContain("/api/cage/drawer");
  },
);

test.each(["BetsRegistered", "TumbleRecorded", "RoundSettled", "BetsRecorded"] as const)(
  "after %s, which is play, nothing is asked",
  async (type) => {
    expect(await askedAfter(oneEventOfEach[type])).toEqual([]);
  },
);
