import { signal } from "@preact/signals";
import { fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { LayoutView } from "../../../answers.ts";
import type { ChipStack } from "../../../live/index.ts";
import { Desk } from "../../desk.ts";
import { FakeServer, chipTable, player, registered, view } from "../../fakes.ts";
import type { Ask } from "../../money/forms/form.tsx";
import { ByHandForm, putOn } from "./by_hand_form.tsx";
import { Recorder } from "./recorder.ts";

const LAYOUT = {
  areas: (["small", "big"] as const).map((box) => ({ box, code: box.slice(0, 1), name: box })),
} as unknown as LayoutView;
const STACKS: readonly ChipStack[] = [{ seat: "1", box: "small", amount: 400, chips: [["red", 4]], oral: false }];

/** The server's preview of a command. */
const WOULD = {
  ...{ table: "T1", will: [{ sentence: "the round is paid", clause: "5.9" }], more_will: 0, voids: false },
  ...{ accounts: [{ account: "floor", of: null, before: 0, after: -500 }], more_accounts: 0, netted: [] },
  ...{ more_netted: 0, shortfall: 0, seconds: ["supervisor"] },
};
const asked: unknown[] = [];

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal("fetch", (_: string, request?: RequestInit) => {
    if (typeof request?.body === "string") asked.push(JSON.parse(request.body));
    return Promise.resolve(new Response(JSON.stringify(WOULD), { headers: { "content-type": "application/json" } }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function shown(phase: "betting" | "no-more-bets" | "ready", stacks = STACKS) {
  const server = new FakeServer();
  server.view.value = view({ phase, form: "chips", seats: 8, waiting: true, interrupted: true });
  const table = chipTable([player("1", "red"), player("3", null)], stacks, { reading: null });
  server.chipTable.value = table;
  const recorder = new Recorder(new Desk(server.link, "T1"), signal(LAYOUT));
  const ask = vi.fn<Ask>(() => Promise.resolve(registered({ pending: "abc" })));
  const onClose = vi.fn();
  render(<ByHandForm recorder={recorder} table={table} takeKeys={() => undefined} ask={ask} onClose={onClose} />);
  return { ask, onClose };
}

const press = (...faces: readonly number[]): void => {
  for (const face of faces) fireEvent.click(screen.getByRole("button", { name: `Face ${face}` }));
};
const fill = (label: string, value: string): void => {
  fireEvent.input(screen.getByLabelText(label), { target: { value } });
};
const send = (): void => {
  fireEvent.submit(document.querySelector("form") as HTMLFormElement);
};

test("the round under way is entered as it was recorded, with its dice and what was paid", async () => {
  const { ask, onClose } = shown("betting");
  screen.getByText(/under way when the system went away/);
  screen.getByLabelText("As it is recorded: $4.00");
  send();
  await screen.findByText("Press the three dice");
  expect(ask).not.toHaveBeenCalled();
  press(1, 2, 6);
  fill("Seat 1", "4");
  fill("Seat 3", "0");
  fill("What is to be said of it", "the screens went dark");
  await screen.findByDisplayValue("the screens went dark");
  await screen.findByText("The round is paid");
  expect(asked.at(-1)).toMatchObject({ command: { type: "EnterRoundByHand", faces: [1, 2, 6], stacks: null } });
  send();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(ask).toHaveBeenCalledExactlyOnceWith({
    type: "EnterRoundByHand",
    faces: [1, 2, 6],
    paid: [["1", 400]],
    stacks: null,
    note: "the screens went dark",
  });
});

test("what lay there otherwise is keyed as a dealer keys it, and taken off again", async () => {
  const { ask } = shown("betting");
  fireEvent.click(screen.getByLabelText("Otherwise: keyed here"));
  const list = await screen.findByRole("list");
  within(list).getByText("Seat 1, small: $4.00.");
  fireEvent.change(screen.getByLabelText("Seats"), { target: { value: "3" } });
  fill("Keyed bets", "x 5");
  await screen.findByDisplayValue("x 5");
  fireEvent.click(screen.getByRole("button", { name: "Put on the layout" }));
  await screen.findByText("No box has the code “x”.");
  fill("Keyed bets", "b 25");
  await screen.findByDisplayValue("b 25");
  fireEvent.keyDown(screen.getByLabelText("Keyed bets"), { key: "Enter" });
  await within(list).findByText("Seat 3, big: $25.00.");
  fireEvent.click(screen.getByRole("button", { name: "Take off seat 1, small" }));
  press(4, 5, 5);
  fill("Seat 3", "25");
  await screen.findByDisplayValue("25");
  send();
  expect(ask).toHaveBeenCalledExactlyOnceWith({
    type: "EnterRoundByHand",
    faces: [4, 5, 5],
    paid: [["3", 2_500]],
    stacks: [["3", "big", [[2_500, 1]]]],
    note: "",
  });
});

test("of a round that was closed nothing else can be said than what is recorded", () => {
  shown("no-more-bets");
  screen.getByLabelText("As it is recorded: $4.00");
  expect(screen.queryByLabelText("Otherwise: keyed here")).toBeNull();
});

test("a round that began meanwhile has nothing recorded, and an amount must be one", async () => {
  const { ask } = shown("ready", []);
  screen.getByText(/began while the system was away/);
  screen.getByText("Nothing lay there.");
  expect(screen.queryByLabelText(/As it is recorded/)).toBeNull();
  press(1, 1, 1);
  fill("Seat 1", "much");
  await screen.findByText("Fill in an amount, like 50 or 12.50");
  send();
  expect(ask).not.toHaveBeenCalled();
});

test("what is keyed for a box replaces what lay there of the same player", () => {
  const [one, other] = [{ seat: "1", box: "small", chips: [] }, { seat: "1", box: "small", chips: [[500, 1] as const] }];
  expect(putOn([one, { ...one, seat: "2" }], [other])).toEqual([{ ...one, seat: "2" }, other]);
});
