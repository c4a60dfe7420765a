import { effect } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { AnyPublicEvent, Public, TableChanges } from "../../protocol.ts";
import { onePublicEventOfEach, oneServerOfEach } from "../../protocol.examples.ts";
import { language } from "../../words/words.ts";
import { forgetCheckpoint } from "../checkpoint.ts";
import { FakeServer, seated, TERMINAL } from "./fake_server.ts";
import { openLink, type Link } from "./link.ts";

const { TableSnapshot, TerminalSnapshot, Welcome } = oneServerOfEach;
const bet = { type: "PlaceBets", terminal: "T1-1", bets: [["small", 5000]] } as const;

function happened(sequence: number, after: number, ...events: AnyPublicEvent[]): Public {
  return { type: "Public", table: "T1", sequence, after, at: Welcome.at, events };
}

function totals(sequence: number, after: number, boxes: Record<string, number>): Public {
  return changed(sequence, after, { totals: boxes });
}

function changed(sequence: number, after: number, changes: TableChanges): Public {
  return { type: "Public", table: "T1", sequence, after, at: Welcome.at, changes };
}

let links: Link[] = [];
function sit(...as: Parameters<typeof seated>): ReturnType<typeof seated> {
  const sat = seated(...as);
  links.push(sat.link);
  return sat;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(1);
});

