import { act, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Alert, Awaited } from "../../answers.ts";
import { view } from "../../console/fakes.ts";
import { Alerts } from "./alerts.tsx";
import { Card } from "../tables/card.tsx";
import { flagsOf, isIn, sorted, conditionOf } from "../tables/condition.ts";
import { alertOf, AT, AWAITED, floorOf, pitOf, seenOf, TABLE } from "../fakes.ts";
import { Waiting } from "./waiting.tsx";

const ALERTS: readonly Alert[] = [
  alertOf({ at: null, table: "T1", code: "PIT_STOPPED", level: "act", sentence: "table T1 is stopped" }),
  alertOf({ at: AT - 9_000, table: null, code: "copy", level: "watch", sentence: "the copy is late" }),
  alertOf({ at: AT - 1_000, table: "T2", code: "chain", level: "info", sentence: "the chain is sound" }),
  alertOf({ at: AT, table: "T1", code: "PIT_APPROVAL_WAITS", level: "act", sentence: "Petra waits" }),
];

function answering(answers: Readonly<Record<string, unknown>>): void {
  vi.stubGlobal("fetch", (address: string) => {
    const path = new URL(address, "http://venue").pathname;
    return Promise.resolve(new Response(JSON.stringify(answers[path] ?? {})));
  });
}

