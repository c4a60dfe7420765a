import { render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { chipTable, player } from "../fakes.ts";
import { RequestDetails } from "./about.tsx";

const WOULD = {
  ...{ table: "T1", will: [{ sentence: "round 1 is settled", clause: null }], more_will: 0, voids: false },
  ...{ accounts: [], more_accounts: 0, netted: [], more_netted: 0, shortfall: 0, seconds: [] },
};
const asked: string[] = [];

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal("fetch", (address: string) => {
    asked.push(new URL(address, "http://venue").pathname);
    return Promise.resolve(new Response(JSON.stringify(WOULD), { headers: { "content-type": "application/json" } }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function shown(command: Readonly<Record<string, unknown>>): void {
  const table = chipTable([player("1", "red"), player("3", null)]);
  render(<RequestDetails table={table} command={command} pending="abc" at="T 1" nameOf={(box) => box} />);
}

test("whoever agrees to a round dealt by hand sees what lay there and what comes of it", async () => {
  shown({ type: "EnterRoundByHand", stacks: [["3", "big", [[2_500, 2]]], ["1", "small", [["red", 4]]]] });
  screen.getByText("Seat 3, big: $50.00.");
  screen.getByText("Seat 1, small: $4.00.");
  await screen.findByText("Round 1 is settled");
  expect(asked).toEqual(["/api/tables/T%201/preview/abc"]);
});

test("a round dealt by hand may be as it was recorded, or nobody bet", async () => {
  shown({ type: "EnterRoundByHand", stacks: null });
  screen.getByText("The stacks are as they were recorded.");
  await screen.findByText("Round 1 is settled");
  shown({ type: "EnterRoundByHand", stacks: [] });
  screen.getByText("Nothing lay there.");
});

test("a ruling on a bet is shown with what it would do, and a fill with its chips", async () => {
  shown({ type: "RuleOnBet", seat: "1", box: "small" });
  await screen.findByText("Round 1 is settled");
  asked.length = 0;
  shown({ type: "ReceiveFill", transit: "cage-1", chips: [[2_500, 3]] });
  screen.getByText("× 3");
  expect(asked).toEqual([]);
});
