import { signal } from "@preact/signals";
import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { Area } from "../answers.ts";
import { seated, type FakeServer } from "../live/link/fake_server.ts";
import type { Link } from "../live/index.ts";
import { oneServerOfEach } from "../protocol.examples.ts";
import type { AnyPrivateEvent, AnyPublicEvent, Line, PositionChanges, TableChanges } from "../protocol.ts";
import { Announcer } from "../shell/announcer.tsx";
import { NoticeNow } from "../shell/notices.tsx";
import { openGame, type Printed, type Game } from "./game.ts";
import { Terminal } from "./terminal.tsx";
import { chooseMode, letters } from "./preferences.ts";

const AREAS: readonly Area[] = [
  { box: "small", kind: "small", name: "Small", code: "s", pays: "1", prints: [], x: 0, y: 0, w: 4, h: 2 },
  { box: "total-10", kind: "total", name: "Total 10", code: "t10", pays: "6", prints: [], x: 4, y: 0, w: 4, h: 2 },
  { box: "big", kind: "big", name: "Big", code: "b", pays: "1", prints: [], x: 8, y: 0, w: 4, h: 2 },
];
const NAMED = { pay_table: "ts6/2", layout: "Appendix C" };
const PRINTED: Printed = {
  layout: {
    ...{ pay_table: "ts6/2", sha256: "0", name: "Appendix C", clause: "C", columns: 12, rows: 2 },
    areas: AREAS,
    captions: [],
  },
  odds: {
    ...NAMED,
    rulebook: { key: "ts6", title: "Tai Sai", version: "6", effective: null, sha256: "0" },
    boxes: AREAS.map(({ box, kind, name, pays }) => ({
      ...{ box, kind, name, pays, ways: 27, probability: "1/8", house_edge: "1/8", clause: "4.1.2" },
    })),
  },
};

let server: FakeServer;
let link: Link;
let game: Game;
/** The newest sequences of the private and the public channel. */
let own: number;
let all: number;

beforeEach(() => {
  localStorage.clear();
  chooseMode("full");
  letters.value = "on";
  ({ server, link } = seated());
  own = oneServerOfEach.TerminalSnapshot.sequence;
  all = oneServerOfEach.TableSnapshot.sequence;
  const { terminal } = link;
  if (terminal === null) throw new Error("This link is a terminal's.");
  game = openGame(link, "T1", terminal, signal(PRINTED));
  render(
    <>
      <Terminal game={game} />
      <Announcer />
      <NoticeNow />
    </>,
  );
});

afterEach(() => {
  vi.useRealTimers();
  cleanup();
  game.end();
  link.close();
});

/** The changes to the terminal's view for the bets of these tests. */
const REGISTERED = { credits: 96_500, staked: 3_500, bets: { small: 2_500, big: 1_000 } };

/** The server sends this terminal something. */
async function tellOwn(event: AnyPrivateEvent, changes: PositionChanges): Promise<void> {
  const after = own;
  own += 1;
  const message = { type: "Private", table: "T1", sequence: own, after, at: 1, events: [event], changes };
  await act(() => server.socket.receive(message));
}

/** The changes to the table's view by an event, as far as these tests need them. */
function changesOf(event: AnyPublicEvent): TableChanges {
  switch (event.type) {
    case "BetsOpened":
      return { phase: "betting" };
    case "BetsClosed":
      return { phase: "no-more-bets" };
    case "TumbleRecorded":
      return { tumbled: true };
    case "ResultEntered":
      return { phase: "result", faces: event.faces, call: event.call };
    case "ResultConfirmed":
      return { phase: "confirmed", winners: event.winners };
    case "TableStopped":
      return { stopped: event.clause };
    case "RoundVoided":
      return { phase: "ready", faces: null, call: null, winners: [] };
    default:
      return {};
  }
}

/** The server sends everybody something. */
async function tellAll(event: AnyPublicEvent): Promise<void> {
  const after = all;
  all += 1;
  const message = { type: "Public", table: "T1", sequence: all, after, at: 1, events: [event], changes: changesOf(event) };
  await act(() => server.socket.receive(message));
}

