import { render, screen } from "@testing-library/preact";
import { expect, test } from "vitest";

import { oneEventOfEach } from "../../protocol.examples.ts";
import type { AnyEvent, LogLine, Staff } from "../../protocol.ts";
import { canBeSaidAgain, sayAgainBy } from "../../words/said.ts";
import { language } from "../../words/words.ts";
import { Log } from "./history.tsx";
import { LOG_MAX, logged, type Entry } from "./log.ts";

function told(sentence: string, more: Partial<LogLine> = {}): LogLine {
  return { sentences: [{ sentence, reason: { code: "EVENT", params: {} } }], ...more };
}

function staff(sequence: number, ...lines: readonly (readonly [AnyEvent, LogLine | null])[]): Staff {
  const [events, log] = [lines.map(([event]) => event), lines.map(([, line]) => line)];
  return { type: "Staff", to: "T1", sequence, after: sequence - 1, at: sequence, events, log };
}

const { BetsOpened: OPENED, RoundStarted: STARTED, NoticeGiven: NOTICE } = oneEventOfEach;
const CALLED = told("called: “Place your bets”", { by: "Dana", clause: "6.1" });

test("the newest is first, and what the server says nothing of is left out", () => {
  const log = logged(logged([], staff(1, [STARTED, null], [OPENED, CALLED])), staff(2, [NOTICE, told("notice")]));
  expect(log.map((entry) => entry.event.type)).toEqual(["NoticeGiven", "BetsOpened"]);
  expect(canBeSaidAgain("called: “Place your bets”"), "in another language").toBe(true);
});

test("no more are kept than there is room for", () => {
  let log: readonly Entry[] = [];
  for (let sequence = 1; sequence <= LOG_MAX + 5; sequence++) log = logged(log, staff(sequence, [OPENED, CALLED]));
  expect(log).toHaveLength(LOG_MAX);
  expect(log[0]?.at).toBe(LOG_MAX + 5);
});

test("a line is what the server says, with who, by which clause and why beside it", () => {
  const ruled = told("the shift manager rules", { by: "Mei", note: "A long wait.", clause: "5.14" });
  const several = { sentences: [...told("Dana asks a second person to agree").sentences, ...told("amend it").sentences] };
  render(<Log entries={logged([], staff(1, [OPENED, CALLED], [NOTICE, ruled], [STARTED, several]))} />);
  const lines = screen.getAllByRole("listitem").map((line) => [...line.querySelectorAll("p")].map((each) => each.textContent));
  expect(lines).toEqual([
    ["Dana asks a second person to agree", "Amend it"],
    ["The shift manager rules", "Mei · clause 5.14 · “A long wait.”"],
    ["Called: “Place your bets”", "Dana · clause 6.1"],
  ]);
});

test("in another language a line is said again by its reason", async () => {
  sayAgainBy((tongue, reasons) => Promise.resolve(reasons.map(({ code }) => `${code} ${tongue}`)));
  render(<Log entries={logged([], staff(1, [NOTICE, told("players are given notice")]))} />);
  language.value = "zh-Hans";
  await screen.findByText("EVENT zh-Hans");
  language.value = "en";
  await screen.findByText("Players are given notice");
});
