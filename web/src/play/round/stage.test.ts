import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { AnyPublicEvent, Line, PrivateRoundSettled, RoundOutcome, TableView } from "../../protocol.ts";
import { HOLD, Stage } from "./stage.ts";
import type { Scene } from "./stage.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const opened: AnyPublicEvent = { type: "BetsOpened", words: "Place your bets", clause: "3.2" };
const closed: AnyPublicEvent = { type: "BetsClosed", words: "No more bets", bell: true, clause: "3.6", report: null, displayed: false };
const entered: AnyPublicEvent = {
  type: "ResultEntered", faces: [1, 2, 3], total: 6, call: "1, 2, 3, total 6",
};
const confirmed: AnyPublicEvent = { type: "ResultConfirmed", faces: [1, 2, 3], winners: ["small"] };
const settledForAll: AnyPublicEvent = {
  type: "RoundSettled", round: 7, faces: [1, 2, 3], odds: {}, total: 6, size: "small", parity: "even",
};

const won: Line = { box: "small", stake: 500, won: 500, back: 1_000 };
const lost: Line = { box: "big", stake: 300, won: 0, back: 0 };

/** A settled round: the terminal's event, and its view afterwards. */
function settled(...lines: Line[]): [PrivateRoundSettled, RoundOutcome] {
  const of = (part: "won" | "back"): number => lines.reduce((all, line) => all + (line[part] ?? 0), 0);
  const round = { round: 7, won: of("won"), back: of("back") };
  return [{ type: "RoundSettled", round: 7 }, { ...round, faces: [1, 2, 3], lines }];
}

function table(phase: string, more: Partial<TableView> = {}): TableView {
  return {
    table: "T1", currency: "SGD", phase, round: 7, tumbler: "simulated", rulebook: null, limits: null, sign: [],
    operator: null, apart: [], put_away: [],
    totals: {}, terminals: 1, tumbled: false, uncovered: false, faces: null, call: null, winners: [], tested: null, lit: [],
    notice_given: false, stopped: null,
    doubts: [], waiting: false, commitment: null, rounds: {}, form: "terminals", seats: 0,
    taken: [], marked: [], paying: false, interrupted: false, ...more,
  };
}

/** Every scene in the order it is shown, with the time at which it was. */
function watched(stage: Stage): [Scene, number][] {
  const seen: [Scene, number][] = [];
  const began = Date.now();
  stage.scene.subscribe((scene) => seen.push([scene, Date.now() - began]));
  return seen;
}

