import { describe, expect, it } from "vitest";

import { EMPTY, STEPS_MAX, add, addAll, clear, put, redo, sum, takeOff, times, undo } from "./draft.ts";
import type { Draft } from "./draft.ts";

const lies = (draft: Draft): Record<string, number> => Object.fromEntries(draft.stakes);

describe("a draft", () => {
  it("adds chips up on their boxes", () => {
    const draft = put(put(put(EMPTY, "small", 100), "big", 500), "small", 25);
    expect(lies(draft)).toEqual({ small: 125, big: 500 });
    expect(sum(draft.stakes)).toBe(625);
  });

  it("goes back and forth step by step", () => {
    const draft = takeOff(put(put(EMPTY, "small", 100), "big", 500), "small");
    expect(lies(undo(draft))).toEqual({ small: 100, big: 500 });
    expect(lies(undo(undo(draft)))).toEqual({ small: 100 });
    expect(lies(redo(undo(undo(draft))))).toEqual({ small: 100, big: 500 });
    expect(lies(undo(undo(undo(undo(draft)))))).toEqual({});
  });

  it("has nothing to redo after another step", () => {
    const draft = put(undo(put(EMPTY, "small", 100)), "big", 100);
    expect(redo(draft)).toBe(draft);
  });

  it("is cleared and doubled as one step that can be undone", () => {
    const draft = put(put(EMPTY, "small", 100), "big", 200);
    expect(lies(clear(draft))).toEqual({});
    expect(lies(undo(clear(draft)))).toEqual({ small: 100, big: 200 });
    expect(lies(addAll(draft, draft.stakes))).toEqual({ small: 200, big: 400 });
    expect(lies(undo(addAll(draft, draft.stakes)))).toEqual({ small: 100, big: 200 });
  });

  it("keeps 200 steps and no more", () => {
    let draft = EMPTY;
    for (let chip = 0; chip < STEPS_MAX + 10; chip += 1) draft = put(draft, "small", 1);
    for (let step = 0; step < STEPS_MAX; step += 1) draft = undo(draft);
    expect(lies(draft)).toEqual({ small: 10 });
    expect(undo(draft)).toBe(draft);
  });

  it("counts no step where nothing changed", () => {
    expect(takeOff(EMPTY, "small")).toBe(EMPTY);
    expect(clear(EMPTY)).toBe(EMPTY);
  });
});

describe("stakes", () => {
  it("are added by box and multiplied", () => {
    const both = add(new Map([["small", 100]]), new Map([["small", 50], ["odd", 10]]));
    expect([...both]).toEqual([["small", 150], ["odd", 10]]);
    expect([...times(both, 2)]).toEqual([["small", 300], ["odd", 20]]);
  });
});