/** The commands sent over the socket. */
const sent = () => server.socket.sentOf("Ask").map(({ command }) => command);

function lastId(): string {
  const id = server.socket.sentOf("Ask").at(-1)?.id;
  if (id === undefined) throw new Error("Nothing was asked.");
  return id;
}

async function answerRegistered(): Promise<void> {
  const answer = { type: "Registered", id: lastId(), to: "T1", first: 1, last: 1, at: 1 };
  await answered(answer);
}

/** Give an answer, and wait until the caller has it. */
async function answered(answer: object): Promise<void> {
  await act(async () => {
    server.socket.receive(answer);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  });
}

async function answerRefused(sentence: string, params: object = {}): Promise<void> {
  const reason = { code: "REFUSED", params };
  const answer = { type: "Refused", id: lastId(), code: "REFUSED", sentence, reason, clause: "5.1" };
  await answered(answer);
}

const box = (name: string) => screen.getByRole("button", { name: new RegExp(`^${name}, pays`) });
const button = (name: string | RegExp) => screen.getByRole("button", { name });
const slip = () => screen.getByRole("region", { name: "Your slip" });
const press = (element: HTMLElement) => act(() => void fireEvent.click(element));
const place = () => press(button(/^Place bets/));
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
/** The text below "Place bets". */
const underPlace = () => document.getElementById("place-more")?.textContent;
const says = (element: HTMLElement) => element.getAttribute("aria-label") ?? "";

describe("chips", () => {
  test("are put down, on their way, registered, and settled", async () => {
    await press(button("Chip of $25.00"));
    await press(box("Small"));
    expect(says(box("Small"))).toContain("25.00 put down, not yet sent");
    await place();
    expect(sent()).toEqual([{ type: "PlaceBets", terminal: "T1-1", bets: [["small", 2_500]], round: 214 }]);
    expect(says(box("Small"))).toContain("25.00 on its way");
    await press(button(/^On its way/));
    expect(sent()).toHaveLength(1);
    await tellOwn({ type: "BetsRegistered", bets: [["small", 2_500]] }, { credits: 97_500, staked: 2_500, bets: { small: 2_500 } });
    await answerRegistered();
    expect(says(box("Small"))).toContain("your bet 25.00");
    expect(within(slip()).getByText("registered")).toBeTruthy();
  });

  test("of a small unit add up to the minimum before they are sent", async () => {
    await press(button("Chip of $5.00"));
    await press(box("Small"));
    expect(slip().textContent).toContain("needs 5.00 more");
    expect(button(/^Place bets/).getAttribute("aria-disabled")).toBe("true");
    await place();
    expect(sent()).toEqual([]);
    await press(within(slip()).getByRole("button", { name: "Fill up" }));
    await place();
    expect(sent()).toEqual([{ type: "PlaceBets", terminal: "T1-1", bets: [["small", 1_000]], round: 214 }]);
  });

  test("worth the rest put down exactly what is left", async () => {
    await tellOwn({ type: "CreditsReceived", transit: "cage-1", amount: 23_500 }, { credits: 123_500 });
    await press(button("Chip of $1,000.00"));
    await press(box("Small"));
    await press(button("All that is left: $235.00"));
    await press(box("Total 10"));
    await place();
    const bets = [["small", 100_000], ["total-10", 23_500]];
    expect(sent()).toEqual([{ type: "PlaceBets", terminal: "T1-1", bets, round: 214 }]);
  });

  test("that are registered can be taken back, one box or all", async () => {
    await tellOwn({ type: "BetsRegistered", bets: [["small", 2_500], ["big", 1_000]] }, REGISTERED);
    await press(button("Take back the bet on Small"));
    await answerRegistered();
    await press(button("Take all back"));
    expect(sent()).toEqual([
      { type: "WithdrawBets", terminal: "T1-1", bets: [["small", 2_500]], round: 214 },
      { type: "ClearBets", terminal: "T1-1", round: 214 },
    ]);
  });
});