beforeEach(() => {
  vi.useFakeTimers({ now: AT });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("alerts: what is so now first, then the newest; each level has its shape and its word", () => {
  render(<Alerts floor={floorOf("pit-manager").floor} alerts={ALERTS} />);
  const items = screen.getAllByRole("listitem").map((item) => item.textContent);
  expect(items).toHaveLength(3);
  expect(items[0]).toMatch(/▲ Act.*T1.*since \d\d:\d\d:\d\d.*table T1 is stopped/);
  expect(items[1]).toMatch(/● Info.*T2.*the chain is sound/);
  expect(items[2]).toMatch(/◆ Watch.*the copy is late/);
  const link = within(screen.getByRole("list", { name: /Alerts/ })).getByRole("link", { name: "T1" });
  expect(link.getAttribute("href")).toBe("/pit?table=T1");
});

test("a pit without alerts says so", () => {
  render(<Alerts floor={floorOf("pit-manager").floor} alerts={[]} />);
  expect(screen.getByText("Nothing to report.")).toBeTruthy();
});

test("flags are words, the gravest first, and decide what wants attention", () => {
  const say = (key: string): string => key;
  const t = Object.assign(say, { count: say });
  const reported = { ...TABLE, stopped: "7.4", in_doubt: "die-not-flat", notice_given: true };
  const condition = conditionOf(reported, null);
  const outside = alertOf({ code: "PIT_HOLD_OUTSIDE", level: "watch" });
  const flags = flagsOf(t, condition, false, [outside]);
  expect(flags.map(({ words }) => words)).toEqual(["flag_stopped", "flag_in_doubt", "flag_outside", "flag_notice"]);
  expect(isIn("attention", condition, flags)).toBe(true);
  const calm = conditionOf(TABLE, null);
  expect(isIn("attention", calm, flagsOf(t, calm, false, []))).toBe(false);
  expect(isIn("closed", conditionOf({ ...TABLE, phase: "closed" }, null), [])).toBe(true);
});

test("tables are sorted by what is asked for, equal ones as the server has them", () => {
  const tables = [
    seenOf({ ...TABLE, table: "A", staked: 5, worst: 10 }),
    seenOf({ ...TABLE, table: "B", staked: 50, worst: 10 }),
    seenOf({ ...TABLE, table: "C", staked: 7, worst: 99 }),
  ];
  const names = (order: "name" | "staked" | "worst") => sorted(tables, order).map(({ reported }) => reported.table);
  expect(names("name")).toEqual(["A", "B", "C"]);
  expect(names("staked")).toEqual(["B", "C", "A"]);
  expect(names("worst")).toEqual(["C", "A", "B"]);
});

test("a card says how its table stands, live where it is watched", () => {
  const { floor, server } = floorOf();
  server.view.value = view({ phase: "no-more-bets", round: 1_208 });
  render(<Card floor={floor} seen={seenOf(TABLE, server)} />);
  const card = screen.getByRole("article");
  expect(card.textContent).toContain("■ No More Bets");
  expect(card.textContent).toContain("Round 1,208, Dan Ong");
  expect(card.textContent).toContain("$351.00");
  expect(card.textContent).toContain("9 of 12");
  expect(within(card).getByRole("link", { name: "T1" }).getAttribute("href")).toBe("/pit?table=T1");
});

test("a suspended table does not claim what nobody has said", () => {
  const reported = { ...TABLE, suspended: true, phase: "suspended", round: 0, title: null, pay_table: null, terminals: 0 };
  const { floor } = floorOf();
  const seen = seenOf(reported);
  render(<Card floor={floor} seen={seen} />);
  const card = screen.getByRole("article");
  expect(card.textContent).toContain("Suspended");
  expect(card.textContent).toContain("Not known while suspended");
  expect(card.textContent).not.toMatch(/Round 0|No rulebook|No dice|\$84\.00|of 0/);
  expect(isIn("closed", seen.condition, [])).toBe(false);
});

async function waiting(awaited: Awaited) {
  answering({ "/api/approvals": [awaited], "/api/pit": pitOf([TABLE]) });
  const { floor, server } = floorOf("supervisor");
  Object.assign(server.link, { now: () => Date.now() });
  render(<Waiting floor={floor} />);
  const end = floor.follow();
  await act(async () => {
    await vi.advanceTimersByTimeAsync(10);
  });
  return { floor, end };
}

test("a report that waits is shown as it was made", async () => {
  const command = { type: "ReportIrregularity", code: "dice-exposed", note: "no cap" };
  const sentence = "reported: dice seen too early. “no cap”";
  const { end } = await waiting({ ...AWAITED, sentence, command, expires: null });
  await act(async () => {
    await vi.advanceTimersByTimeAsync(100);
  });
  expect(screen.getByRole("article").textContent).toContain("Petra reported: dice seen too early. “no cap”");
  end();
});

test("what waits is shown with its figures and counts down; when its time is over it goes", async () => {
  const { end } = await waiting(AWAITED);
  const shown = screen.getByRole("article");
  expect(shown.textContent).toContain("Petra asks: change the limits");
  expect(shown.textContent).toContain("$5.00");
  expect(shown.textContent).toContain("$5,000.00");
  expect(within(shown).getByRole("link", { name: "T1" })).toBeTruthy();
  expect(shown.textContent).toContain("(60 s)");
  await act(async () => {
    await vi.advanceTimersByTimeAsync(21_000);
  });
  expect(screen.getByRole("article").textContent).toContain("(39 s)");
  await act(async () => {
    await vi.advanceTimersByTimeAsync(39_500);
  });
  expect(screen.queryByRole("article")).toBeNull();
  end();
});

test("what is asked for in the cage is shown with where it is", async () => {
  const command = { type: "SellVoucher", value: 2_000_000, place: "Counter 1" };
  const sentence = "sell a voucher of 20,000.00 at Counter 1";
  const { end } = await waiting({ ...AWAITED, to: "cage", person: "Chao", sentence, command });
  const shown = screen.getByRole("article");
  expect(shown.textContent).toContain("Chao asks: sell a voucher of 20,000.00 at Counter 1");
  expect(shown.textContent).toContain("The cage");
  end();
});

test("the cage, suspended, is resumed from its alert by who may", async () => {
  const requests: string[] = [];
  vi.stubGlobal("fetch", (address: string) => {
    requests.push(new URL(address, "http://venue").pathname);
    return Promise.resolve(new Response(JSON.stringify({ stream: "cage", version: 7 })));
  });
  const alert = alertOf({ table: null, code: "PIT_CAGE_SUSPENDED", sentence: "the cage is suspended: the disk is full" });
  const { unmount } = render(<Alerts floor={floorOf("supervisor").floor} alerts={[alert]} />);
  expect(screen.queryByRole("button", { name: "Resume the cage" })).toBeNull();
  expect(screen.getByText(/A pit manager or a technician/)).toBeTruthy();
  unmount();
  render(<Alerts floor={floorOf("pit-manager").floor} alerts={[alert]} />);
  screen.getByRole("button", { name: "Resume the cage" }).click();
  await act(async () => {
    await vi.runAllTimersAsync();
  });
  expect(requests[0]).toBe("/api/cage/resume");
});

test("clocks that do not agree are shown beside each other; a manager asks, and it waits for another", async () => {
  const clock = {
    ...{ venue: AT, machine: AT + 7_200_000, database: AT, ahead_ms: 7_200_000, database_ms: -7_200_000 },
    may_ask: true,
  };
  const sentence = "the machine's clock is 7200 seconds ahead";
  const alert = alertOf({ at: null, table: null, code: "PIT_CLOCK_AHEAD", level: "act", sentence });
  const command = { type: "AcceptClock", ahead_ms: 7_200_000, database_ms: -7_200_000 };
  const told = { "/api/pit": { ...pitOf([TABLE], [alert]), clock } };
  answering({ ...told, "/api/approvals": [] });
  const { floor, server } = floorOf("shift-manager");
  Object.assign(server.link, { now: () => Date.now() });
  const end = floor.follow();
  await act(async () => {
    await vi.advanceTimersByTimeAsync(10);
  });
  const shown = render(<Alerts floor={floor} alerts={[alert]} />);
  const times = [...shown.container.querySelectorAll("dd")].map((each) => each.textContent);
  expect(times).toHaveLength(3);
  expect(times[0]).toBe(times[2]);
  expect(times[1]).not.toBe(times[0]);
  const accept = screen.getByRole<HTMLButtonElement>("button", { name: "The machine’s clock is right" });
  answering({ ...told, "/api/approvals": [{ ...AWAITED, to: "venue", command, sentence: "believe the machine's clock" }] });
  accept.click();
  await act(async () => {
    await vi.advanceTimersByTimeAsync(1_000);
  });
  expect(server.sent).toEqual([command]);
  // While it waits it is not asked for again.
  accept.click();
  expect(server.sent).toHaveLength(1);
  render(<Waiting floor={floor} />);
  expect(screen.getByRole("article").textContent).toContain("Petra asks: believe the machine's clock");
  end();
});

test("who may not ask is told who does", async () => {
  const clock = { venue: AT, machine: AT, database: AT + 90_000, ahead_ms: 0, database_ms: 90_000, may_ask: false };
  const alert = alertOf({ at: null, table: null, code: "PIT_CLOCK_DATABASE", level: "act", sentence: "90 seconds apart" });
  answering({ "/api/approvals": [], "/api/pit": { ...pitOf([TABLE], [alert]), clock } });
  const { floor } = floorOf("supervisor");
  const end = floor.follow();
  await act(async () => {
    await vi.advanceTimersByTimeAsync(10);
  });
  render(<Alerts floor={floor} alerts={[alert]} />);
  expect(screen.queryByRole("button", { name: /clock is right/ })).toBeNull();
  expect(screen.getByText(/a manager says so here/)).toBeTruthy();
  end();
});