describe("the stage", () => {
  it("shows one scene after another, though all is shown at once", () => {
    const stage = new Stage();
    const seen = watched(stage);
    for (const event of [opened, closed, entered, confirmed]) stage.receive(event);
    expect(stage.faces.value).toBeNull();
    vi.runAllTimers();
    expect(seen.map(([scene]) => scene)).toEqual(["idle", "betting", "closed", "result", "lit"]);
    expect(stage.faces.value).toEqual([1, 2, 3]);
    expect(stage.call.value).toBe("1, 2, 3, total 6");
    expect([...stage.lit.value]).toEqual(["small"]);
  });

  it("collects losing chips first and pays then, within a second and a half", () => {
    const stage = new Stage();
    stage.receive(confirmed);
    vi.runAllTimers();
    const seen = watched(stage);
    stage.receive(settledForAll);
    stage.receiveOwn(...settled(won, lost));
    expect(stage.lines.value.get("small")).toEqual(won);
    vi.runAllTimers();
    const scenes = seen.map(([scene]) => scene).filter((scene) => scene !== "lit");
    expect(scenes.slice(scenes.indexOf("collect"))).toEqual(["collect", "pay", "over"]);
    expect((HOLD.collect ?? 0) + (HOLD.pay ?? 0)).toBeLessThanOrEqual(1_500);
    expect(stage.net.value).toEqual({ round: 7, stake: 800, won: 500, back: 1_000 });
  });

  it("collects nothing where all has won, and pays nothing where all is lost", () => {
    const stage = new Stage();
    const seen = watched(stage);
    stage.receiveOwn(...settled(won));
    vi.runAllTimers();
    stage.receiveOwn(...settled(lost));
    vi.runAllTimers();
    expect(seen.map(([scene]) => scene)).toEqual(["idle", "pay", "over", "collect", "over"]);
  });

  it("holds nothing back when the server calls for bets again", () => {
    const stage = new Stage();
    const seen = watched(stage);
    for (const event of [closed, entered, confirmed]) stage.receive(event);
    stage.receiveOwn(...settled(won));
    stage.receive(opened);
    expect(seen.map(([scene]) => scene)).toEqual([
      "idle", "closed", "result", "lit", "pay", "over", "betting",
    ]);
    expect(stage.lines.value.size).toBe(0);
    expect(stage.lit.value.size).toBe(0);
  });

  it("tells a void round, with nothing lit any more", () => {
    const stage = new Stage();
    stage.receive(confirmed);
    const why = { round: 7, sentence: "A die did not lie flat.", clause: "5.5.2" };
    stage.receive({ type: "RoundVoided", code: "die-not-flat", ...why });
    vi.runAllTimers();
    expect(stage.scene.value).toBe("void");
    expect(stage.voided.value).toEqual({ ...why, code: "die-not-flat", lang: "en" });
    expect(stage.lit.value.size).toBe(0);
  });

  it("shows an amended result in the place of the one before", () => {
    const stage = new Stage();
    stage.receive(entered);
    stage.receive(confirmed);
    stage.receive({
      type: "ResultAmended", faces: [4, 4, 4], total: 12, call: "triple 4", before: [1, 2, 3], clause: "7.2",
    });
    vi.runAllTimers();
    expect(stage.faces.value).toEqual([4, 4, 4]);
    expect(stage.amended.value).toMatchObject({ before: [1, 2, 3], clause: "7.2" });
    expect(stage.lit.value.size).toBe(0);
  });

  it("calls the same dice in other words when the server sends them anew", async () => {
    const stage = new Stage();
    for (const event of [opened, closed, entered, confirmed]) stage.receive(event);
    vi.runAllTimers();
    stage.see(table("confirmed", { faces: [1, 2, 3], call: "1、2、3，共 6 点", winners: ["small"] }));
    await Promise.resolve();
    expect(stage.call.value).toBe("1、2、3，共 6 点");
    expect(stage.scene.value).toBe("lit");
  });

  it("is where the table is after a snapshot", async () => {
    const stage = new Stage();
    stage.see(table("confirmed", { faces: [1, 2, 3], call: "1, 2, 3", winners: ["small"] }));
    await Promise.resolve();
    expect(stage.scene.value).toBe("lit");
    expect(stage.faces.value).toEqual([1, 2, 3]);
    expect([...stage.lit.value]).toEqual(["small"]);
    stage.see(table("betting"));
    await Promise.resolve();
    expect(stage.scene.value).toBe("betting");
    expect(stage.faces.value).toBeNull();
  });

  it("leaves the ceremony its time while the table is already further", async () => {
    const stage = new Stage();
    stage.receive(closed);
    stage.see(table("confirmed"));
    stage.receive(entered);
    stage.receive(confirmed);
    await Promise.resolve();
    expect(stage.scene.value).toBe("closed");
    vi.runAllTimers();
    expect(stage.scene.value).toBe("lit");
  });

  it("stays with what was paid until the next round", async () => {
    const stage = new Stage();
    stage.see(table("confirmed"));
    stage.receiveOwn(...settled(won));
    vi.runAllTimers();
    await Promise.resolve();
    expect(stage.scene.value).toBe("over");
    stage.see(table("ready"));
    await Promise.resolve();
    expect(stage.scene.value).toBe("over");
    expect(stage.net.value?.won).toBe(500);
  });

  it("shows nothing more after its end", () => {
    const stage = new Stage();
    stage.receive(closed);
    stage.receive(entered);
    stage.end();
    vi.runAllTimers();
    expect(stage.scene.value).toBe("closed");
  });
});

