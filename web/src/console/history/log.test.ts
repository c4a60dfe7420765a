import { expect, test } from "vitest";

import { oneEventOfEach } from "../../protocol.examples.ts";
import type { AnyEvent, Staff } from "../../protocol.ts";
import { useWords } from "../../words/words.ts";
import { LOG_MAX, logged, sentenceOf, type Entry } from "./log.ts";

function staff(sequence: number, events: readonly AnyEvent[]): Staff {
  return { type: "Staff", to: "T1", sequence, after: sequence - 1, at: sequence, events };
}

const OPENED: AnyEvent = { type: "BetsOpened", words: "Place your bets", clause: "6.1", by: "Dana" };

test("the newest is first, and what says nothing to a person is left out", () => {
  const started: AnyEvent = { type: "RoundStarted", round: 3, at: 1 };
  const closed: AnyEvent = { type: "NoticeGiven", by: "Dana" };
  const log = logged(logged([], staff(1, [started, OPENED])), staff(2, [closed]));
  expect(log.map((entry) => entry.event.type)).toEqual(["NoticeGiven", "BetsOpened"]);
});

test("no more are kept than there is room for", () => {
  let log: readonly Entry[] = [];
  for (let sequence = 1; sequence <= LOG_MAX + 5; sequence++) log = logged(log, staff(sequence, [OPENED]));
  expect(log).toHaveLength(LOG_MAX);
  expect(log[0]?.at).toBe(LOG_MAX + 5);
});

test("an event is a sentence, with irregularities by their names", () => {
  const t = useWords("console");
  const name = () => "Dice seen too early";
  const report: AnyEvent = {
    type: "IrregularityReported",
    code: "dice-exposed",
    ruling: "void-round",
    clause: "7.1(c)",
    by: "Dana",
    note: "",
    in_doubt: true,
    device: false,
  };
  expect(sentenceOf(t, report, name).trim()).toBe("Dana reported: Dice seen too early.");
  expect(sentenceOf(t, OPENED, name)).toBe("Dana: “Place your bets”");
});

/** What happens at the cage and in the venue, of which no console of a table is told. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...["CageOpened", "ClaimClosed", "CreditReceived", "FillReturned", "FillSent", "SerialsSkipped"],
  ...["ShiftClosed", "ShiftOpened", "UnclaimedPaid", "VoucherIssued", "VoucherPaid", "VoucherTaken"],
  "VoucherVoided",
  ...["LockedOut", "LoggedIn", "LoggedOut", "RolesChanged", "StaffAppointed", "StaffDismissed", "StaffReinstated", "StaffSuspended"],
  ...["AlertAcknowledged", "AlertAssigned", "ClockAccepted", "CodeMade", "CredentialsSet", "NodeDrained", "StreamMoved", "TableAdmitted", "TerminalConnectedTwice", "TerminalKeyIssued", "VenueOpened"],
  ...["DealerChanged", "TablePlaced", "TerminalWithdrawn", "VenueRenamed", "VoucherTermsSet"],
  ...["SealingKeyReplaced", "VenueRestored", "VenueTakenOver", "VoucherKeyReplaced"],
]);

test("every event of a table has a sentence of its own, and no code stands in one", () => {
  const t = useWords("console");
  for (const event of Object.values(oneEventOfEach)) {
    if (ELSEWHERE.has(event.type) || logged([], staff(1, [event])).length === 0) continue;
    const said = sentenceOf(t, event, (code) => `«${code.replaceAll("-", " ")}»`);
    expect(said).not.toBe(event.type);
    expect(said).not.toMatch(/[a-z]-[a-z0-9]/);
  }
  const tested = oneEventOfEach.LayoutTested;
  expect(sentenceOf(t, tested, (code) => code.toUpperCase())).toBe(
    "Test run by sue: 2 · 2 · 6. Lit: SMALL, DOUBLE-2, TOTAL-10, DOMINO-26.",
  );
  expect(sentenceOf(t, { ...tested, lit: [] }, (code) => code)).toBe("Test run by sue: 2 · 2 · 6. Lit: nothing.");
  expect(sentenceOf(t, oneEventOfEach.EquipmentRegistered, () => "The bell")).toBe(
    "sue registered equipment. The bell: B-3.",
  );
});
