import { render, screen } from "@testing-library/preact";
import { expect, test } from "vitest";

import type { PayoutGuide } from "../../answers.ts";
import { Guide } from "./payout_guide.tsx";

const GUIDE: PayoutGuide = {
  table: "T1",
  round: 118,
  faces: [1, 3, 6],
  call: "1, 3, 6, total 10",
  settled: false,
  clause: "6.5",
  collect: [
    { box: "big", name: "Big", stake: 12_000, bets: 3 },
    { box: "total-9", name: "Total 9", stake: 100, bets: 1 },
  ],
  collected: 12_100,
  pay: [
    { box: "small", name: "Small", stake: 5_000, odds: "1", won: 5_000, back: 10_000, bets: 1, terminals: [], more: 0 },
  ],
  paid: 5_000,
  back: 10_000,
};

function lines(): (string | null)[] {
  return screen.getAllByRole("listitem").map((each) => each.querySelector(".console-guide-name")?.textContent ?? null);
}

test("everything is collected before anything is paid", () => {
  render(<Guide guide={GUIDE} sentence={null} done={null} onWalk={() => undefined} />);
  expect(lines()).toEqual(["Big", "Total 9", "Small"]);
  const titles = screen.getAllByRole("heading").map((each) => each.textContent);
  expect(titles).toEqual(["First collect $121.00", "Then pay $50.00"]);
});

test("walked through, one line is now, those before it are done", () => {
  render(<Guide guide={GUIDE} sentence={null} done={2} onWalk={() => undefined} />);
  const states = screen.getAllByRole("listitem").map((each) => each.dataset["state"]);
  expect(states).toEqual(["done", "done", "now"]);
});

test("without a result the server's sentence stands in its place", () => {
  render(<Guide guide={null} sentence="no round has been settled yet" done={null} onWalk={() => undefined} />);
  screen.getByText("no round has been settled yet");
});
