/** Live bets: the total on each box of a small layout, and how near it is to the limits. */

import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";

import type { Gauges as GaugesView, LayoutView, OddsView } from "../../answers.ts";
import { Layout, useLit, type BoxMarks, type ChipMark } from "../../layout/index.ts";
import type { LiveTable } from "../../live/index.ts";
import { useWords } from "../../words/words.ts";
import type { Answered } from "../polling.ts";
import { Gauges } from "./gauges.tsx";
import "./bets.css";

/** A dealer has no chips of their own. */
const NONE = signal<readonly ChipMark[]>([]);

interface Props {
  readonly table: LiveTable;
  readonly layout: LayoutView | null;
  readonly odds: OddsView | null;
  readonly gauges: Answered<GaugesView>;
}

export function LiveBets({ table, layout, odds, gauges }: Props) {
  const t = useWords("console");
  const boxes = useMemo(() => (box: string): BoxMarks => ({ own: NONE, total: table.total(box) }), [table]);
  const lit = useLit(table.view.value, table.view.value?.winners);
  return (
    <div class="console-bets">
      <div class="console-bets-layout">
        {layout !== null && odds !== null && (
          <Layout layout={layout} odds={odds} boxes={boxes} lit={lit} still label={t("live_bets")} />
        )}
      </div>
      <Gauges gauges={gauges.value} sentence={gauges.sentence} />
    </div>
  );
}
