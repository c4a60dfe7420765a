import { describe, expect, it } from "vitest";

import { boundsOf, chipsFor, snagsOf } from "./bounds.ts";

const LIMITS = {
  minimum: 1_000,
  maximum: 50_000,
  step: 500,
  boxes: { "triple-1": [500, 10_000], "triple-6": [null, 5_000] },
} as const;

describe("the limits of a box", () => {
  it("are the table's where nothing else is said", () => {
    expect(boundsOf(LIMITS, "small")).toEqual({ minimum: 1_000, maximum: 50_000, step: 500 });
  });

  it("are its own where the server tells them", () => {
    expect(boundsOf(LIMITS, "triple-1")).toMatchObject({ minimum: 500, maximum: 10_000 });
    expect(boundsOf(LIMITS, "triple-6")).toMatchObject({ minimum: 1_000, maximum: 5_000 });
  });

  it("have no step where the odds alone say it", () => {
    expect(boundsOf({ minimum: 1, maximum: 2 }, "small").step).toBeNull();
  });
});

describe("snags of a draft", () => {
  const snags = (stake: number, held = 0) =>
    snagsOf(new Map([["small", stake]]), () => held, (box) => boundsOf(LIMITS, box));

  it("tell how much is missing to the minimum, counting what is registered", () => {
    expect(snags(500)).toEqual([{ kind: "short", box: "small", by: 500 }]);
    expect(snags(500, 1_000)).toEqual([]);
  });

  it("tell what is above the maximum", () => {
    expect(snags(1_000, 50_000)).toEqual([{ kind: "over", box: "small", by: 1_000, most: 50_000 }]);
  });

  it("tell what is no multiple of the step", () => {
    expect(snags(1_250)).toEqual([{ kind: "off-step", box: "small", step: 500 }]);
  });

  it("are none where nothing is known of the limits", () => {
    expect(snagsOf(new Map([["small", 1]]), () => 0, () => null)).toEqual([]);
  });
});

describe("the chips of a tray", () => {
  it("are round amounts in multiples of the step", () => {
    expect(chipsFor({ minimum: 100, maximum: 500_000, step: 100 })).toEqual([
      100, 500, 1_000, 2_500, 10_000, 50_000, 100_000,
    ]);
  });

  it("begin below the minimum, so that small units may be added up", () => {
    expect(chipsFor(LIMITS)[0]).toBe(500);
    expect(chipsFor({ minimum: 5_000, maximum: 100_000 })[0]).toBe(500);
  });

  it("are never above the maximum", () => {
    expect(chipsFor({ minimum: 100, maximum: 1_000, step: 100 })).toEqual([100, 500, 1_000]);
  });

  it("are multiples of an odd step where no round amount is", () => {
    expect(chipsFor({ minimum: 7, maximum: 60, step: 7 })).toEqual([7, 14, 35, 70]);
  });
});