test("with nothing left a player is not asked for chips", async () => {
  expect(underPlace()).toBe("Put chips on the layout");
  await tellOwn({ type: "CashedOut", amount: 100_000 } as AnyPrivateEvent, { credits: 0 });
  expect(underPlace()).toBe("Nothing is left to bet with.");
});

describe("bets that are registered", () => {
  const told = () => document.querySelector("[aria-live=polite]")?.textContent;
  const registers = (staked: number, more: { on_behalf?: boolean } = {}) =>
    tellOwn({ type: "BetsRegistered", bets: [["small", 500]], ...more }, { staked, bets: { small: staked } });

  test("are told to who listens, once for all that are placed together", async () => {
    vi.useFakeTimers();
    for (const staked of [500, 1_000, 1_500]) {
      await registers(staked);
      await pass(400);
    }
    expect(told()).not.toContain("Your bets are placed");
    await pass(600);
    expect(told()).toBe("Your bets are placed: $15.00");
  });

  test("are told by a notice where staff placed them", async () => {
    vi.useFakeTimers();
    await registers(500, { on_behalf: true });
    await pass(2_000);
    expect(told()).not.toContain("Your bets are placed");
  });

  test("are not told once their round is void", async () => {
    vi.useFakeTimers();
    await registers(500);
    await tellOwn({ type: "RoundVoided", round: 214, code: "die-not-flat", clause: "5.5.2" }, { staked: 0, bets: null });
    await pass(2_000);
    expect(told()).not.toContain("Your bets are placed");
  });
});

describe("a refusal", () => {
  test("stands next to the box it names, and the draft is given back", async () => {
    await press(box("Big"));
    await place();
    await answerRefused("The bets on Big are above the maximum.", { box: "big" });
    expect(screen.getByRole("status", { name: "Refused bets" }).textContent).toContain(
      "The bets on Big are above the maximum.",
    );
    expect(says(box("Big"))).toContain("10.00 refused");
    await press(box("Big"));
    expect(says(box("Big"))).toContain("20.00 put down");
    expect(screen.getByRole("status", { name: "Refused bets" }).textContent).toBe("");
  });

  test("that names no box stands on the slip, with its clause", async () => {
    await press(box("Big"));
    await place();
    await answerRefused("too late: no more bets.");
    expect(underPlace()).toBe("Too late: no more bets. [clause 5.1]");
    expect(says(box("Big"))).toContain("10.00 put down");
  });
});

