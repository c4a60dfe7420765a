import { fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { BetToRule, Role } from "../../../protocol.ts";
import { Board } from "../../board.ts";
import { FakeServer, chipTable, player, refused, view } from "../../fakes.ts";
import { MixedStacks, Ruling, ToRule } from "./to_rule.tsx";
import { NoticeNow } from "../../../shell/notices.tsx";

const OVER: BetToRule = {
  ...{ seat: "3", box: "small", amount: 15_000, why: "over-limit", sentence: "Bets over the limit" },
  ...{ step: 100, clause: "D6" },
};

/** The server's preview of a command. */
const WOULD = {
  ...{ table: "T1", will: [{ sentence: "the round is paid", clause: "5.9" }], more_will: 0, voids: false },
  ...{ accounts: [{ account: "floor", of: null, before: 0, after: -500 }], more_accounts: 0, netted: [] },
  ...{ more_netted: 0, shortfall: 0, seconds: ["supervisor"] },
};
const asked: unknown[] = [];

let server: FakeServer;
let board: Board;

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal("fetch", (_: string, request?: RequestInit) => {
    if (typeof request?.body === "string") asked.push(JSON.parse(request.body));
    return Promise.resolve(new Response(JSON.stringify(WOULD), { headers: { "content-type": "application/json" } }));
  });
  server = new FakeServer();
  server.view.value = view({ form: "chips", phase: "confirmed", seats: 8 });
  board = new Board(server.link, "T1");
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The panel of bets that await a ruling, unless another is shown, and the form beside it. */
function Panels({ role }: { readonly role: Role }) {
  return (
    <>
      {board.panel.value !== "log" && <MixedStacks recorder={board.recorder} />}
      {board.panel.value !== "log" && <ToRule board={board} role={role} />}
      <Ruling board={board} />
      <NoticeNow />
    </>
  );
}

function shown(role: Role, more: Parameters<typeof chipTable>[2]): void {
  server.chipTable.value = chipTable([player("3", "red")], [], more);
  render(<Panels role={role} />);
}

function fill(label: string, value: string): void {
  fireEvent.input(screen.getByLabelText(label), { target: { value } });
}

test("a stack of value and colour chips is separated with its button", async () => {
  shown("dealer", { mixed: [["3", "small", 1_500, [["red", 5], [1_000, 1]], false]] });
  screen.getByText("Seat 3, small: $15.00 in value and colour chips on one stack.");
  fireEvent.click(screen.getByRole("button", { name: "Separate" }));
  await vi.waitFor(() => expect(server.sent).toEqual([{ type: "SeparateStack", seat: "3", box: "small" }]));
});

test("a dealer is told who rules, and cannot", () => {
  shown("dealer", { to_rule: [OVER], more_to_rule: 2 });
  screen.getByText(/before the shift manager has ruled/);
  screen.getByText("Seat 3, small: $150.00.");
  screen.getByText("Bets over the limit", { exact: false });
  // Without a clause the text cites a decision of ours.
  screen.getByText("decision D6");
  screen.getByText(/2 more lines/);
  expect(screen.queryByRole("button")).toBeNull();
});

test("the shift manager lets a part of a bet play, with a reason", async () => {
  shown("shift-manager", { to_rule: [OVER], reading: "late" });
  fireEvent.click(screen.getByRole("button", { name: "Rule on seat 3, small" }));
  const form = await vi.waitFor(() => document.querySelector("form") as HTMLFormElement);
  fireEvent.click(screen.getByLabelText("A part of it plays, the rest goes back"));
  await screen.findByText("Less than $150.00, in steps of $1.00.");
  fireEvent.submit(form);
  await screen.findByText("Fill in how much plays");
  screen.getByText("Say in your words what happened");
  expect(server.sent).toEqual([]);
  fill("Plays with", "100");
  fill("In your words", "as on the sign");
  await screen.findByDisplayValue("as on the sign");
  // The effects are shown before the command is sent.
  await screen.findByText("The round is paid");
  screen.getByRole("rowheader", { name: "Chips in pockets" });
  expect(asked.at(-1)).toEqual({
    command: { type: "RuleOnBet", seat: "3", box: "small", verdict: "plays", note: "–", plays: 10_000 },
  });
  fireEvent.submit(form);
  await vi.waitFor(() => expect(server.sent).toHaveLength(1));
  expect(server.sent).toEqual([
    { type: "RuleOnBet", seat: "3", box: "small", verdict: "plays", note: "as on the sign", plays: 10_000 },
  ]);
});

test("a bet is ruled to stand by one person while the dice are covered, and a refusal is shown", async () => {
  server.answer = refused("no ruling is awaited", "D6");
  shown("shift-manager", { to_rule: [OVER], reading: "closed" });
  fireEvent.click(screen.getByRole("button", { name: "Rule on seat 3, small" }));
  await vi.waitFor(() => document.querySelector("form") as HTMLFormElement);
  expect(screen.queryByText(/second person/i)).toBeNull();
  fill("In your words", "unseen");
  await screen.findByDisplayValue("unseen");
  fireEvent.submit(document.querySelector("form") as HTMLFormElement);
  await screen.findByText("No ruling is awaited");
  expect(server.sent).toEqual([
    { type: "RuleOnBet", seat: "3", box: "small", verdict: "stands", note: "unseen", plays: null },
  ]);
});

test("a form stays with what was typed when the panel turns", async () => {
  shown("shift-manager", { to_rule: [OVER] });
  fireEvent.click(screen.getByRole("button", { name: "Rule on seat 3, small" }));
  await vi.waitFor(() => document.querySelector("form") as HTMLFormElement);
  fill("In your words", "as on the sign");
  await screen.findByDisplayValue("as on the sign");
  board.panel.value = "log";
  await vi.waitFor(() => expect(screen.queryByRole("button", { name: "Rule on seat 3, small" })).toBeNull());
  screen.getByDisplayValue("as on the sign");
});

test("the form is gone when the bet awaits no ruling any more, and says so", async () => {
  shown("shift-manager", { to_rule: [OVER] });
  fireEvent.click(screen.getByRole("button", { name: "Rule on seat 3, small" }));
  await vi.waitFor(() => expect(document.querySelector("form")).not.toBeNull());
  server.chipTable.value = chipTable([player("3", "red")]);
  await vi.waitFor(() => expect(document.querySelector("form")).toBeNull());
  await screen.findByText(/Seat 3, small: this bet awaits no ruling any more/, {}, { timeout: 3_000 });
  expect(board.ruling.value).toBeNull();
});
