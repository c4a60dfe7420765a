/** An area of the layout: a button that draws its box and the chips on it. */

import { computed, useComputed, type ReadonlySignal } from "@preact/signals";
import { useMemo } from "preact/hooks";

import type { Area, BoxOdds } from "../answers.ts";
import { amount, useWords, type Words } from "../words/words.ts";
import { ChipStack } from "./chips/chip.tsx";
import { chipAmount, fractionPercent, spokenOdds } from "./figures.ts";
import { Print } from "./printed.tsx";
import type { BoxMarks, ChipMark } from "./types.ts";

export interface AreaProps {
  readonly area: Pick<Area, "box" | "kind" | "name" | "pays" | "prints">;
  readonly place: number;
  readonly odds: BoxOdds;
  readonly marks: BoxMarks;
  readonly lit: boolean;
  readonly chances: boolean;
  readonly still: boolean;
  /** The area that has the keyboard focus. */
  readonly current: ReadonlySignal<number>;
  /** Whether the total is written in this area, since a box may be printed in several. */
  readonly tells: boolean;
  /** Whether the chips are drawn in this area, since a box may be printed in several. */
  readonly holds: (box: string, place: number) => boolean;
  readonly style?: Readonly<Record<string, string>>;
}

const STANDINGS = {
  draft: "bet_draft",
  pending: "bet_pending",
  registered: "bet_registered",
  refused: "bet_refused",
  won: "bet_won",
  lost: "bet_lost",
} as const;

/** A player's chips in words: the sum of each state. */
function ownWords(t: Words<"layout">, chips: readonly ChipMark[]): string[] {
  const states = [...new Set(chips.map(({ state }) => state))];
  return states.map((state) => {
    const same = chips.filter((chip) => chip.state === state);
    const sum = same.reduce((before, chip) => before + chip.amount, 0);
    return t(STANDINGS[state], { amount: amount(sum) });
  });
}

function nameOf(
  t: Words<"layout">,
  area: AreaProps["area"],
  marks: BoxMarks,
  lit: boolean,
): string {
  const stakes = marks.words === undefined ? ownWords(t, marks.own.value) : [marks.words.value];
  const said = [area.name, ...area.prints, spokenOdds(t, area.pays)];
  const parts = [...said, ...stakes.filter((each) => each !== "")];
  return [...parts, ...(lit ? [t("wins")] : [])].join(t("comma"));
}

function chancesOf(t: Words<"layout">, odds: BoxOdds): string {
  return t("chances_spoken", {
    chance: odds.probability,
    chance_percent: fractionPercent(odds.probability),
    edge: odds.house_edge,
    edge_percent: fractionPercent(odds.house_edge),
  });
}

/** The name, odds and marks of one box. Only its inner components read the marks' signals. */
export function AreaButton(props: AreaProps) {
  const { area, place, odds, marks, lit, chances, still, tells, current, holds, style = {} } = props;
  const t = useWords("layout");
  // Bound to the attribute, so that a bet changes the name without rendering the area.
  const name = useMemo(
    () => computed(() => nameOf(t, area, marks, lit)),
    [t, area, marks, lit],
  );
  const tabIndex = useMemo(
    () => computed(() => (current.value === place ? 0 : -1)),
    [current, place],
  );
  const shared = {
    class: `layout-area layout-is-${area.kind}${lit ? " layout-lit" : ""}`,
    style,
    "data-box": area.box,
    "data-place": place,
    "aria-label": name,
    ...(chances ? { "aria-description": chancesOf(t, odds) } : {}),
  };
  const inside = (
    <>
      <Own box={area.box} place={place} own={marks.own} most={marks.most} holds={holds} />
      {marks.total !== undefined && (
        <span class="layout-total">{tells && <Total total={marks.total} />}</span>
      )}
      <Print area={area} odds={chances ? odds : null} />
      {marks.notice !== undefined && <Warning notice={marks.notice} />}
      {lit && <span class="layout-diamond">◆</span>}
    </>
  );
  if (still) return <div {...shared} role="img">{inside}</div>;
  return (
    <button {...shared} type="button" tabIndex={tabIndex}>
      {inside}
    </button>
  );
}

/** The total on a box, small in its corner: a text that changes without rendering the area. */
function Total({ total }: { readonly total: ReadonlySignal<number> }) {
  const text = useComputed(() => (total.value === 0 ? "" : chipAmount(total.value)));
  return <>{text}</>;
}

interface OwnProps extends Pick<AreaProps, "place" | "holds"> {
  readonly box: string;
  readonly own: BoxMarks["own"];
  readonly most: number | undefined;
}

function Own({ box, place, own, most, holds }: OwnProps) {
  const chips = own.value;
  if (chips.length === 0 || !holds(box, place)) return null;
  return (
    <span class="layout-own">
      <ChipStack chips={chips} most={most} />
    </span>
  );
}

/** A warning that the dealer should deal with before the bets close. */
function Warning({ notice }: { readonly notice: ReadonlySignal<string | null> }) {
  return notice.value === null ? null : <span class="layout-notice">{notice}</span>;
}