describe("a round", () => {
  const closed: AnyPublicEvent = { type: "BetsClosed", words: "No more Bets", bell: true, clause: "3.6", report: null, displayed: false };
  const call = "2, 3, 5, total 10";
  const entered: AnyPublicEvent = { type: "ResultEntered", faces: [2, 3, 5], total: 10, call };
  const confirmed: AnyPublicEvent = {
    type: "ResultConfirmed", faces: [2, 3, 5], winners: ["small", "total-10"],
  };
  const won: Line = { box: "small", stake: 2_500, won: 2_500, back: 5_000, odds: "1" };
  const lost: Line = { box: "big", stake: 1_000, won: 0, back: 0 };

  async function toConfirmed(): Promise<void> {
    await tellOwn({ type: "BetsRegistered", bets: [["small", 2_500], ["big", 1_000]] }, REGISTERED);
    vi.useFakeTimers();
    await tellAll(closed);
    await tellAll(entered);
    await tellAll(confirmed);
  }

  test("says no more bets at once, then shows the dice, then lights the winners", async () => {
    await toConfirmed();
    expect(screen.getByRole("alert").textContent).toBe("No More Bets");
    expect(screen.queryByText(call)).toBeNull();
    expect(says(box("Small"))).not.toContain("wins");
    await pass(1_400);
    expect(screen.getAllByText(call).length).toBeGreaterThan(0);
    expect(says(box("Small"))).not.toContain("wins");
    await pass(900);
    expect(box("Small").className).toContain("layout-lit");
    expect(box("Big").className).not.toContain("layout-lit");
    expect(says(box("Total 10"))).toContain("wins");
    await tellAll({ type: "BetsOpened", words: "Place your Bets, please", clause: "3.2" });
    expect(says(box("Total 10"))).not.toContain("wins");
  });

  test("collects the losing chips, then pays the winning ones, then says what it came to", async () => {
    await toConfirmed();
    await pass(5_000);
    const last = { round: 214, won: 2_500, back: 5_000, faces: [2, 3, 5] as const, lines: [won, lost] };
    await tellOwn({ type: "RoundSettled", round: 214 }, { credits: 101_500, staked: 0, bets: null, last });
    expect(says(box("Big"))).toContain("lost 10.00");
    expect(says(box("Small"))).toContain("your bet 25.00");
    await pass(600);
    expect(says(box("Big"))).not.toContain("lost");
    expect(says(box("Small"))).toContain("won, 50.00 for you");
    await pass(800);
    expect(screen.getAllByText("You won $15.00").length).toBeGreaterThan(0);
  });

  test("that gives back less than was staked is not called a win", async () => {
    await toConfirmed();
    const less: Line = { box: "small", stake: 2_500, won: 500, back: 3_000 };
    const last = { round: 214, won: 500, back: 3_000, faces: [2, 3, 5] as const, lines: [less, lost] };
    await tellOwn({ type: "RoundSettled", round: 214 }, { credits: 99_500, staked: 0, bets: null, last });
    await pass(6_000);
    expect(screen.getAllByText("$30.00 came back of $35.00: $5.00 lost").length).toBeGreaterThan(0);
    expect(screen.queryByText(/You won/)).toBeNull();
  });

  test("that is void says why, by which clause, and what came back", async () => {
    await toConfirmed();
    const event = { round: 214, code: "die-not-flat", clause: "5.5.2" };
    const last = { round: 214, lines: [], back: 3_500 };
    const changes = { credits: 100_000, staked: 0, bets: null, last };
    await tellOwn({ ...event, type: "RoundVoided" }, changes);
    await tellAll({ ...event, type: "RoundVoided", sentence: "A die did not lie flat." });
    await pass(5_000);
    const status = screen.getByRole("region", { name: "The round" }).textContent;
    expect(status).toContain("Void round");
    expect(status).toContain("A die did not lie flat.");
    expect(status).toContain("[clause 5.5.2] Your bets came back: $35.00.");
  });

  test("that is in doubt has dice that wait, and do not tumble on", async () => {
    await tellAll(closed);
    expect(screen.getByText("The dice are not tumbled yet")).toBeTruthy();
    expect(document.querySelector(".tumbler-rolling"), "nothing tumbles that is not recorded").toBeNull();
    await tellAll({ type: "TumbleRecorded", times: 3 });
    expect(screen.getByText("The dice are tumbled and covered")).toBeTruthy();
    expect(document.querySelector(".tumbler-rolling")).not.toBeNull();
    const after = all;
    all += 1;
    const doubt = { doubts: ["die-not-flat"] };
    const told = { type: "Public", table: "T1", sequence: all, after, at: 1, events: [], changes: doubt };
    await act(() => server.socket.receive(told));
    expect(document.querySelector(".tumbler-rolling")).toBeNull();
    expect(screen.getByText("The dice wait until the table goes on")).toBeTruthy();
  });

  test("that was placed whole is not asked for chips", async () => {
    expect(underPlace()).toBe("Put chips on the layout");
    await tellOwn({ type: "BetsRegistered", bets: [["small", 2_500]] }, REGISTERED);
    expect(underPlace()).toBe("Your bets are placed: $35.00");
  });

  test("keeps a draft that was not sent for the next one, and says so", async () => {
    await press(box("Big"));
    await tellAll(closed);
    expect(underPlace()).toContain("kept for the next round");
    expect(says(box("Big"))).toContain("10.00 put down");
    expect(button(/^Place bets/).getAttribute("aria-disabled")).toBe("true");
  });
});