describe("the tumble", () => {
  const tumble: AnyPublicEvent = { type: "TumbleRecorded", times: 3 };
  const tell = async (stage: Stage, event: AnyPublicEvent, ...view: Parameters<typeof table>): Promise<void> => {
    stage.see(table(...view));
    stage.receive(event);
    await Promise.resolve();
  };
  const lie = ({ tumbled, covered, rolling }: Stage): string =>
    rolling.value ? "rolling" : covered.value ? "covered" : tumbled.value ? "seen" : "none";

  it("is drawn when it is recorded, and not as long as nobody tumbles", async () => {
    const stage = new Stage();
    await tell(stage, closed, "no-more-bets");
    expect([stage.scene.value, lie(stage)]).toEqual(["closed", "none"]);
    vi.runAllTimers();
    expect(lie(stage)).toBe("none");
    await tell(stage, tumble, "no-more-bets", { tumbled: true });
    expect([stage.tumbled.value, lie(stage)]).toEqual([true, "rolling"]);
    vi.advanceTimersByTime(HOLD.closed ?? 0);
    expect(lie(stage)).toBe("covered");
    await tell(stage, entered, "result", { tumbled: true, uncovered: true, faces: [1, 2, 3] });
    vi.runAllTimers();
    expect(lie(stage)).toBe("none");
  });

  it("takes no time of its own where it follows the close at once", async () => {
    const stage = new Stage();
    const seen = watched(stage);
    await tell(stage, closed, "no-more-bets");
    await tell(stage, tumble, "no-more-bets", { tumbled: true });
    expect(lie(stage)).toBe("rolling");
    await tell(stage, entered, "result", { tumbled: true, uncovered: true, faces: [1, 2, 3] });
    vi.runAllTimers();
    expect(seen.at(-1)).toEqual(["result", HOLD.closed]);
  });

  it("comes before the bets where the document says so", async () => {
    const stage = new Stage();
    await tell(stage, tumble, "tumbled", { tumbled: true });
    vi.runAllTimers();
    expect([stage.scene.value, lie(stage)]).toEqual(["tumbled", "covered"]);
    await tell(stage, opened, "betting", { tumbled: true });
    expect([stage.scene.value, lie(stage)]).toEqual(["betting", "covered"]);
  });

  it("that does not count leaves a round without dice", async () => {
    const stage = new Stage();
    await tell(stage, tumble, "tumbled", { tumbled: true });
    vi.runAllTimers();
    stage.see(table("tumbled"));
    await Promise.resolve();
    expect([stage.scene.value, lie(stage)]).toEqual(["idle", "none"]);
  });

  it.each([
    ["betting", {}, "none"],
    ["betting", { tumbled: true }, "covered"],
    ["no-more-bets", {}, "none"],
    ["no-more-bets", { tumbled: true }, "covered"],
    ["no-more-bets", { tumbled: true, uncovered: true }, "seen"],
  ] as const)("is known to whoever comes at %s with %o: %s", async (phase, more, how) => {
    const stage = new Stage();
    stage.see(table(phase, more));
    await Promise.resolve();
    expect(lie(stage)).toBe(how);
    // Whoever was there before says the same.
    if (phase === "betting") await tell(stage, closed, "no-more-bets", more);
    expect(lie(stage)).toBe(how);
  });
});

describe("dice that were wrong", () => {
  const summary = { round: 7, faces: [1, 2, 4] as const, void: false, total: 7, size: "small", parity: "odd" } as const;
  const over = (): Stage => {
    const stage = new Stage();
    for (const event of [entered, confirmed, settledForAll]) stage.receive(event);
    vi.runAllTimers();
    return stage;
  };

  it("are those of the amendment for whoever was away when it was made", async () => {
    const stage = new Stage();
    stage.receive(entered);
    stage.receive(confirmed);
    vi.runAllTimers();
    stage.see(table("confirmed", { faces: [1, 2, 4], call: "1, 2, 4, total 7", winners: ["small", "odd"] }));
    await Promise.resolve();
    expect([stage.scene.value, stage.faces.value, stage.call.value]).toEqual(["lit", [1, 2, 4], "1, 2, 4, total 7"]);
    expect([...stage.lit.value]).toEqual(["small", "odd"]);
  });

  it("go when the round that is over is settled again, with what they had been", async () => {
    const stage = over();
    stage.receive({
      type: "RoundResettled", round: 7, faces: [1, 2, 4], before: [1, 2, 3], clause: "5.6", total: 7, size: "small", parity: "odd",
    });
    stage.see(table("ready", { rounds: { 7: summary } }));
    await Promise.resolve();
    expect([stage.scene.value, stage.faces.value, stage.call.value]).toEqual(["over", [1, 2, 4], null]);
    expect(stage.amended.value).toMatchObject({ before: [1, 2, 3], clause: "5.6" });
    expect([...stage.lit.value]).toEqual([]);
  });

  it.each([
    ["it is reversed", { rounds: { 7: { ...summary, void: true } } }],
    ["another round came and went unseen", { round: 8, rounds: { 8: { ...summary, round: 8 } } }],
  ])("are not shown as the last when %s", async (_, more) => {
    const stage = over();
    stage.see(table("ready", more));
    await Promise.resolve();
    expect([stage.scene.value, stage.faces.value]).toEqual(["idle", null]);
  });
});

it.each([
  ["in doubt", { doubts: ["die-not-flat"] }],
  ["waiting for somebody", { waiting: true }],
])("nothing tumbles while the round is %s", (_, more) => {
  const stage = new Stage();
  stage.see(table("no-more-bets", { tumbled: true }));
  stage.receive(closed);
  stage.receive({ type: "TumbleRecorded", times: 3 });
  expect(stage.rolling.value).toBe(true);
  stage.see(table("no-more-bets", more));
  expect(stage.rolling.value).toBe(false);
});
