/** A table's win compared with theory, its turnover, and its figures by kind of bet. */

import type { FiguresView } from "../../answers.ts";
import { money, number, percent, useWords } from "../../words/words.ts";
import { Band } from "./band.tsx";
import { Kinds } from "./bets.tsx";
import { Deviation } from "./deviation.tsx";
import type { Seen } from "../tables/condition.ts";
import "./figures.css";

export function Figures({ seen: { reported } }: { readonly seen: Seen }) {
  const t = useWords("pit");
  const { figures, kinds, drop, out } = reported;
  return (
    <section class="pit-panel pit-figures" aria-labelledby="pit-figures">
      <h3 id="pit-figures">{t("figures")}</h3>
      <Band figures={figures} />
      <dl class="pit-facts">
        <Fact name={t("drop")} figure={drop === null ? t("to_count") : money(drop)} />
        <Fact name={t("out")} figure={money(out)} />
        {figures !== null && figures.rounds > 0 && <Played figures={figures} />}
      </dl>
      {kinds.length > 0 && (
        <>
          <h4>{t("by_kind")}</h4>
          <Kinds kinds={kinds} label={t("by_kind")} />
        </>
      )}
    </section>
  );
}

/** The figures of all rounds that stand. */
function Played({ figures }: { readonly figures: FiguresView }) {
  const t = useWords("pit");
  return (
    <>
      <Fact name={t("turnover")} figure={money(figures.turnover)} />
      <Fact name={t("win")} figure={money(figures.win)} />
      <Fact name={t("theory")} figure={money(figures.theory)} />
      <Fact name={t("hold")} figure={share(figures.hold_percent)} />
      <Fact name={t("theory_hold")} figure={share(figures.theory_percent)} />
      <div>
        <dt>{t("deviation")}</dt>
        <dd>
          <Deviation figures={figures} />
        </dd>
      </div>
      <Fact name={t("rounds")} figure={number(figures.rounds)} />
      <Fact
        name={t("per_hour")}
        figure={figures.rounds_per_hour === null ? "–" : number(figures.rounds_per_hour)}
      />
      <Fact name={t("bets")} figure={number(figures.bets)} />
      <Fact
        name={t("void_reversed")}
        figure={t("and", { one: number(figures.void), other: number(figures.reversed) })}
      />
      <Fact
        name={t("amended_irregular")}
        figure={t("and", { one: number(figures.amendments), other: number(figures.irregularities) })}
      />
    </>
  );
}

function share(of: number | null): string {
  return of === null ? "–" : percent(of / 100);
}

function Fact({ name, figure }: { readonly name: string; readonly figure: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{figure}</dd>
    </div>
  );
}
