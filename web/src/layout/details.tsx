/** The details of a box, opened by a long press, by "i", or by the right button. */

import { useEffect, useId, useRef } from "preact/hooks";

import type { Area, BoxOdds, OddsView } from "../answers.ts";
import { money, useWords } from "../words/words.ts";
import "./details.css";
import { fractionPercent, fullOdds, standing } from "./figures.ts";
import { Picture } from "./printed.tsx";
import type { BoxLimits, BoxMarks } from "./types.ts";

interface BoxDetailsProps {
  readonly area: Pick<Area, "box" | "kind" | "name" | "pays">;
  readonly odds: BoxOdds;
  readonly rulebook: OddsView["rulebook"];
  readonly marks: BoxMarks;
  readonly limits?: BoxLimits | null;
  /** The place where it opens, as CSS lengths. */
  readonly style?: Readonly<Record<string, string>>;
  readonly onClose: () => void;
}

/** Close on Escape and on a press elsewhere. */
function useLeaving(panel: { readonly current: HTMLElement | null }, leave: () => void) {
  useEffect(() => {
    const pressed = (event: PointerEvent) => {
      if (event.target instanceof Node && panel.current?.contains(event.target) !== true) leave();
    };
    document.addEventListener("pointerdown", pressed);
    return () => document.removeEventListener("pointerdown", pressed);
  }, [panel, leave]);
}

export function BoxDetails(props: BoxDetailsProps) {
  const { area, odds, rulebook, marks, limits = null, style = {}, onClose } = props;
  const t = useWords("layout");
  const title = useId();
  const panel = useRef<HTMLDivElement>(null);
  useLeaving(panel, onClose);
  useEffect(() => panel.current?.focus(), [area.box]);
  const own = standing(marks.own.value);
  const rows: [string, string][] = [
    [t("details_pays"), fullOdds(t, area.pays)],
    [t("details_chance"), exactly(odds.probability)],
    [t("details_edge"), exactly(odds.house_edge)],
    [t("details_clause"), t("details_clause_of", { rulebook: rulebook.title, clause: odds.clause })],
  ];
  if (limits !== null) {
    const [minimum, maximum] = [money(limits.minimum), money(limits.maximum)];
    rows.push([t("details_limits"), t("from_to", { minimum, maximum })]);
  }
  if (marks.total !== undefined) rows.push([t("details_total"), money(marks.total.value)]);
  if (marks.words === undefined) rows.push([t("details_own"), own === 0 ? t("none") : money(own)]);
  return (
    <div
      ref={panel}
      class="details"
      role="dialog"
      aria-labelledby={title}
      tabIndex={-1}
      style={style}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <div class="details-head">
        <h2 id={title}>{area.name}</h2>
        <span class={`details-picture layout-is-${area.kind}`} aria-hidden="true">
          <Picture area={area} />
        </span>
        <button type="button" class="details-close" aria-label={t("close")} onClick={onClose}>
          ×
        </button>
      </div>
      <dl>
        {rows.map(([term, words]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The exact fraction, and its percentage. */
function exactly(fraction: string): string {
  return `${fraction} (${fractionPercent(fraction)})`;
}
