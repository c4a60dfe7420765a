import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { seated, type FakeServer } from "./fake_server.ts";
import type { Link } from "./link.ts";

let server: FakeServer;
let link: Link;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(1);
  ({ server, link } = seated());
});

afterEach(() => {
  link.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function pong(): void {
  const ping = server.socket.sentOf("Ping").at(-1);
  server.socket.receive({ type: "Pong", number: ping?.number, at: 1_794_803_228_232 });
}

/** How long until the next socket is opened, in milliseconds. */
async function waited(): Promise<number> {
  const before = server.sockets.length;
  let ms = 0;
  while (server.sockets.length === before) {
    await vi.advanceTimersByTimeAsync(50);
    ms += 50;
  }
  return ms;
}

test("waits half a second, then twice as long each time, to half a minute", async () => {
  server.socket.closes(1006);
  const waits: number[] = [];
  for (let attempt = 0; attempt < 9; attempt += 1) {
    waits.push(await waited());
    server.socket.closes(1006);
  }
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

test("with some chance in it: at the least half as long", async () => {
  vi.mocked(Math.random).mockReturnValue(0);
  server.socket.closes(1006);
  expect(await waited()).toBe(250);
});

test("a line that held begins with half a second again, one that did not goes on", async () => {
  server.socket.closes(1006);
  await waited();
  server.welcome().closes(1006);
  expect(await waited()).toBe(1000);
  server.welcome();
  await vi.advanceTimersByTimeAsync(5_000);
  server.socket.closes(1006);
  expect(await waited()).toBe(500);
});

test("a socket over which nobody says welcome is given up", async () => {
  server.socket.closes(1006);
  await waited();
  server.socket.opens();
  const silent = server.socket;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(silent.closed).toBe(true);
  expect(await waited()).toBe(1000);
});

test("pings every 20 seconds", async () => {
  for (let seconds = 0; seconds < 60; seconds += 5) {
    pong();
    await vi.advanceTimersByTimeAsync(5_000);
  }
  expect(server.socket.sentOf("Ping")).toHaveLength(4);
  expect(link.status.value).toBe("live");
});

test("a line that is silent for 45 seconds is lost", async () => {
  pong();
  await vi.advanceTimersByTimeAsync(44_000);
  expect(link.status.value).toBe("live");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(link.status.value).toBe("lost");
  expect(server.socket.closed).toBe(true);
});

test("anything heard is a sign of life", async () => {
  for (let seconds = 0; seconds < 120; seconds += 20) {
    await vi.advanceTimersByTimeAsync(20_000);
    server.socket.receive({ type: "Countdown", table: "T1", closes_at: null });
  }
  expect(link.status.value).toBe("live");
});

test("a page that comes late to its timers does not take the line for silent", async () => {
  pong();
  // As browsers do with hidden pages: time goes on, and one timer runs.
  vi.setSystemTime(Date.now() + 300_000);
  const later = performance.now() + 300_000;
  vi.spyOn(performance, "now").mockImplementation(() => later);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(link.status.value).toBe("live");
  expect(server.socket.sentOf("Ping")).toHaveLength(2);
});

test.each([
  ["the network is back", () => dispatchEvent(new Event("online"))],
  ["somebody looks again", () => document.dispatchEvent(new Event("visibilitychange"))],
])("comes back at once when %s", async (_, happens) => {
  server.socket.closes(1006);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await waited();
    server.socket.closes(1006);
  }
  const before = server.sockets.length;
  happens();
  expect(server.sockets).toHaveLength(before + 1);
  server.welcome();
  expect(link.status.value).toBe("live");
});

test("a line in doubt is lost after five seconds without an answer", async () => {
  pong();
  dispatchEvent(new Event("online"));
  expect(server.socket.sentOf("Ping")).toHaveLength(2);
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
  expect(server.sockets).toHaveLength(1);
});

test("a socket that is only being opened is closed when it is, and nothing is said over it", async () => {
  server.socket.closes(1006);
  await waited();
  const opening = server.socket;
  link.close();
  expect(opening.closed).toBe(false);
  opening.opens();
  expect(opening.closed).toBe(true);
  expect(opening.frames).toEqual([]);
});

test("comes back by another address that the server told of, and spreads by lot", async () => {
  const { urls } = server;
  server.welcome({ gateways: ["http://one.test:81", "http://two.test", "http://venue.test/"] });
  const own = "ws://venue.test/api/live";
  for (const [chance, expected] of [
    [0, "ws://one.test:81/api/live"],
    [0.9, "ws://two.test/api/live"],
    [0, own],
  ] as const) {
    vi.mocked(Math.random).mockReturnValue(chance);
    server.socket.closes(1006);
    await waited();
    expect(urls.at(-1)).toBe(expected);
  }
});

test("comes back where it was, where there is nowhere else", async () => {
  for (const gateways of [[], ["http://venue.test"], undefined]) {
    server.welcome({ gateways });
    server.socket.closes(1006);
    await waited();
    expect(server.urls.at(-1)).toBe("ws://venue.test/api/live");
  }
});
