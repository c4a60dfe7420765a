import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { oneServerOfEach } from "../../protocol.examples.ts";
import type { TableChanges } from "../../protocol.ts";
import { seated, type FakeServer } from "./fake_server.ts";
import type { Link } from "./link.ts";

const bet = { type: "PlaceBets", terminal: "T1-1", bets: [["small", 5000]] } as const;
const clearLock = { type: "ClearLock", terminal: "T1-1" } as const;
const { Private, Registered, Refused, TableSnapshot } = oneServerOfEach;
const view = TableSnapshot.view;
const again = { ...Refused, code: "BUSY", again: true };

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

function asks(): string[] {
  return server.socket.sentOf("Ask").map((each) => each.id);
}

function onlyAsk(): string {
  const [id, ...more] = asks();
  expect(more).toEqual([]);
  if (id === undefined) throw new Error("Nothing was asked.");
  return id;
}

async function comeBack(): Promise<void> {
  const before = server.sockets.length;
  server.socket.closes(1006);
  // Before anything would be sent again on the same connection.
  while (server.sockets.length === before) await vi.advanceTimersByTimeAsync(100);
  server.welcome();
}

function happens(sequence: number, changes: TableChanges): void {
  const at = oneServerOfEach.Welcome.at;
  server.socket.receive({ type: "Public", table: "T1", sequence, after: sequence - 1, at, changes });
}

test("an answer goes to whoever asked, in whatever order they come", async () => {
  const first = link.ask("T1", bet);
  const second = link.ask("T1", clearLock);
  const [one, two] = asks();
  expect(one).not.toBe(two);
  server.socket.receive({ ...Refused, id: two }, { ...Registered, id: one }, { ...Registered, id: "other" });
  expect(await first).toEqual({ ...Registered, id: one });
  expect(await second).toEqual({ ...Refused, id: two });
});

test("news of one's own bets answer them by their id", async () => {
  const answer = link.ask("T1", bet);
  server.socket.receive({ ...Private, id: onlyAsk() });
  const { table, sequence, at } = Private;
  expect(await answer).toEqual({
    type: "Registered", id: onlyAsk(), to: table, first: sequence, last: sequence, at,
  });
});

test("what has no answer is sent again with the same id, later each time, until it has", async () => {
  const answer = link.ask("T1", clearLock);
  const id = onlyAsk();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(asks()).toEqual([id, id]);
  await vi.advanceTimersByTimeAsync(5_900);
  expect(asks()).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(100);
  expect(asks()).toEqual([id, id, id]);
  server.socket.receive({ ...Registered, id });
  await answer;
  await vi.advanceTimersByTimeAsync(19_000);
  expect(asks()).toHaveLength(3);
});

test("what was put off is sent soon when its table goes on", async () => {
  const answer = link.ask("T1", clearLock);
  const id = onlyAsk();
  for (const delay of [250, 500, 1_000]) {
    server.socket.receive({ ...again, id });
    await vi.advanceTimersByTimeAsync(delay);
  }
  server.socket.receive({ ...again, id });
  expect(asks()).toHaveLength(4);
  server.socket.receive({ type: "Suspended", table: "T1", suspended: false });
  await vi.advanceTimersByTimeAsync(250);
  expect(asks()).toHaveLength(5);
  server.socket.receive({ ...Registered, id });
  await answer;
});

test("on a new line it is the same message with the same id", async () => {
  const answer = link.ask("T1", clearLock);
  const before = server.socket.sentOf("Ask")[0];
  await comeBack();
  expect(server.socket.sentOf("Ask")).toEqual([before]);
  server.socket.receive({ ...Registered, id: before?.id });
  expect((await answer).type).toBe("Registered");
  await comeBack();
  expect(asks()).toEqual([]);
});

test("what is asked while the line is lost is sent when it is back", async () => {
  server.socket.closes(1006);
  const answer = link.ask("T1", clearLock);
  await vi.advanceTimersByTimeAsync(500);
  server.welcome();
  server.socket.receive({ ...Registered, id: onlyAsk() });
  expect((await answer).type).toBe("Registered");
});

