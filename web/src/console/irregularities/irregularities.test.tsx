import { fireEvent, render, screen } from "@testing-library/preact";
import { expect, test, vi } from "vitest";

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

function shown(more: Partial<IrregularitiesProps> = {}): void {
  render(
    <Irregularities
      list={[DAMAGED, EXPOSED]}
      role="dealer"
      chosen={null}
      onChoose={() => undefined}
      onGiven={() => undefined}
      onConfirm={() => Promise.resolve({ refused: false, sentence: "Done.", clause: null })}
      takeKeys={() => undefined}
      {...more}
    />,
  );
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
  const given = { note: "cracked", first: "", round: "", faces: [], dice_set: "", voids_round: false };
  expect(filledIn(DAMAGED, given)).toEqual({ type: "VoidSettledRounds", first: 2, note: "cracked", dice_set: null });
  expect(filledIn(DAMAGED, { ...given, first: "1" })).toMatchObject({ first: 1 });
});
