/** The payout guide: what is collected, then what is paid, line by line. */

import type { PayoutGuide } from "../../answers.ts";
import { Button } from "../../shell/index.ts";
import { cited, money, number, useWords, type Words } from "../../words/words.ts";
import { MiniDice } from "../parts/mini_dice.tsx";
import "./payout_guide.css";

/** One line of the guide: a box to collect from, or one to pay. */
export interface GuideLine {
  readonly act: "collect" | "pay";
  readonly box: string;
  readonly name: string;
  readonly amountText: string;
  readonly how: string;
}

/** All lines in the order of the documents: all collecting comes before all paying. */
export function linesOf(t: Words<"console">, guide: PayoutGuide): readonly GuideLine[] {
  const collect = guide.collect.map((each) => ({
    act: "collect" as const,
    box: each.box,
    name: each.name,
    amountText: money(each.stake),
    how: t.count("bets", each.bets),
  }));
  const pay = guide.pay.map((each) => ({
    act: "pay" as const,
    box: each.box,
    name: each.name,
    amountText: money(each.won),
    how: t("pays_on", { stake: money(each.stake), odds: each.odds }),
  }));
  return [...collect, ...pay];
}

interface Props {
  readonly guide: PayoutGuide | null;
  /** Why there is no guide. */
  readonly sentence: string | null;
  /** How many lines are done; null if the guide is not worked through line by line. */
  readonly done: number | null;
  readonly onWalk: (walk: boolean) => void;
}

export function Guide({ guide, sentence, done, onWalk }: Props) {
  const t = useWords("console");
  if (guide === null) return <p class="console-hint">{sentence ?? t("guide_none")}</p>;
  const lines = linesOf(t, guide);
  const collect = lines.filter((line) => line.act === "collect");
  const pay = lines.filter((line) => line.act === "pay");
  return (
    <section class="console-guide" aria-label={t("tab_guide")}>
      <header class="console-guide-head">
        <MiniDice faces={guide.faces} />
        <p>
          <strong>{t("round_number", { round: number(guide.round) })}</strong>, {guide.call}.{" "}
          {guide.settled ? t("guide_settled") : t("guide_to_settle")}
        </p>
        {!guide.settled && (
          <Button aria-pressed={done !== null} onClick={() => onWalk(done === null)}>
            {done === null ? t("guide_walk") : t("guide_walk_end")}
          </Button>
        )}
      </header>
      <Lines title={t("collect_first")} lines={collect} from={0} done={done} total={guide.collected} />
      <Lines title={t("then_pay")} lines={pay} from={collect.length} done={done} total={guide.paid} />
      <p class="console-guide-sum">
        {t("guide_sum", { collected: money(guide.collected), paid: money(guide.paid), back: money(guide.back) })}
        {guide.clause != null && <span class="console-clause">{cited(t, guide.clause)}</span>}
      </p>
    </section>
  );
}

interface LinesProps {
  readonly title: string;
  readonly lines: readonly GuideLine[];
  readonly from: number;
  readonly done: number | null;
  readonly total: number;
}

function Lines({ title, lines, from, done, total }: LinesProps) {
  const t = useWords("console");
  return (
    <section class="console-guide-part">
      <h2>
        {title} <span>{money(total)}</span>
      </h2>
      {lines.length === 0 && <p class="console-hint">{t("guide_nothing")}</p>}
      <ol>
        {lines.map((line, place) => (
          <li key={line.box} class="console-guide-line" data-act={line.act} data-state={stateOf(done, from + place)}>
            <span class="console-guide-mark" aria-hidden="true" />
            <span class="console-guide-name">{line.name}</span>
            <span class="console-guide-how">{line.how}</span>
            <span class="console-guide-amount">{line.amountText}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function stateOf(done: number | null, place: number): "done" | "now" | "later" | "listed" {
  if (done === null) return "listed";
  if (place === done) return "now";
  return place < done ? "done" : "later";
}