describe("without the venue", () => {
  test("chips stay on their way, and what needs it says why it is off", async () => {
    await press(box("Small"));
    await place();
    await act(() => server.socket.closes(1012));
    expect(says(box("Small"))).toContain("10.00 on its way");
    await press(box("Big"));
    expect(underPlace()).toBe("Not connected to the server");
    expect(button(/^On its way/).getAttribute("aria-disabled")).toBe("true");
  });

  test.each([
    ["suspended", { type: "Suspended", table: "T1", suspended: true }, /takes nothing for the moment/],
  ])("it is shown when the table is %s", async (_, message, words) => {
    await act(() => server.socket.receive(message));
    expect(screen.getByText(words)).toBeTruthy();
  });

  test("it is shown when the table has stopped, by its clause", async () => {
    await tellAll({ type: "TableStopped", clause: "7.4" });
    expect(screen.getByText(/No further games.*\[clause 7\.4\]/)).toBeTruthy();
  });

  test("a large win locks the terminal, and an attendant is promised", async () => {
    await tellOwn({ type: "TerminalLocked", won: 1_000_000 }, { credits: 1_100_000, locked: true });
    expect(screen.getByText(/An attendant comes to you/)).toBeTruthy();
  });

  test("a locked terminal offers nothing that the venue would refuse, until it is unlocked", async () => {
    const off = ["Rebet", "Rebet ×2", "Chip of $5.00", "Take chips off a box", "Cash out"];
    const isOff = (name: string) => button(name).getAttribute("aria-disabled") === "true";
    expect(off.filter(isOff)).toEqual([]);
    await tellOwn({ type: "TerminalLocked", won: 1_000_000 }, { credits: 1_100_000, locked: true });
    expect(off.filter(isOff)).toEqual(off);
    expect(isOff("Buy in")).toBe(false);
    expect(underPlace()).toBe("An attendant must unlock this terminal");
    expect(screen.queryByText(/Choose a chip, then a box/)).toBeNull();
    await press(box("Small"));
    await press(button("Rebet"));
    expect(says(box("Small"))).not.toContain("put down");
    await press(button("Cash out"));
    expect(screen.queryByRole("dialog")).toBeNull();
    await tellOwn({ type: "LockCleared" }, { locked: false });
    expect(off.filter(isOff)).toEqual([]);
    await press(box("Small"));
    expect(says(box("Small"))).toContain("put down");
  });

  test("a terminal that takes no bets gives them back, and says why where it cannot", async () => {
    await tellOwn({ type: "BetsRegistered", bets: [["small", 2_500], ["big", 1_000]] }, REGISTERED);
    await press(box("Big"));
    await place();
    await answerRefused("Above the maximum.", { box: "big" });
    expect(underPlace()).toContain("Above the maximum.");
    await tellOwn({ type: "TerminalBarred" }, { barred: true });
    expect(underPlace(), "that was said before").toBe("This terminal takes no bets");
    await press(button("Take back the bet on Small"));
    expect(sent().at(-1)).toEqual({ type: "WithdrawBets", terminal: "T1-1", bets: [["small", 2_500]], round: 214 });
    await answerRefused("The Differential would be passed.");
    expect(underPlace()).toBe("The Differential would be passed. [clause 5.1]");
    const isOff = () => button("Take all back").getAttribute("aria-disabled") === "true";
    await tellOwn({ type: "TerminalLocked", won: 1_000_000 }, { locked: true });
    expect(isOff()).toBe(false);
    await tellOwn({ type: "TerminalFailed" }, { failed: true });
    expect(isOff(), "one that has failed").toBe(true);
    await tellOwn({ type: "TerminalReturned" }, { failed: false });
    await press(button("Clear"));
    await press(button("Take all back"));
    expect(sent().at(-1)).toEqual({ type: "ClearBets", terminal: "T1-1", round: 214 });
    await answerRefused("Too late: no more bets.");
    const closed = { type: "BetsClosed", words: "No more Bets", bell: true, clause: "3.6", report: null, displayed: false } as const;
    await tellAll(closed);
    expect(underPlace()).toBe("Too late: no more bets. [clause 5.1]");
    expect(isOff()).toBe(true);
  });

  test("a draft is not kept for a next round that the terminal may not play", async () => {
    await press(box("Big"));
    await tellOwn({ type: "TerminalBarred" }, { barred: true });
    await tellAll({ type: "BetsClosed", words: "No more Bets", bell: true, clause: "3.6", report: null, displayed: false });
    expect(underPlace()).toBe("This terminal takes no bets");
  });

  test("a barred terminal gives a voucher out, and says that it is locked where that keeps it", async () => {
    await press(button("Cash out"));
    await tellOwn({ type: "TerminalBarred" }, { barred: true });
    const dialog = () => screen.getByRole("dialog").textContent;
    const isOff = () => button("Print the voucher").getAttribute("aria-disabled") === "true";
    expect(isOff()).toBe(false);
    await tellOwn({ type: "TerminalLocked", won: 1_000_000 }, { locked: true });
    expect(isOff()).toBe(true);
    expect(dialog()).toContain("An attendant must unlock this terminal");
    expect(dialog()).not.toContain("takes no bets");
    expect(button("Cash out").title).toBe("An attendant must unlock this terminal");
    await tellOwn({ type: "TerminalFailed" }, { failed: true });
    expect(button("Cash out").title).toBe("This terminal is out of service");
    expect(button("Buy in").title).toBe("This terminal is out of service");
  });
});

