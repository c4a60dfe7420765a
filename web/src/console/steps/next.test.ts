import { expect, test } from "vitest";

import { step, steps } from "../fakes.ts";
import { nextAction, parted, type Hands } from "./next.ts";

const HANDS: Hands = { tumbles: 0, covered: false, flat: false, walking: false };

test("the step that the server calls next is the action", () => {
  const sent = steps([step("OpenBets", "next"), step("CloseBets", "refused")]);
  expect(nextAction(sent, HANDS)).toMatchObject({ kind: "step", step: { command: "OpenBets" } });
});

test("tumbles are counted up to as many as the server asks for, then recorded", () => {
  const sent = steps([step("RecordTumble", "next", { times: 3 })]);
  expect(nextAction(sent, HANDS)).toMatchObject({ kind: "tumble", count: 0, wanted: 3 });
  expect(nextAction(sent, { ...HANDS, tumbles: 2 })).toMatchObject({ kind: "tumble", count: 2 });
  expect(nextAction(sent, { ...HANDS, tumbles: 3 })).toMatchObject({ kind: "record", count: 3 });
});

test("a tumble that was begun while it may come is gone on with, whatever else is next", () => {
  const sent = steps([step("CloseBets", "next"), step("RecordTumble", "open", { times: 3 })]);
  expect(nextAction(sent, { ...HANDS, tumbles: 1 })).toMatchObject({ kind: "tumble", count: 1 });
  const refused = steps([step("CloseBets", "next"), step("RecordTumble", "refused", { times: 3 })]);
  expect(nextAction(refused, { ...HANDS, tumbles: 1 })).toMatchObject({ kind: "step" });
});

test("under a cover the dice are found flat before faces are pressed", () => {
  const sent = steps([step("PressFace", "next")]);
  expect(nextAction(sent, { ...HANDS, covered: true })).toMatchObject({ kind: "flat" });
  expect(nextAction(sent, { ...HANDS, covered: true, flat: true })).toMatchObject({ kind: "faces", missing: 3 });
});

test("as many faces are wanted as are missing on the light", () => {
  const sent = (pressed: readonly number[]) => steps([step("EnterResult", "next")], pressed);
  expect(nextAction(sent([4]), HANDS)).toMatchObject({ kind: "faces", missing: 2 });
  expect(nextAction(sent([4, 1, 1]), HANDS)).toMatchObject({ kind: "step" });
});

test("where nobody at a console is next, what is due is named with who does it", () => {
  const sent = steps([step("RecordTumble", "open", { by: "device" })], [], "RecordTumble");
  expect(nextAction(sent, HANDS)).toMatchObject({ kind: "wait", step: { by: "device" } });
  expect(nextAction(null, HANDS)).toEqual({ kind: "wait", step: null });
});

test("the guide is walked through before settling where that was chosen", () => {
  const sent = steps([step("Settle", "next")]);
  expect(nextAction(sent, { ...HANDS, walking: true }).kind).toBe("walk");
  expect(nextAction(sent, HANDS).kind).toBe("step");
});

test("the steps of the round stay in the server's order, and pressing faces has its own keys", () => {
  const sent = ["RecordTumble", "OpenBets", "PressFace", "Settle", "GiveNotice"].map((name) => step(name, "open"));
  const { round, others } = parted(sent);
  expect(round.map((each) => each.command)).toEqual(["RecordTumble", "OpenBets", "Settle"]);
  expect(others.map((each) => each.command)).toEqual(["GiveNotice"]);
});
