import { fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, expect, test, vi } from "vitest";

import type { IrregularityView } from "../../answers.ts";
import { filledIn, Irregularities, type IrregularitiesProps } from "./irregularities.tsx";

const EXPOSED: IrregularityView = {
  code: "dice-exposed",
  name: "Dice seen too early",
  clause: "7.1(c)",
  command: { type: "ReportIrregularity", code: "dice-exposed" },
  fields: [],
  optional: ["note"],
  may: ["dealer", "supervisor"],
  standing: "open",
  sentence: null,
  refusal_clause: null,
  second: true,
  seconds: ["supervisor"],
  will: [{ sentence: "the round is in doubt at once", clause: "7.1(c)" }],
  agreed: [
    { sentence: "round 2 is void", clause: "7.1(c)" },
    { sentence: "every bet goes back: 4 in number, 20.00 in all", clause: "7.1" },
  ],
  voids: true,
  stops: false,
  bets: 4,
  returned: 2_000,
};
const DAMAGED: IrregularityView = {
  ...EXPOSED,
  code: "damaged-dice",
  name: "Damaged dice",
  command: { type: "VoidSettledRounds", first: 2, note: "" },
  fields: ["first", "note"],
  optional: ["dice_set"],
  may: ["supervisor"],
  standing: "refused",
  sentence: "no dealer may void settled rounds",
  will: [],
  agreed: [],
};

function shown(more: Partial<IrregularitiesProps> = {}) {
  const list = (later: Partial<IrregularitiesProps> = {}) => (
    <Irregularities
      table="T1"
      chips={false}
      list={[DAMAGED, EXPOSED]}
      role="dealer"
      chosen={null}
      onChoose={() => undefined}
      onGiven={() => undefined}
      onConfirm={() => Promise.resolve({ refused: false, sentence: "Done.", clause: null })}
      takeKeys={() => undefined}
      {...more}
      {...later}
    />
  );
  const { rerender } = render(list());
  return { rerender: (later: Partial<IrregularitiesProps>) => rerender(list(later)) };
}

test("what may be reported comes first, and what may not says for whom it is", () => {
  shown();
  const [first, second] = screen.getAllByRole("button");
  expect(first?.textContent).toBe("Dice seen too earlyVoids the round, with a second person");
  expect(second?.textContent).toBe("Damaged diceFor: supervisor");
  expect(second?.getAttribute("aria-disabled")).toBe("true");
});

test("before anything is done it says what will happen, now and once a second person agrees", () => {
  shown({ chosen: "dice-exposed" });
  expect(screen.getAllByRole("listitem").map((each) => each.textContent)).toEqual([
    "The round is in doubt at once clause 7.1(c)",
    "Round 2 is void clause 7.1(c)",
    "Every bet goes back: 4 in number, 20.00 in all clause 7.1",
  ]);
  screen.getByText("To be returned: $20.00 (4 bets)");
});

test("confirming gives the command with the note, and says that it is done", async () => {
  const onConfirm = vi.fn(() => Promise.resolve({ refused: false, sentence: "Done.", clause: null }));
  shown({ chosen: "dice-exposed", onConfirm });
  fireEvent.input(screen.getByLabelText("In your words"), { target: { value: "the dome slipped" } });
  fireEvent.submit(screen.getByLabelText("In your words").closest("form") as HTMLFormElement);
  await screen.findByText("Done.");
  expect(onConfirm).toHaveBeenCalledExactlyOnceWith({
    type: "ReportIrregularity",
    code: "dice-exposed",
    note: "the dome slipped",
  });
});

test("one that is refused shows why and offers nothing to confirm", () => {
  shown({ chosen: "damaged-dice" });
  screen.getByText(/^No dealer may void/);
  expect(screen.queryByRole("button", { name: /Confirm/ })).toBeNull();
});

test("a command keeps what the server put in where a person put in nothing", () => {
  const given = { note: "cracked", first: "", round: "", faces: [], dice_set: "", voids_round: false, moves: [] };
  expect(filledIn(DAMAGED, given)).toEqual({ type: "VoidSettledRounds", first: 2, note: "cracked", dice_set: null });
  expect(filledIn(DAMAGED, { ...given, first: "1" })).toMatchObject({ first: 1 });
});

