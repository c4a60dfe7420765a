/** The stacks on each box of a chip table, as the layout draws them: recorded, sent or tapped. */

import { computed, type ReadonlySignal } from "@preact/signals";

import type { BoxMarks, ChipMark, ChipState } from "../../../layout/index.ts";
import type { LimitNotice } from "../../../protocol.ts";
import { money, short, spokenLanguage, type Words } from "../../../words/words.ts";
import type { Put } from "./line.ts";
import type { Recorder } from "./recorder.ts";

type ByBox = ReadonlyMap<string, readonly ChipMark[]>;

/** The most stacks drawn on a box; large boxes have room for one of every seat. */
const MOST = 3;
const MOST_LARGE = 7;
const LARGE: ReadonlySet<string> = new Set(["small", "big", "odd", "even", "any-triple"]);

/** The marks of every box; a box always keeps the same signals. */
export function marksOf(
  recorder: Recorder,
  kinds: ReadonlyMap<string, string>,
  t: Words<"recording">,
): (box: string) => BoxMarks {
  const all = computed(() => byBox(recorder));
  const known = new Map<string, BoxMarks>();
  return (box) => {
    let marks = known.get(box);
    if (marks === undefined) {
      const own = computed(() => all.value.get(box) ?? []);
      marks = {
        own,
        total: recorder.desk.table.total(box),
        words: computed(() => {
          const comma = spokenLanguage.value === "en" ? ", " : "，";
          return own.value.map((mark) => markSentence(t, mark)).join(comma);
        }),
        notice: noticeOn(recorder, box),
        most: LARGE.has(kinds.get(box) ?? "") ? MOST_LARGE : MOST,
      };
      known.set(box, marks);
    }
    return marks;
  };
}

function byBox(recorder: Recorder): ByBox {
  const found = new Map<string, ChipMark[]>();
  const put = (seat: string, box: string, amount: number, state: ChipState): void => {
    const colour = recorder.playerAt(seat)?.colour ?? null;
    found.set(box, [...(found.get(box) ?? []), { seat, amount, state, colour }]);
  };
  for (const { seat, box, amount } of recorder.chipTable.value?.stacks ?? []) put(seat, box, amount, "registered");
  const puts = (seat: string, all: readonly Put[], state: ChipState): void => {
    for (const { box, amount } of all) put(seat, box, amount, state);
  };
  for (const each of recorder.sending.value) puts(each.seat, each.puts, "pending");
  for (const each of recorder.drafts.value) puts(each.seat, each.puts, "draft");
  const { act, puts: keyed } = recorder.understood.value;
  if (recorder.seat.value !== null && act === "record") puts(recorder.seat.value, keyed, "draft");
  return found;
}

function markSentence(t: Words<"recording">, { seat = "", amount, state }: ChipMark): string {
  const blanks = { seat, amount: money(amount) };
  if (state === "draft") return t("mark_draft", blanks);
  return state === "pending" ? t("mark_pending", blanks) : t("mark_lies", blanks);
}

/** The sign on a box that is outside the limits, with how much it is. */
function noticeOn(recorder: Recorder, box: string): ReadonlySignal<string | null> {
  return computed(() => {
    const here = (recorder.chipTable.value?.notices ?? []).filter((each) => each.box === box);
    return here.length === 0 ? null : here.map(sign).join(" ");
  });
}

function sign({ outside, amount }: LimitNotice): string {
  return `${outside === "minimum" ? "▼" : "▲"}${short(amount)}`;
}