describe("the keyboard", () => {
  const key = (name: string, more: object = {}) =>
    act(() => void fireEvent.keyDown(document.body, { key: name, ...more }));

  test("chooses chips, places, undoes, repeats and doubles", async () => {
    await key("3");
    await press(box("Small"));
    expect(says(box("Small"))).toContain("25.00");
    await key("z", { ctrlKey: true });
    expect(says(box("Small"))).not.toContain("25.00");
    await key("y", { ctrlKey: true });
    await key("d");
    expect(says(box("Small"))).toContain("50.00");
    await key("c");
    await key("r");
    expect(says(box("Total 10"))).toContain("10.00 put down");
    await key("c");
    await key("R", { shiftKey: true });
    expect(says(box("Total 10"))).toContain("20.00 put down");
    await key("p");
    expect(sent()).toHaveLength(1);
  });

  test("has no single letters where they are switched off, but still its others", async () => {
    letters.value = "off";
    await key("r");
    expect(says(box("Total 10"))).not.toContain("put down");
    await press(box("Small"));
    await key("z", { ctrlKey: true });
    expect(says(box("Small"))).not.toContain("put down");
    await press(box("Small"));
    await key("Enter");
    expect(sent()).toHaveLength(1);
  });

  test("writes where something is written", async () => {
    await press(button("Buy in"));
    const field = screen.getByLabelText("Number of the voucher");
    await act(() => void fireEvent.keyDown(field, { key: "r" }));
    expect(says(box("Total 10"))).not.toContain("put down");
  });

  test("lists itself", async () => {
    await key("?");
    expect(screen.getByRole("dialog", { name: "Keys" }).textContent).toContain("Shift+R");
  });
});