const RULING: IrregularityView = {
  ...EXPOSED,
  code: "ruling",
  name: "A ruling",
  clause: null,
  command: { type: "Rule", note: "", voids_round: false },
  fields: ["note"],
  optional: ["voids_round", "postings"],
  may: ["shift-manager"],
  voids: false,
  agreed: [],
};
const WOULD = {
  ...{ table: "T1", voids: false, netted: [], more_netted: 0, shortfall: 0, more_accounts: 0, seconds: ["supervisor"] },
  will: [{ sentence: "a ruling moves 25.00", clause: "5.10" }],
  accounts: [
    { account: "house", of: null, change: -2_500, before: 0, after: -2_500 },
    { account: "credits", of: "T1-7", change: 2_500, before: 10_000, after: 12_500 },
  ],
};

afterEach(() => vi.unstubAllGlobals());

test("a ruling that moves money shows what it would do before it is asked for", async () => {
  const bodies: unknown[] = [];
  vi.stubGlobal("fetch", (_: string, asked: RequestInit) => {
    bodies.push(JSON.parse(String(asked.body)));
    return Promise.resolve(new Response(JSON.stringify(WOULD), { status: 200 }));
  });
  const onConfirm = vi.fn(() => Promise.resolve({ refused: false, sentence: "It waits.", clause: null }));
  shown({ list: [RULING], role: "shift-manager", chosen: "ruling", onConfirm });
  fireEvent.click(screen.getByRole("button", { name: "Add a move" }));
  const move = within(screen.getByRole("group", { name: "Move 1" }));
  fireEvent.input(move.getByLabelText("Amount"), { target: { value: "nothing" } });
  move.getByText("Say how much, as in 25 or 12.50.");
  fireEvent.input(move.getByLabelText("Amount"), { target: { value: "25" } });
  expect(screen.getByRole("button", { name: /Confirm/ }).getAttribute("aria-disabled")).toBe("true");
  fireEvent.input(move.getByLabelText("Terminal"), { target: { value: "T1-7" } });
  const table = await screen.findByRole("table", { name: "What moves" });
  expect(within(table).getAllByRole("row").map((row) => row.textContent)).toEqual([
    "AccountBeforeChangeAfter",
    "House$0.00−$25.00−$25.00",
    "Credits of T1-7$100.00+$25.00$125.00",
  ]);
  const postings = [["house:bank", "terminal:T1-7", 2_500]];
  expect(bodies.at(-1)).toMatchObject({ command: { type: "Rule", postings } });
  fireEvent.input(screen.getByLabelText("In your words"), { target: { value: "a jammed button" } });
  fireEvent.submit(screen.getByLabelText("In your words").closest("form") as HTMLFormElement);
  await screen.findByText("It waits.");
  expect(onConfirm).toHaveBeenCalledExactlyOnceWith({
    ...{ type: "Rule", note: "a jammed button", voids_round: false, postings },
  });
});

test("a move from an account to itself is told so and not sent", () => {
  shown({ list: [RULING], role: "shift-manager", chosen: "ruling" });
  fireEvent.click(screen.getByRole("button", { name: "Add a move" }));
  fireEvent.change(screen.getByLabelText("To"), { target: { value: "house" } });
  screen.getByText("From and to are the same account.");
});

test("a report that waits is shown as such until a second person has answered it, and no longer", async () => {
  const onChoose = vi.fn();
  const onConfirm = () => Promise.resolve({ refused: false, sentence: "Reported.", clause: null, pending: "c0" });
  const { rerender } = shown({ chosen: "dice-exposed", onConfirm, onChoose, waiting: ["b7"] });
  fireEvent.click(screen.getByRole("button", { name: "Confirm, and wait for a second person" }));
  await screen.findByText("Reported.");
  for (const waiting of [["b7"], null, ["b7", "c0"], null, ["c0"]]) {
    rerender({ waiting });
    expect(onChoose).not.toHaveBeenCalled();
  }
  rerender({ waiting: [] });
  expect(onChoose).toHaveBeenCalledWith(null);
});
