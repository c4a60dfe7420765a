import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";

import type { LimitsAsked, Refused, Registered, WireCommand } from "../../protocol.ts";
import type { Stakes } from "./draft.ts";
import { Slip } from "./slip.ts";

const BOXES = ["small", "big", "odd", "even", "total-10", "triple-6"];

/** A seat whose venue answers when the test tells it to. */
function seated(limits: LimitsAsked = { minimum: 500, maximum: 50_000, step: 100 }) {
  const credits = signal(100_000);
  const bets = signal<Stakes>(new Map());
  const last = signal<Stakes>(new Map());
  const round = signal(1);
  const isShut = signal(false);
  const sent: WireCommand[] = [];
  const answers: ((answer: Registered | Refused) => void)[] = [];
  const failing: ((error: Error) => void)[] = [];
  const slip = new Slip({
    terminal: "T1-1",
    credits,
    bets,
    last,
    round,
    limits: signal(limits),
    isShut,
    held: (box) => bets.peek().get(box) ?? 0,
    kind: (box) => (BOXES.includes(box) ? (box.split("-")[0] ?? box) : null),
    ask: (command) => {
      sent.push(command);
      return new Promise((answer, fail) => {
        answers.push(answer);
        failing.push(fail);
      });
    },
  });
  return { slip, credits, bets, last, round, isShut, sent, answers, failing };
}

const registered: Registered = {
  type: "Registered", id: "1-a", to: "T1", first: 2, last: 2, at: 1,
};

function refused(params: Record<string, number | string>): Refused {
  const code = "BELOW_MINIMUM";
  const reason = { code, params };
  return { type: "Refused", id: "1-a", code, sentence: "Too little.", reason, clause: "5.2" };
}

const lies = (stakes: Stakes): Record<string, number> => Object.fromEntries(stakes);

describe("drafting", () => {
  it("puts the chip in hand on a box", () => {
    const { slip } = seated();
    slip.tool.value = 500;
    slip.press("small");
    slip.press("small");
    expect(lies(slip.stakes.value)).toEqual({ small: 1_000 });
    expect(slip.left.value).toBe(99_000);
  });

  it("puts exactly what is left", () => {
    const { slip, credits } = seated();
    credits.value = 1_237;
    slip.put("small", 1_000);
    slip.tool.value = "rest";
    slip.press("big");
    expect(lies(slip.stakes.value)).toEqual({ small: 1_000, big: 237 });
    expect(slip.left.value).toBe(0);
    expect(slip.put("odd", "rest")).toBe(false);
    expect(slip.message.value).toEqual({ kind: "nothing-left" });
  });

  it("puts nothing that the credits do not cover, and says what is left", () => {
    const { slip, credits } = seated();
    credits.value = 700;
    expect(slip.put("small", 1_000)).toBe(false);
    expect(slip.stakes.value.size).toBe(0);
    expect(slip.message.value).toEqual({ kind: "not-enough", wanted: 1_000, left: 700 });
  });

  it("takes off, undoes and redoes", () => {
    const { slip } = seated();
    slip.put("small", 500);
    slip.put("big", 500);
    slip.tool.value = "take-off";
    slip.press("small");
    expect(lies(slip.stakes.value)).toEqual({ big: 500 });
    slip.undo();
    slip.undo();
    expect(lies(slip.stakes.value)).toEqual({ small: 500 });
    slip.redo();
    expect(lies(slip.stakes.value)).toEqual({ small: 500, big: 500 });
    slip.clear();
    expect(slip.stakes.value.size).toBe(0);
    expect(slip.canUndo.value).toBe(true);
  });

  it("doubles the draft, or with none what is registered", () => {
    const { slip, bets } = seated();
    slip.put("small", 500);
    slip.double();
    expect(lies(slip.stakes.value)).toEqual({ small: 1_000 });
    slip.clear();
    bets.value = new Map([["odd", 700]]);
    slip.double();
    expect(lies(slip.stakes.value)).toEqual({ odd: 700 });
  });

  it("repeats the last round, once or twice over", () => {
    const { slip, last } = seated();
    slip.rebet();
    expect(slip.message.value).toEqual({ kind: "nothing-to-repeat" });
    last.value = new Map([["small", 500], ["total-10", 600]]);
    slip.rebet();
    expect(lies(slip.stakes.value)).toEqual({ small: 500, "total-10": 600 });
    slip.clear();
    slip.rebet(2);
    expect(lies(slip.stakes.value)).toEqual({ small: 1_000, "total-10": 1_200 });
  });

  it("adds nothing at all where the credits cover a part only", () => {
    const { slip, last, credits } = seated();
    credits.value = 1_000;
    last.value = new Map([["small", 500], ["total-10", 600]]);
    slip.rebet();
    expect(slip.stakes.value.size).toBe(0);
    expect(slip.message.value).toEqual({ kind: "not-enough", wanted: 1_100, left: 1_000 });
  });

  it("leaves out boxes that this layout does not have, and says so", () => {
    const { slip } = seated();
    slip.addAll(new Map([["small", 500], ["three-221", 500]]));
    expect(lies(slip.stakes.value)).toEqual({ small: 500 });
    expect(slip.message.value).toEqual({ kind: "left-out" });
  });
});

