import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { oneEventOfEach } from "../protocol.examples.ts";
import type { AnyEvent, LogLine } from "../protocol.ts";
import { AT, floorOf, pitOf, TABLE } from "./fakes.ts";

const asked: string[] = [];

beforeEach(() => {
  vi.useFakeTimers({ now: AT });
  asked.length = 0;
  vi.stubGlobal("fetch", (address: string) => {
    const path = new URL(address, "http://venue").pathname;
    asked.push(path);
    return Promise.resolve(new Response(JSON.stringify(path === "/api/pit" ? pitOf([TABLE]) : [])));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const { DiceFoundUndamaged, ColourReleased, SeatTaken } = oneEventOfEach;
const PLAIN: LogLine = { sentences: [] };

test.each<[AnyEvent, LogLine | null, number]>([
  [DiceFoundUndamaged, { ...PLAIN, significant: true }, 1],
  [ColourReleased, PLAIN, 0],
  [ColourReleased, null, 0],
  [SeatTaken, PLAIN, 1],
])("the floor is asked about again after what is significant, and what it shows of seats", async (event, line, times) => {
  const { floor, server } = floorOf();
  const end = floor.follow();
  await vi.advanceTimersByTimeAsync(1_500);
  asked.length = 0;
  server.tells({ type: "Staff", to: "T1", sequence: 2, after: 1, at: AT, events: [event], log: [line] });
  await vi.advanceTimersByTimeAsync(1_500);
  expect(asked.filter((path) => path === "/api/pit")).toHaveLength(times);
  end();
});
