/** The chips of this player on each box, as the layout draws them. */

import { computed } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";

import type { BoxMarks, ChipMark } from "../../layout/index.ts";
import type { Line } from "../../protocol.ts";
import type { Snag } from "../slip/bounds.ts";
import type { Game } from "../game.ts";
import type { Scene } from "./stage.ts";
import { said } from "../../words/said.ts";

/** The chips of a settled bet: losing chips are gone once the winners are paid. */
export function settledMarks(line: Line, scene: Scene): readonly ChipMark[] {
  const back = line.back ?? 0;
  const isLost = back === 0;
  if (scene === "collect") return [{ amount: line.stake, state: isLost ? "lost" : "registered" }];
  if (scene !== "pay" && scene !== "over") return [{ amount: line.stake, state: "registered" }];
  return isLost ? [] : [{ amount: back, state: "won" }];
}

/** The marks of every box of a game; a box always keeps the same signals. */
export function marksOf(
  game: Game,
  withTotals: boolean,
  saySnag: (snag: Snag) => string,
): (box: string) => BoxMarks {
  const known = new Map<string, BoxMarks>();
  return (box) => {
    let marks = known.get(box);
    if (marks === undefined) {
      marks = boxMarks(game, box, withTotals, saySnag);
      known.set(box, marks);
    }
    return marks;
  };
}

function boxMarks(
  game: Game,
  box: string,
  withTotals: boolean,
  saySnag: (snag: Snag) => string,
): BoxMarks {
  const marks = { own: ownMarks(game, box), refused: reasonAt(game, box, saySnag) };
  return withTotals ? { ...marks, total: game.table.total(box) } : marks;
}

function ownMarks({ stage, slip, terminal }: Game, box: string): ReadonlySignal<readonly ChipMark[]> {
  // Each part is a separate signal, so that a chip on another box does not redraw this one.
  const line = computed(() => stage.lines.value.get(box) ?? null);
  const settled = computed(() => (line.value === null ? null : stage.scene.value));
  const pending = computed(() => slip.pending.value.get(box) ?? 0);
  const draft = computed(() => slip.stakes.value.get(box) ?? 0);
  const isRefused = computed(() => slip.refusals.value.has(box));
  const registered = terminal.bet(box);
  return computed(() => {
    const marks: ChipMark[] = [];
    if (line.value !== null && settled.value !== null) {
      marks.push(...settledMarks(line.value, settled.value));
    } else if (registered.value > 0) {
      marks.push({ amount: registered.value, state: "registered" });
    }
    if (pending.value > 0) marks.push({ amount: pending.value, state: "pending" });
    if (draft.value > 0) {
      marks.push({ amount: draft.value, state: isRefused.value ? "refused" : "draft" });
    }
    return marks;
  });
}

/** The text next to a box: why the server refused the bet, or what it still needs. */
function reasonAt(
  { slip }: Game,
  box: string,
  saySnag: (snag: Snag) => string,
): ReadonlySignal<string | null> {
  return computed(() => {
    const kept = slip.refusals.value.get(box);
    const refused = kept === undefined ? undefined : said(kept);
    if (refused !== undefined) return refused;
    const snag = slip.snags.value.find((each) => each.box === box);
    return snag === undefined ? null : saySnag(snag);
  });
}