describe("small units", () => {
  it("add up to the minimum before anything is sent", async () => {
    const { slip, sent } = seated();
    slip.put("small", 100);
    slip.put("big", 500);
    expect(slip.snags.value).toEqual([{ kind: "short", box: "small", by: 400 }]);
    await slip.place();
    expect(sent).toEqual([]);
    slip.fillUp("small");
    expect(slip.snags.value).toEqual([]);
    void slip.place();
    const bets = [["small", 500], ["big", 500]];
    expect(sent).toEqual([{ type: "PlaceBets", terminal: "T1-1", bets }]);
  });

  it("may be added to a box that has its minimum", () => {
    const { slip, bets } = seated();
    bets.value = new Map([["small", 500]]);
    slip.put("small", 100);
    expect(slip.isReady.value).toBe(true);
  });
});

describe("sending", () => {
  it("sends once, however often it is pressed", async () => {
    const { slip, sent, answers, bets } = seated();
    slip.put("small", 500);
    const placing = slip.place();
    void slip.place();
    slip.put("big", 500);
    void slip.place();
    expect(sent).toHaveLength(1);
    expect(lies(slip.pending.value)).toEqual({ small: 500 });
    bets.value = new Map([["small", 500]]);
    expect(slip.pending.value.size).toBe(0);
    answers[0]?.(registered);
    await placing;
    expect(slip.isSending.value).toBe(false);
    expect(lies(slip.stakes.value)).toEqual({ big: 500 });
  });

  it("keeps chips pending until they are seen on the table, whichever comes first", async () => {
    const { slip, answers, bets, credits } = seated();
    slip.put("small", 500);
    const placing = slip.place();
    answers[0]?.(registered);
    await placing;
    expect(lies(slip.pending.value)).toEqual({ small: 500 });
    expect(slip.left.value).toBe(99_500);
    credits.value = 99_500;
    bets.value = new Map([["small", 500]]);
    expect(slip.pending.value.size).toBe(0);
    expect(slip.isSending.value).toBe(false);
    expect(slip.left.value).toBe(99_500);
  });

  it("shows on top of what lies there only what is new", () => {
    const { slip, bets } = seated();
    bets.value = new Map([["small", 500]]);
    slip.put("small", 700);
    void slip.place();
    expect(lies(slip.pending.value)).toEqual({ small: 700 });
  });

  it("cannot undo what is on the table", async () => {
    const { slip, answers, bets } = seated();
    slip.put("small", 500);
    const placing = slip.place();
    bets.value = new Map([["small", 500]]);
    answers[0]?.(registered);
    await placing;
    expect(slip.canUndo.value).toBe(false);
  });

  it("sends nothing that the credits no longer cover", async () => {
    const { slip, sent, credits } = seated();
    slip.put("small", 5_000);
    credits.value = 4_000;
    expect(slip.isBeyond.value).toBe(true);
    await slip.place();
    expect(sent).toEqual([]);
  });

  it("forgets what was sent in a round that is over once it is answered", async () => {
    const { slip, answers, round } = seated();
    slip.put("small", 500);
    const placing = slip.place();
    round.value = 2;
    expect(slip.isSending.value).toBe(true);
    answers[0]?.(registered);
    await placing;
    expect(slip.isSending.value).toBe(false);
  });
});