afterEach(() => {
  for (const link of links) link.close();
  links = [];
  language.value = "en";
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("says hello, watches, and shows what it receives", () => {
  const { server, link } = sit();
  expect(server.socket.sentOf("Hello")).toEqual([
    { type: "Hello", protocol: 1, terminal: TERMINAL, session: null, language: "en", after: null, checkpoint: null, client: "" },
  ]);
  expect(server.socket.sentOf("Watch")).toEqual([{ type: "Watch", table: "T1", after: null }]);
  expect(link.status.value).toBe("live");
  expect(link.welcome.value?.venue).toBe("The Lantern");
  expect(link.table("T1").view.value).toEqual({ ...TableSnapshot.view, totals: {} });
  expect(link.table("T1").total("small").value).toBe(12_000);
  expect(link.table("T1").closesAt.value).toBe(TableSnapshot.closes_at);
  expect(link.table("T1").dealer.value).toBe("automatic");
  expect(link.terminal?.view.value).toEqual(TerminalSnapshot.view);
});

test("the server's time is shown, and ids begin with it", async () => {
  const { server, link } = sit();
  expect(link.now()).toBe(Welcome.at);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(link.now()).toBe(Welcome.at + 1_500);
  void link.ask("T1", bet);
  expect(server.socket.sentOf("Ask")[0]?.id).toMatch(new RegExp(`^${Welcome.at + 1_500}-[0-9a-z]{2,}$`));
});

test("a pong sets the clock, by half of the way there and back", async () => {
  const { server, link } = sit();
  const [ping] = server.socket.sentOf("Ping");
  await vi.advanceTimersByTimeAsync(200);
  server.socket.receive({ type: "Pong", number: ping?.number, at: 5_000_000 });
  expect(link.now()).toBe(5_000_100);
});

test("what checkpoint there was is remembered, and a venue that ends before it is told apart", async () => {
  forgetCheckpoint();
  const { server, link } = sit();
  const [ping] = server.socket.sentOf("Ping");
  server.socket.receive({ type: "Pong", number: ping?.number, at: Welcome.at, checkpoint: 40 });
  expect(link.behind.value).toBeNull();
  server.socket.closes(1006);
  await vi.advanceTimersByTimeAsync(500);
  const socket = server.welcome();
  expect(socket.sentOf("Hello")[0]?.checkpoint).toBe(40);
  socket.receive({ ...Welcome, checkpoint: 38 });
  expect(link.behind.value).toEqual({ seen: 40, ends: 38 });
  socket.receive({ ...Welcome, checkpoint: 41 });
  expect(link.behind.value).toBeNull();
  forgetCheckpoint();
});

test("old news is ignored, and what comes next is taken", () => {
  const { server, link } = sit();
  const table = link.table("T1");
  server.socket.receive(totals(1040, 1039, { small: 1 }));
  expect(table.total("small").value).toBe(12_000);
  // A message need not follow the last sequence directly: the channel has gaps of its own.
  server.socket.receive(totals(1050, 1030, { small: 13_000 }));
  expect(table.total("small").value).toBe(13_000);
  server.socket.receive(totals(1045, 1040, { small: 2 }));
  expect(table.total("small").value).toBe(13_000);
  expect(server.socket.sentOf("Watch")).toHaveLength(1);
});

test("a gap is asked for once, from where one is, and then filled", () => {
  const { server, link } = sit();
  server.socket.receive(totals(1044, 1042, { small: 9 }), totals(1045, 1044, { small: 10 }));
  expect(server.socket.sentOf("Watch").slice(1)).toEqual([{ type: "Watch", table: "T1", after: 1040 }]);
  expect(link.table("T1").total("small").value).toBe(12_000);
  const closed = { type: "Countdown", table: "T1", closes_at: null };
  server.socket.receive(totals(1042, 1040, { small: 8 }), totals(1045, 1042, { small: 10 }), closed);
  expect(link.table("T1").total("small").value).toBe(10);
  server.socket.receive(totals(1049, 1047, { small: 11 }));
  expect(server.socket.sentOf("Watch").slice(2)).toEqual([{ type: "Watch", table: "T1", after: 1045 }]);
});

test("a table that was asked for and did not come is asked for again", async () => {
  const { server } = sit();
  server.socket.receive(totals(1044, 1042, { small: 9 }));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server.socket.sentOf("Watch")).toHaveLength(3);
});

test("a gap in one's own channel has one come back with where one is", async () => {
  const { server, link } = sit();
  const { Private } = oneServerOfEach;
  server.socket.receive({ ...Private, sequence: 1050, after: 1045 });
  expect(link.status.value).toBe("lost");
  await vi.advanceTimersByTimeAsync(500);
  server.socket.opens();
  expect(server.socket.sentOf("Hello")[0]?.after).toBe(TerminalSnapshot.sequence);
});

test("a snapshot replaces everything", () => {
  const { server, link } = sit();
  const small = link.table("T1").total("small");
  const view = { ...TableSnapshot.view, phase: "closed", totals: { big: 700 } };
  server.socket.receive({ ...TableSnapshot, sequence: 90, view, closes_at: null, dealer: "person" });
  expect(small.value).toBe(0);
  expect([...link.table("T1").totals.value]).toEqual([["big", 700]]);
  expect(link.table("T1").view.value?.phase).toBe("closed");
  expect(link.table("T1").closesAt.value).toBeNull();
  server.socket.receive(totals(91, 90, { big: 800 }));
  expect(link.table("T1").total("big").value).toBe(800);
});

test("the newest countdown, dealer and suspension count, whatever their order", () => {
  const { server, link } = sit();
  const table = link.table("T1");
  server.socket.receive(
    { type: "Countdown", table: "T1", closes_at: 7 },
    { type: "Dealer", table: "T1", dealer: "person" },
    { type: "Suspended", table: "T1", suspended: true },
  );
  expect([table.closesAt.value, table.dealer.value, table.suspended.value]).toEqual([7, "person", true]);
});

test("staff see how the steps stand, and what each result would cost: the newest counts", () => {
  const { server, link } = sit({ staff: true, session: "token" });
  const { Steps, Exposure } = oneServerOfEach;
  expect([link.table("T1").steps.value, link.table("T1").exposure.value]).toEqual([null, null]);
  server.socket.receive(Steps, Exposure, { ...Steps, due: "CloseBets" }, { ...Exposure, staked: 7 });
  expect(link.table("T1").steps.value?.due).toBe("CloseBets");
  expect(link.table("T1").exposure.value?.staked).toBe(7);
});

test("a frame is one change, however many messages it has", () => {
  const { server, link } = sit();
  const table = link.table("T1");
  let drawn = 0;
  const end = effect(() => {
    void [table.view.value, table.total("small").value, table.total("big").value, table.totals.value];
    drawn += 1;
  });
  server.socket.receive(
    totals(1041, 1040, { small: 1 }),
    totals(1042, 1041, { big: 2 }),
    changed(1043, 1042, { phase: "no-more-bets" }),
    changed(1044, 1043, { phase: "result", faces: [2, 3, 5] }),
  );
  end();
  expect(drawn).toBe(2);
});

test("only the boxes that changed are drawn", () => {
  const { server, link } = sit();
  const drawn: string[] = [];
  const ends = ["small", "big", "any-triple"].map((box) =>
    effect(() => {
      drawn.push(`${box} ${link.table("T1").total(box).value}`);
    }),
  );
  drawn.length = 0;
  server.socket.receive(totals(1041, 1040, { small: 12_000, big: 300 }));
  for (const end of ends) end();
  expect(drawn).toEqual(["big 300"]);
});

test("listeners hear each event in its order, once its changes are in the view, and no snapshots", () => {
  const { server, link } = sit();
  const listener: string[] = [];
  const end = link.table("T1").onEvent((event, message) => {
    listener.push(`${event.type} ${link.table("T1").view.value?.phase} ${message.sequence}`);
  });
  const { BetsClosed, ResultEntered, RoundSettled } = onePublicEventOfEach;
  const message = { ...happened(1041, 1040, BetsClosed, ResultEntered), changes: { phase: "result" } };
  server.socket.receive(message, { ...TableSnapshot, sequence: 1041 });
  end();
  server.socket.receive(happened(1042, 1041, RoundSettled));
  expect(listener).toEqual(["BetsClosed result 1041", "ResultEntered result 1041"]);
});

test("a listener that fails is reported, and keeps the message from nobody", () => {
  const { server, link } = sit();
  const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const listener = vi.fn();
  link.table("T1").onEvent(() => {
    throw new Error("a fault of a screen");
  });
  link.table("T1").onEvent(listener);
  server.socket.receive(happened(1041, 1040, onePublicEventOfEach.BetsClosed));
  expect(listener).toHaveBeenCalledOnce();
  expect(reported).toHaveBeenCalledOnce();
});

test("messages and fields that only a newer server knows are ignored", () => {
  const { server, link } = sit();
  server.socket.receive({ type: "Weather", rain: true }, { ...totals(1041, 1040, { small: 5 }), wind: 3 });
  expect(link.table("T1").total("small").value).toBe(5);
  expect(link.status.value).toBe("live");
});

test("an event that only a newer server knows changes the view all the same", () => {
  const { server, link } = sit();
  server.socket.receive({ ...changed(1041, 1040, { phase: "sung" }), events: [{ type: "DiceSang" }] });
  expect(link.table("T1").view.value?.phase).toBe("sung");
  expect(server.socket.sentOf("Watch")).toHaveLength(1);
});

test("what is no message ends the line, and one comes back", () => {
  const { server, link } = sit();
  const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
  server.socket.receiveText("{");
  expect(link.status.value).toBe("lost");
  expect(reported).toHaveBeenCalledOnce();
  expect(server.socket.closed).toBe(true);
});

test("comes back with where one is in every channel", async () => {
  const { server, link } = sit();
  link.table("T2");
  server.socket.receive(totals(1041, 1040, { small: 5 }));
  server.socket.closes(1006);
  expect(link.status.value).toBe("lost");
  await vi.advanceTimersByTimeAsync(500);
  expect(server.sockets).toHaveLength(2);
  const socket = server.welcome();
  expect(link.status.value).toBe("live");
  expect(socket.sentOf("Hello")[0]?.after).toBe(TerminalSnapshot.sequence);
  expect(socket.sentOf("Watch")).toEqual([
    { type: "Watch", table: "T1", after: 1041 },
    { type: "Watch", table: "T2", after: null },
  ]);
  expect(link.table("T1").total("small").value).toBe(5);
});

test("another language is another line, and every sentence comes anew", () => {
  const { server, link } = sit();
  const first = server.socket;
  language.value = "zh-Hans";
  expect(first.closed).toBe(true);
  expect(link.status.value).toBe("connecting");
  // The old view stays on the screen until a new one is received.
  expect(link.table("T1").view.value?.phase).toBe("betting");
  const socket = server.welcome();
  expect(socket.sentOf("Hello")[0]).toMatchObject({ language: "zh-Hans", after: null });
  expect(socket.sentOf("Watch")).toEqual([{ type: "Watch", table: "T1", after: null }]);
  first.receive({ ...TableSnapshot, view: { ...TableSnapshot.view, phase: "closed" } });
  expect(link.table("T1").view.value?.phase).toBe("betting");
});

test("a left table is watched no longer, and its news ignored", () => {
  const { server, link } = sit();
  const before = link.table("T1");
  link.leave("T1");
  server.socket.receive(totals(1041, 1040, { small: 5 }));
  expect(before.total("small").value).toBe(12_000);
  expect(server.socket.sent.at(-1)).toEqual({ type: "Unwatch", table: "T1" });
  expect(link.table("T1")).not.toBe(before);
});

test("staff hear what happens, each thing once, and what the pit is shown", () => {
  const { server, link } = sit({ staff: true, session: "token" });
  const staff = vi.fn();
  const notices = vi.fn();
  link.onStaff(staff);
  link.onNotice(notices);
  link.listen("cage");
  expect(server.socket.sent.at(-1)).toEqual({ type: "Watch", table: "cage" });
  server.socket.receive(oneServerOfEach.Staff, oneServerOfEach.Staff, oneServerOfEach.Notice);
  expect(staff).toHaveBeenCalledExactlyOnceWith(oneServerOfEach.Staff);
  expect(notices).toHaveBeenCalledExactlyOnceWith(oneServerOfEach.Notice);
});

test.each([
  [4000, "ended"],
  [4001, "ended"],
  [4002, "ended"],
  [4004, "ended"],
  [4003, "lost"],
  [1012, "lost"],
  [1009, "lost"],
  [1006, "lost"],
])("after close code %i the link is %s, in the venue's words", async (code, status) => {
  const { server, link } = sit();
  server.socket.receive({ type: "Fault", code: "WHY", sentence: "This is why." });
  server.socket.closes(code, "WHY");
  expect([link.status.value, link.why.value]).toEqual([status, "This is why."]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.sockets.length > 1).toBe(status === "lost");
  if (status === "lost") {
    server.welcome();
    expect(link.why.value).toBeNull();
  }
});

test("a fault that was no end is not told as the reason of a later loss", () => {
  const { server, link } = sit();
  server.socket.receive({ type: "Fault", code: "NO_SUCH_TABLE", sentence: "There is no such table." });
  server.socket.closes(1006);
  expect(link.why.value).toBeNull();
});

test("a visitor in a browser where somebody logs out comes back as a visitor", () => {
  const server = new FakeServer();
  const link = openLink({}, server);
  links.push(link);
  server.welcome({ role: "dealer" }).closes(4002, "SESSION_ENDED");
  expect(link.status.value).toBe("lost");
});

test("staff who are welcomed as visitors are not logged in, and are told so", () => {
  const server = new FakeServer();
  const link = openLink({ staff: true }, server);
  server.welcome({ role: "visitor" });
  expect([link.status.value, link.why.value]).toEqual([
    "ended",
    "Nobody is logged in here any more. Log in again.",
  ]);
  expect(server.socket.closed).toBe(true);
});

test("a link that is closed says nothing more, and nobody comes back", async () => {
  const { server, link } = sit();
  link.close();
  expect(server.socket.closed).toBe(true);
  expect(link.status.value).toBe("ended");
  language.value = "zh-Hant";
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.sockets).toHaveLength(1);
});

test("more tables than one connection may watch are refused with a sentence", () => {
  const { link } = sit();
  for (let number = 2; number <= 100; number += 1) link.table(`T${number}`);
  expect(() => link.table("T101")).toThrow("At most 100 tables are watched at a time");
});
