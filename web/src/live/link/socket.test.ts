import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { seated, type FakeHouse } from "./fake_server.ts";
import type { Link } from "./link.ts";

let house: FakeHouse;
let link: Link;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(1);
  ({ house, link } = seated());
});

afterEach(() => {
  link.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function pong(): void {
  const ping = house.socket.saidOf("Ping").at(-1);
  house.socket.tell({ type: "Pong", number: ping?.number, at: 1_794_803_228_232 });
}

/** How long until the next socket is opened, in milliseconds. */
async function waited(): Promise<number> {
  const before = house.sockets.length;
  let ms = 0;
  while (house.sockets.length === before) {
    await vi.advanceTimersByTimeAsync(50);
    ms += 50;
  }
  return ms;
}

test("waits half a second, then twice as long each time, to half a minute", async () => {
  house.socket.closes(1006);
  const waits: number[] = [];
  for (let attempt = 0; attempt < 9; attempt += 1) {
    waits.push(await waited());
    house.socket.closes(1006);
  }
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

test("with some chance in it: at the least half as long", async () => {
  vi.mocked(Math.random).mockReturnValue(0);
  house.socket.closes(1006);
  expect(await waited()).toBe(250);
});

test("a line that held begins with half a second again, one that did not goes on", async () => {
  house.socket.closes(1006);
  await waited();
  house.welcome().closes(1006);
  expect(await waited()).toBe(1000);
  house.welcome();
  await vi.advanceTimersByTimeAsync(5_000);
  house.socket.closes(1006);
  expect(await waited()).toBe(500);
});

test("a socket over which nobody says welcome is given up", async () => {
  house.socket.closes(1006);
  await waited();
  house.socket.opens();
  const silent = house.socket;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(silent.closed).toBe(true);
  expect(await waited()).toBe(1000);
});

test("pings every 20 seconds", async () => {
  for (let seconds = 0; seconds < 60; seconds += 5) {
    pong();
    await vi.advanceTimersByTimeAsync(5_000);
  }
  expect(house.socket.saidOf("Ping")).toHaveLength(4);
  expect(link.status.value).toBe("live");
});

test("a line that is silent for 45 seconds is lost", async () => {
  pong();
  await vi.advanceTimersByTimeAsync(44_000);
  expect(link.status.value).toBe("live");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(link.status.value).toBe("lost");
  expect(house.socket.closed).toBe(true);
});

test("anything heard is a sign of life", async () => {
  for (let seconds = 0; seconds < 120; seconds += 20) {
    await vi.advanceTimersByTimeAsync(20_000);
    house.socket.tell({ type: "Countdown", table: "T1", closes_at: null });
  }
  expect(link.status.value).toBe("live");
});

test("a page that comes late to its timers does not take the line for silent", async () => {
  pong();
  // As browsers do with pages that nobody sees: time goes on, and one timer runs.
  vi.setSystemTime(Date.now() + 300_000);
  const later = performance.now() + 300_000;
  vi.spyOn(performance, "now").mockImplementation(() => later);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(link.status.value).toBe("live");
  expect(house.socket.saidOf("Ping")).toHaveLength(2);
});

test.each([
  ["the network is back", () => dispatchEvent(new Event("online"))],
  ["somebody looks again", () => document.dispatchEvent(new Event("visibilitychange"))],
])("comes back at once when %s", async (_, happens) => {
  house.socket.closes(1006);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await waited();
    house.socket.closes(1006);
  }
  const before = house.sockets.length;
  happens();
  expect(house.sockets).toHaveLength(before + 1);
  house.welcome();
  expect(link.status.value).toBe("live");
});

test("a line in doubt is lost after five seconds without an answer", async () => {
  pong();
  dispatchEvent(new Event("online"));
  expect(house.socket.saidOf("Ping")).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(4_900);
  expect(link.status.value).toBe("live");
  await vi.advanceTimersByTimeAsync(100);
  expect(link.status.value).toBe("lost");
});

test("a line in doubt that answers is kept", async () => {
  pong();
  dispatchEvent(new Event("offline"));
  pong();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(link.status.value).toBe("live");
  expect(house.sockets).toHaveLength(1);
});

test("a socket that is only being opened is closed when it is, and nothing is said over it", async () => {
  house.socket.closes(1006);
  await waited();
  const opening = house.socket;
  link.close();
  expect(opening.closed).toBe(false);
  opening.opens();
  expect(opening.closed).toBe(true);
  expect(opening.frames).toEqual([]);
});
