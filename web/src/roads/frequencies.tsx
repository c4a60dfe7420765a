/** Totals and faces compared with expectation, and boxes that won more or less often. */

import type { BoxCount, Counted, Statistics } from "../answers.ts";
import { DieFace } from "../layout/dice/dice.tsx";
import { cited, number, useWords, type Words } from "../words/words.ts";
import { Road } from "./road.tsx";

interface FrequenciesProps {
  readonly statistics: Statistics;
  readonly still?: boolean;
}

/** The difference between the observed and the expected number, with its sign. */
function apart({ seen, expected }: Pick<Counted, "seen" | "expected">): string {
  const difference = seen - Number(expected.rounded);
  return `${difference < 0 ? "−" : "+"}${number(Math.abs(difference))}`;
}

interface BarsProps {
  readonly counted: readonly Counted[];
  readonly dice: boolean;
}

/** A bar for each outcome: its length is the observed number, a tick marks the expected one. */
function Bars({ counted, dice }: BarsProps) {
  const figures = counted.flatMap(({ seen, expected }) => [seen, Number(expected.rounded)]);
  const most = Math.max(1, ...figures);
  const share = (figure: number) => (figure / most).toFixed(4);
  return (
    <div class="bars">
      {counted.map((each) => (
        <div key={each.name} class="bars-row">
          <span class="bars-name">{dice ? <DieFace face={Number(each.name)} /> : each.name}</span>
          <span class="bars-track">
            <span class="bars-bar" style={{ "--share": share(each.seen) }} />
            <span class="bars-tick" style={{ "--share": share(Number(each.expected.rounded)) }} />
          </span>
          <span class="bars-seen">{number(each.seen)}</span>
          <span class="bars-apart">{apart(each)}</span>
        </div>
      ))}
    </div>
  );
}

interface CountedTableProps {
  readonly counted: readonly Counted[];
  readonly what: string;
}

function CountedTable({ counted, what }: CountedTableProps) {
  const t = useWords("roads");
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{what}</th>
          <th scope="col">{t("seen")}</th>
          <th scope="col">{t("expected")}</th>
          <th scope="col">{t("apart")}</th>
        </tr>
      </thead>
      <tbody>
        {counted.map((each) => (
          <tr key={each.name}>
            <th scope="row">{each.name}</th>
            <td>{number(each.seen)}</td>
            <td>{each.expected.exact}</td>
            <td>{apart(each)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function summaryOf(t: Words<"roads">, rounds: number, counted: readonly Counted[]): string {
  const counts = counted
    .map(({ name, seen }) => t("outcome_count", { outcome: name, count: number(seen) }))
    .join(t("comma"));
  return t("frequencies_summary", { rounds: number(rounds), counts });
}

export function Frequencies({ statistics, still }: FrequenciesProps) {
  const t = useWords("roads");
  const { rounds, totals, faces, note, clause } = statistics;
  return (
    <div class="frequencies">
      <Road
        title={t("totals")}
        summary={summaryOf(t, rounds, totals)}
        table={<CountedTable counted={totals} what={t("total")} />}
        note={false}
        still={still}
      >
        <Bars counted={totals} dice={false} />
      </Road>
      <Road
        title={t("faces")}
        summary={summaryOf(t, rounds, faces)}
        table={<CountedTable counted={faces} what={t("face")} />}
        note={false}
        still={still}
      >
        <Bars counted={faces} dice />
      </Road>
      <p class="road-note">{t("legend")}</p>
      <p class="road-note road-said">
        {note}
        {clause !== null && ` (${cited(t, clause)})`}
      </p>
    </div>
  );
}

/** The boxes that won more often than expected, and those that won less often. */
export function HotAndCold({ statistics }: { readonly statistics: Statistics }) {
  const t = useWords("roads");
  return (
    <div class="hot-and-cold">
      <Boxes title={t("hot")} boxes={statistics.hot} />
      <Boxes title={t("cold")} boxes={statistics.cold} />
      <p class="road-note road-said">{statistics.note}</p>
    </div>
  );
}

function Boxes({ title, boxes }: { readonly title: string; readonly boxes: readonly BoxCount[] }) {
  const t = useWords("roads");
  return (
    <section class="hot-list">
      <h3 class="road-title">{title}</h3>
      {boxes.length === 0 && <p class="road-note">{t("none")}</p>}
      <ol>
        {boxes.map((each) => (
          <li key={each.box}>
            <span>{each.name}</span>{" "}
            <span class="hot-figures">
              {t("seen_of", { seen: number(each.seen), expected: each.expected.rounded })}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