describe("refused", () => {
  it("gives the draft back, and puts the sentence next to its box", async () => {
    const { slip, answers } = seated();
    slip.put("small", 500);
    slip.put("big", 500);
    const placing = slip.place();
    answers[0]?.(refused({ box: "big", minimum_cents: 1_000 }));
    await placing;
    expect(lies(slip.stakes.value)).toEqual({ small: 500, big: 500 });
    expect([...slip.refusals.value]).toEqual([["big", "Too little."]]);
    expect(slip.message.value).toEqual({ kind: "refused", sentence: "Too little.", clause: "5.2" });
    slip.put("big", 500);
    expect(slip.refusals.value.size).toBe(0);
    expect(slip.message.value).toBeNull();
    slip.undo();
    slip.undo();
    expect(lies(slip.stakes.value)).toEqual({ small: 500 });
  });

  it("puts a sentence that names no box on the slip alone", async () => {
    const { slip, answers } = seated();
    slip.put("small", 500);
    const placing = slip.place();
    answers[0]?.(refused({}));
    await placing;
    expect(slip.refusals.value.size).toBe(0);
    expect(slip.message.value?.kind).toBe("refused");
  });

  it("adds what comes back to what was drafted meanwhile", async () => {
    const { slip, answers } = seated();
    slip.put("small", 500);
    const placing = slip.place();
    slip.put("small", 100);
    answers[0]?.(refused({}));
    await placing;
    expect(lies(slip.stakes.value)).toEqual({ small: 600 });
    slip.undo();
    expect(lies(slip.stakes.value)).toEqual({ small: 100 });
  });

  it("gives the draft back where nobody can be asked", async () => {
    const { slip, failing } = seated();
    slip.put("small", 500);
    const placing = slip.place();
    failing[0]?.(new Error("The line is closed."));
    await placing;
    expect(lies(slip.stakes.value)).toEqual({ small: 500 });
    expect(slip.message.value).toEqual({ kind: "failed", sentence: "The line is closed." });
  });
});

describe("taking back", () => {
  it("asks for one box, or for all of them", async () => {
    const { slip, sent, answers, bets } = seated();
    bets.value = new Map([["small", 500], ["big", 900]]);
    const one = slip.takeBack("small");
    expect(slip.taking.value).toBe(true);
    answers[0]?.(registered);
    await one;
    void slip.takeAllBack();
    expect(sent).toEqual([
      { type: "WithdrawBets", terminal: "T1-1", bets: [["small", 500]] },
      { type: "ClearBets", terminal: "T1-1" },
    ]);
  });

  it("takes the draft off before what is registered", () => {
    const { slip, sent, bets } = seated();
    bets.value = new Map([["small", 500]]);
    slip.put("small", 100);
    slip.takeOff("small");
    expect(slip.stakes.value.size).toBe(0);
    expect(sent).toEqual([]);
    slip.takeOff("small");
    expect(sent).toHaveLength(1);
    slip.takeOff("big");
    expect(sent).toHaveLength(1);
  });

  it("says next to the box why it cannot be taken back", async () => {
    const { slip, answers, bets } = seated();
    bets.value = new Map([["small", 500]]);
    const taking = slip.takeBack("small");
    answers[0]?.(refused({}));
    await taking;
    expect(slip.refusals.value.get("small")).toBe("Too little.");
    expect(slip.taking.value).toBe(false);
  });
});

describe("when the bets close", () => {
  it("keeps a draft that was not sent, and says so until they open again", () => {
    const { slip } = seated();
    slip.betsClosed();
    expect(slip.message.value).toBeNull();
    slip.put("small", 500);
    slip.betsClosed();
    expect(slip.message.value).toEqual({ kind: "kept" });
    slip.betsOpened();
    expect(slip.message.value).toBeNull();
    expect(lies(slip.stakes.value)).toEqual({ small: 500 });
  });
});

describe("where the terminal takes no bets", () => {
  it("forgets what was said before that, and says what comes after", async () => {
    const { slip, credits, bets, isShut, answers } = seated();
    credits.value = 0;
    slip.put("small", 500);
    expect(slip.message.value).toEqual({ kind: "nothing-left" });
    isShut.value = true;
    expect(slip.message.value).toBeNull();
    bets.value = new Map([["small", 500]]);
    const taking = slip.takeAllBack();
    answers[0]?.(refused({}));
    await taking;
    expect(slip.message.value?.kind).toBe("refused");
  });
});