test("after `again` the same message is sent again, later each time, until it is answered", async () => {
  const answer = link.ask("T1", clearLock);
  const id = onlyAsk();
  server.socket.receive({ ...again, id });
  await vi.advanceTimersByTimeAsync(240);
  expect(asks()).toEqual([id]);
  await vi.advanceTimersByTimeAsync(10);
  expect(asks()).toEqual([id, id]);
  server.socket.receive({ ...again, id });
  await vi.advanceTimersByTimeAsync(490);
  expect(asks()).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(10);
  expect(asks()).toEqual([id, id, id]);
  server.socket.receive({ ...Refused, id });
  expect(await answer).toEqual({ ...Refused, id });
});

test("a grant and a deal are asked for in the same way", async () => {
  const granted = link.grant("T1", "hash", 1043, "493817");
  const dealt = link.deal("T1", false);
  const [grant] = server.socket.sentOf("Grant");
  const [deal] = server.socket.sentOf("Deal");
  expect(grant).toMatchObject({ to: "T1", pending: "hash", version: 1043, pin: "493817" });
  expect(deal).toMatchObject({ table: "T1", automatic: false });
  server.socket.receive({ ...Registered, id: grant?.id }, { type: "Done", id: deal?.id });
  expect((await granted).type).toBe("Registered");
  expect((await dealt).type).toBe("Done");
});

test("beyond 200 without an answer the next is refused here, and never sent", async () => {
  for (let count = 0; count < 200; count += 1) void link.ask("T1", clearLock);
  const refused = await link.ask("T1", clearLock);
  expect(refused).toMatchObject({
    type: "Refused",
    code: "TOO_MANY",
    sentence: "200 things wait for an answer of the server. Nothing was sent; try again when fewer do.",
  });
  expect(asks()).toHaveLength(200);
  await comeBack();
  // No frame has more than 64 messages.
  expect(server.socket.frames.map((frame) => frame.split("\n").length)).toEqual([1, 1, 1, 64, 64, 64, 8]);
});

test("what no frame can hold is refused here", async () => {
  const refused = await link.ask("T1", { type: "Rule", note: "骰".repeat(22_000) });
  expect(refused).toMatchObject({ code: "TOO_LONG" });
  expect(asks()).toEqual([]);
});

test("when the link ends, whoever waits is told that nobody knows", async () => {
  const waiting = link.ask("T1", bet);
  server.socket.closes(4001, "REPLACED");
  expect(await waiting).toMatchObject({ type: "Refused", code: "UNANSWERED" });
  expect(await link.ask("T1", bet)).toMatchObject({ type: "Refused", code: "NOT_CONNECTED" });
});

test("a bet names the round one sees, and still does when it is sent again in a later one", async () => {
  const answer = link.ask("T1", bet);
  const id = onlyAsk();
  const meant = { ...bet, round: view.round };
  expect(server.socket.sentOf("Ask").map((each) => each.command)).toEqual([meant]);
  await comeBack();
  server.socket.receive({ ...TableSnapshot, sequence: 1060, view: { ...view, round: view.round + 1 } });
  expect(server.socket.sentOf("Ask")).toMatchObject([{ id, command: meant }]);
  server.socket.receive({ ...Refused, id, code: "OTHER_ROUND" });
  expect(await answer).toMatchObject({ code: "OTHER_ROUND" });
});

test("taking bets back names the round as well, and nothing does while no bets are open", () => {
  void link.ask("T1", { type: "ClearBets", terminal: "T1-1" });
  happens(1041, { phase: "no-more-bets" });
  void link.ask("T1", bet);
  void link.ask("T1", clearLock);
  const asked = server.socket.sentOf("Ask").map((each) => each.command);
  expect(asked).toEqual([{ type: "ClearBets", terminal: "T1-1", round: view.round }, bet, clearLock]);
});