describe("money", () => {
  test("comes by a voucher, whose number is gone from the screen at once", async () => {
    await press(button("Buy in"));
    const field = screen.getByLabelText<HTMLInputElement>("Number of the voucher");
    await act(() => void fireEvent.input(field, { target: { value: "482 915 073-366 104 92" } }));
    // Without a keyboard its digits are entered on the keypad.
    await press(button("Show the keypad"));
    await press(button("7"));
    await press(button("Take the voucher"));
    expect(field.value).toBe("");
    const command = { type: "TakeVoucher", number: "482915073366104927", table: "T1", terminal: "T1-1" };
    expect(sent()).toEqual([command]);
    await answerRefused("There is no such voucher, or it has been paid.");
    expect(screen.getByRole("dialog").textContent).toContain("There is no such voucher");
  });

  test("that has come is no longer missing", async () => {
    await tellOwn({ type: "BetsRegistered", bets: [["small", 100_000]] }, { credits: 0, staked: 100_000 });
    await press(box("Big"));
    expect(underPlace()).toBe("Nothing is left to bet with.");
    await tellOwn({ type: "CreditsReceived", transit: "cage-1", amount: 5_000 }, { credits: 5_000 });
    expect(underPlace()).not.toContain("Nothing is left");
  });

  test("on a voucher that is taken away by somebody else is missed aloud", async () => {
    vi.useFakeTimers();
    await act(() => server.socket.receive(oneServerOfEach.VoucherPrinted));
    await tellOwn({ type: "CreditsReceived", transit: "cage-1", amount: 5_000 }, { credits: 105_000 });
    expect(screen.queryByText(/4829 1507/)).toBeNull();
    await pass(2_000);
    expect(screen.getAllByText("The voucher is no longer shown here.").length).toBeGreaterThan(0);
  });

  test("goes by a voucher, shown until it is hidden", async () => {
    await press(button("Cash out"));
    await press(button("Print the voucher"));
    expect(sent()).toEqual([{ type: "CashOut", terminal: "T1-1" }]);
    await answerRegistered();
    await act(() => server.socket.receive(oneServerOfEach.VoucherPrinted));
    const voucher = screen.getByRole("dialog", { name: "Your voucher" });
    expect(voucher.textContent, "its number is there at once").toContain("4829 1507 3366 1049 27");
    expect(voucher.textContent).toContain("1234 5678 9012 3452");
    const slip = await within(voucher).findByRole("article", { name: "Voucher" });
    expect(slip.textContent).toContain("4829 1507 3366 1049 27");
    expect(within(slip).getByRole("img", { name: "QR code of the number" })).toBeTruthy();
    const sheet = (): Element | null => document.querySelector(".sheet-slip");
    await vi.waitFor(() => expect(sheet()?.textContent, "so it is printed").toContain("4829 1507 3366 1049 27"));
    const once = "1234 5678 9012 3452";
    expect(voucher.textContent?.split(once), "its session is told once").toHaveLength(2);
    expect(sheet()?.textContent, "on paper too").toContain(once);
    expect(sheet()?.textContent).toContain("Whoever brings this slip is paid.");
    const printed = vi.fn();
    vi.stubGlobal("print", printed);
    await press(button("Print"));
    expect(printed).toHaveBeenCalledOnce();
    await press(button("Hide the voucher"));
    expect(screen.queryByText(/4829 1507/)).toBeNull();
    expect(sheet(), "nothing is left to be printed").toBeNull();
  });

  test("is limited by the player's own wish", async () => {
    await press(button("My limits"));
    const loss = screen.getByLabelText<HTMLInputElement>("The most I want to lose");
    const minutes = screen.getByLabelText<HTMLInputElement>("How long I want to play, in minutes");
    loss.value = "abc";
    await press(button("Set my limits"));
    expect(screen.getByText("Please write a figure above zero, or nothing.")).toBeTruthy();
    loss.value = "150.50";
    minutes.value = "90";
    await press(button("Set my limits"));
    expect(sent()).toEqual([
      { type: "SetOwnLimits", terminal: "T1-1", loss: 15_050, session_seconds: 5_400 },
    ]);
  });
});

test("favourites say whose boxes they save: those with chips on, else those of the last round", async () => {
  const line = (name: string): Line => ({ box: name, stake: 500, won: 0, back: 0 });
  const last = { round: 213, won: 0, back: 0, faces: [2, 3, 5] as const, lines: [line("small"), line("big")] };
  await tellOwn({ type: "RoundSettled", round: 213 }, { staked: 0, bets: null, last });
  await press(button(/Favourites/));
  expect(screen.getByText("Saves the 2 boxes of your last round.")).toBeTruthy();
  await press(within(screen.getByRole("dialog")).getByRole("button", { name: "Close" }));
  await press(box("Big"));
  await press(button(/Favourites/));
  expect(screen.getByText("Saves the 1 box you have chips on.")).toBeTruthy();
});

