/** The layout of a round at one step: its bets, the dice, the lit boxes; and the same as a list. */

import { computed, useComputed, type ReadonlySignal } from "@preact/signals";
import { useMemo } from "preact/hooks";

import { DiceRow, Layout, type BoxMarks, type ChipMark } from "../../layout/index.ts";
import { amount, useWords, type Words } from "../../words/words.ts";
import type { Moment } from "./replay_steps.ts";
import type { RoundRecord } from "./round_page.tsx";

const NOTHING: readonly ChipMark[] = [];

interface LayoutPartProps {
  readonly record: RoundRecord;
  readonly now: ReadonlySignal<Moment>;
  readonly nameOf: (box: string) => string;
}

/** The marks of every box, each a separate signal: a step redraws only the boxes it changed. */
function useMarks(now: ReadonlySignal<Moment>): (box: string) => BoxMarks {
  return useMemo(() => {
    const known = new Map<string, BoxMarks>();
    return (box) => {
      let marks = known.get(box);
      if (marks === undefined) {
        marks = { own: computed(() => now.value.chips.get(box) ?? NOTHING) };
        known.set(box, marks);
      }
      return marks;
    };
  }, [now]);
}

export function LayoutPart({ record, now, nameOf }: LayoutPartProps) {
  const boxes = useMarks(now);
  // The same boxes are lit for several steps; the layout is redrawn only when they change.
  const named = useComputed(() => [...now.value.lit].join(" "));
  const lit = useMemo(() => new Set(named.value === "" ? [] : named.value.split(" ")), [named.value]);
  return (
    <>
      <div class="replay-layout" aria-hidden="true">
        <Layout
          layout={record.layout}
          odds={record.odds}
          boxes={boxes}
          lit={lit}
          ceremony={now.value.ceremony}
          fit="width"
          still
        />
      </div>
      <Seen now={now} nameOf={nameOf} />
    </>
  );
}

const STATES = {
  registered: "lies",
  lost: "collected",
  won: "paid_back",
} as const;

function sayChip(t: Words<"audit">, { amount: cents, state, seat }: ChipMark): string {
  const key = Object.hasOwn(STATES, state) ? STATES[state as keyof typeof STATES] : "lies";
  const sentence = t(key, { amount: amount(cents) });
  return seat === undefined ? sentence : t("seat_has", { seat, stake: sentence });
}

/** The layout in words: the dice, and each box with bets. */
function Seen({ now, nameOf }: Omit<LayoutPartProps, "record">) {
  const t = useWords("audit");
  const { chips, faces, lit } = now.value;
  const comma = t("comma");
  return (
    <div class="replay-seen">
      <p class="replay-dice">
        {faces === null ? t("no_dice") : <DiceRow faces={faces} size="2rem" />}
        {lit.size > 0 && <span>{t.count("boxes_lit", lit.size)}</span>}
      </p>
      <h2 class="replay-title">{t("on_the_layout")}</h2>
      {chips.size === 0 && <p class="audit-hint">{t("nothing_on_layout")}</p>}
      <ul class="replay-stakes">
        {[...chips].map(([box, marks]) => (
          <li key={box} class={lit.has(box) ? "replay-lit" : ""}>
            <span>
              {lit.has(box) && <span aria-hidden="true">◆ </span>}
              {nameOf(box)}
            </span>{" "}
            <strong>{marks.map((mark) => sayChip(t, mark)).join(comma)}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
}
