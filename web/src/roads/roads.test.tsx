import { cleanup, render, within } from "@testing-library/preact";
import { afterEach, describe, expect, test } from "vitest";

import type { Statistics } from "../answers.ts";
import { bigRoad } from "./big_road.ts";
import { BeadPlate, BigRoad, DiceStrip, Frequencies, HotAndCold } from "./index.ts";
import { entries, type Outcome, type RoadRound } from "./outcome.ts";

afterEach(cleanup);

const SIZES: Readonly<Record<string, Outcome>> = { B: "big", S: "small", T: "triple" };

/** Rounds written as letters: B, S, T, and V for a void one. */
function rounds(letters: string): readonly RoadRound[] {
  return [...letters].map((letter, place) => {
    const size = (SIZES[letter] ?? null) as RoadRound["size"];
    const triple = size === "triple";
    return {
      round: place + 1,
      faces: triple ? ([2, 2, 2] as const) : ([1, 4, 6] as const),
      void: letter === "V",
      total: 11,
      size,
      parity: triple ? "triple" : "odd",
    };
  });
}

/** The big road as on paper: one line per row, triples as figures after their cell. */
function paper(letters: string): string[] {
  const cells = bigRoad(entries(rounds(letters), "size"));
  const rows = Array.from({ length: 6 }, () => new Map<number, string>());
  for (const { column, row, outcome, triples } of cells)
    rows[row]?.set(column, outcome[0]?.toUpperCase() + (triples > 0 ? String(triples) : ""));
  const last = Math.max(...cells.map(({ column }) => column));
  return rows.map((row) =>
    Array.from({ length: last + 1 }, (_, column) => row.get(column) ?? ".").join(" "),
  );
}

describe("the big road", () => {
  test("goes down for the same, and to a new column for the other", () => {
    expect(paper("BBSBSS")).toEqual(["B S B S", "B . . S", ...Array<string>(4).fill(". . . .")]);
  });

  test("turns right at the bottom", () => {
    const tail = paper("BBBBBBBBS");
    expect(tail).toEqual(["B S .", "B . .", "B . .", "B . .", "B . .", "B B B"]);
  });

  test("turns right above a dragon's tail, and stays in that row", () => {
    const two = paper("BBBBBBBB" + "SSSSSSS");
    expect(two).toEqual(["B S . .", "B S . .", "B S . .", "B S . .", "B S S S", "B B B ."]);
  });

  test("begins beyond a tail that lies along the top", () => {
    // Each run is blocked one row higher than the one before, so that the sixth lies along the top.
    const runs = "B".repeat(13) + "S".repeat(12) + "B".repeat(11) + "S".repeat(10) + "B".repeat(9);
    const [top, second] = paper(`${runs}SSSB`);
    expect(top).toBe("B S B S B S S S B . . .");
    expect(second).toBe("B S B S B B B B B B B B");
  });

  test("marks a triple on the cell before it, which does not end a run", () => {
    expect(paper("BTTBS").slice(0, 2)).toEqual(["B2 S", "B ."]);
  });

  test("gives triples that come first a cell of their own", () => {
    expect(paper("TTBB").slice(0, 2)).toEqual(["T2 B", ". B"]);
  });

  test("leaves void rounds out", () => {
    expect(paper("BVB").slice(0, 2)).toEqual(["B", "B"]);
  });

  test("shows its last columns, and tells them in words and as a table", () => {
    const { container, getByRole } = render(
      <BigRoad rounds={rounds("BSBSBSTB")} by="size" columns={3} />,
    );
    expect(getByRole("region", { name: "Big road: Big, Small, Triple" }).textContent).toContain(
      "In 4 rounds: Big 2, Small 1, Triple 1. The latest was Big.",
    );
    const letters = [...container.querySelectorAll(".bead > text")].map((each) => each.textContent);
    expect(letters).toEqual(["B", "S", "B"]);
    const rows = [...container.querySelectorAll("tbody tr")];
    expect(rows.map((row) => row.querySelector("th")?.textContent)).toEqual(["8", "7", "6", "5"]);
  });
});

test("the bead plate fills columns of six, and drops whole columns", () => {
  const played = rounds("BBBBBBSSSSSSB");
  const { container } = render(<BeadPlate rounds={played} by="size" columns={2} />);
  const cells = [...container.querySelectorAll<HTMLElement>(".road-cell")];
  expect(cells).toHaveLength(7);
  expect(cells.map(({ style }) => [style.gridColumn, style.gridRow]).slice(4)).toEqual([
    ["1", "5"],
    ["1", "6"],
    ["2", "1"],
  ]);
});

test("beads differ by shape and by letter", () => {
  const { container } = render(<BeadPlate rounds={rounds("BST")} by="size" />);
  const beads = [...container.querySelectorAll(".bead")];
  expect(beads.map((each) => [each.classList[1], each.textContent])).toEqual([
    ["bead-disc", "B"],
    ["bead-ring", "S"],
    ["bead-diamond", "T"],
  ]);
});

test("every road says that it is for information only", () => {
  const { container } = render(<BeadPlate rounds={rounds("B")} by="parity" />);
  expect(container.textContent).toContain("For information only: the dice have no memory.");
});

test("the strip shows the newest first, and says what was void", () => {
  const { getByRole } = render(<DiceStrip rounds={rounds("BSV")} count={2} />);
  const items = within(getByRole("list")).getAllByRole("listitem");
  expect(items.map((each) => each.querySelector(".unseen")?.textContent)).toEqual([
    "Round 3: void",
    "Round 2: dice 1, 4, 6, total 11",
  ]);
});

const BOX = { name: "Total 7", seen: 9, expected: { exact: "25/4", rounded: "6.3" } };
const STATISTICS: Statistics = {
  ...{ table: "tai-sai", rounds: 90, note: "Information only.", clause: "5.11" },
  totals: [
    { name: "4", seen: 0, expected: { exact: "5/4", rounded: "1.3" } },
    { name: "7", seen: 9, expected: { exact: "25/4", rounded: "6.3" } },
  ],
  faces: [{ name: "1", seen: 40, expected: { exact: "45", rounded: "45.0" } }],
  sizes: [],
  parities: [],
  hot: [{ ...BOX, box: "total-7", errors: 1.1, since: 0, longest: 12 }],
  cold: [],
  boxes: [],
  results: [],
};

test("frequencies tell what was seen, what is expected exactly, and the difference", () => {
  const { container } = render(<Frequencies statistics={STATISTICS} />);
  const rows = [...container.querySelectorAll("tbody tr")].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  );
  expect(rows).toEqual([
    ["4", "0", "5/4", "−1.3"],
    ["7", "9", "25/4", "+2.7"],
    ["1", "40", "45", "−5"],
  ]);
  expect(container.textContent).toContain("Information only. (clause 5.11)");
});

test("hot and cold are shown with their figures", () => {
  const { container } = render(<HotAndCold statistics={STATISTICS} />);
  expect(container.textContent).toContain("Total 7 9 seen, 6.3 expected");
  expect(container.textContent).toContain("Less often than expectedNone");
});