test("favourites are saved under a name and put on the layout again", async () => {
  await press(box("Small"));
  await press(button(/Favourites/));
  const name = screen.getByLabelText<HTMLInputElement>("Name");
  name.value = "Usual";
  await press(button(/^Save/));
  await press(within(screen.getByRole("dialog")).getByRole("button", { name: "Close" }));
  await press(button("Clear"));
  expect(says(box("Small"))).not.toContain("put down");
  await press(button(/Favourites/));
  await press(button(/^Usual/));
  expect(says(box("Small"))).toContain("10.00 put down");
});

describe("the limit sign", () => {
  beforeEach(() => {
    const named = { language: "en", boxes: { small: "Small" }, kinds: { small: "Small", total: "Total" } };
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(named))));
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  async function limited(limits: TableChanges): Promise<void> {
    const after = all;
    all += 1;
    const message = { type: "Public", table: "T1", sequence: all, after, at: 1, events: [], changes: limits };
    await act(() => server.socket.receive(message));
  }
  const rows = () => within(screen.getByRole("dialog", { name: "Limits of this table" })).getAllByRole("row").map((row) => row.textContent);

  test("is one press away, box by box where limits differ", async () => {
    await limited({
      limits: { minimum: 100, maximum: 50_000, step: 100, differential: 30_000 },
      sign: [
        { name: "small", minimum: 500, maximum: 80_000 },
        { name: "total", minimum: 100, maximum: 20_000 },
      ],
    });
    await act(async () => {
      fireEvent.click(screen.getByRole("button", { name: /^Limits of this table: Min .1\.00 Max .500\.00/ }));
      await Promise.resolve();
    });
    await vi.waitFor(() => expect(rows()).toContain("Small$5.00$800.00"));
    expect(rows()).toEqual(["BoxMinimumMaximum", "Small$5.00$800.00", "Total$1.00$200.00"]);
    expect(screen.getByRole("dialog").textContent).toContain("Differential: $300.00");
  });

  test("says what is played outside its approval, and so does the round", async () => {
    const brief = () => document.querySelector(".phase-apart")?.textContent;
    const limits = { minimum: 100, maximum: 50_000 };
    await limited({ limits, operator: "The Lantern", apart: [] });
    expect(brief()).toBeUndefined();
    const dice = { aspect: "dice", approved_by: "The Authority", reference: "letter 3" };
    const form = { aspect: "form", approved_by: "The Authority", reference: "letter 2" };
    await limited({ apart: [form, dice] });
    expect(brief()).toBe("By written departure");
    fireEvent.click(screen.getByRole("button", { name: /^Limits of this table/ }));
    const whole = "By written departure: form of table (The Authority, letter 2), source of dice (The Authority, letter 3)";
    expect(screen.getByRole("dialog").textContent).toContain(whole);
    await limited({ operator: null, apart: [{ aspect: "dice", approved_by: null, reference: null }] });
    expect(brief()).toBe("Demo: outside its approval");
    expect(screen.getByRole("dialog").textContent).toContain("Demo: played outside its approval (source of dice)");
  });

  test("has one line where every box has the same limits", async () => {
    await limited({ limits: { minimum: 100, maximum: 50_000 }, sign: [] });
    fireEvent.click(screen.getByRole("button", { name: /^Limits of this table/ }));
    expect(rows()).toEqual(["BoxMinimumMaximum", "Every box$1.00$500.00"]);
  });

  test("stands on each line of the slip, as it is for its box", async () => {
    await limited({ limits: { minimum: 100, maximum: 50_000, boxes: { big: [500, 80_000] } } });
    fireEvent.click(screen.getByRole("button", { name: /^Small, / }));
    fireEvent.click(screen.getByRole("button", { name: /^Big, / }));
    const lines = within(screen.getByRole("region", { name: "Your slip" })).getAllByRole("listitem");
    expect(lines.map((line) => line.querySelector(".slip-limits")?.textContent)).toEqual([
      "Limits $1.00 to $500.00",
      "Limits $5.00 to $800.00",
    ]);
  });
});
