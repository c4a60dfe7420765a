/** Gaming days: each table on each date, what was counted, and the reports to print or to keep. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { DayList, DayOfTable } from "../../answers.ts";
import { get, Problem } from "../../live/index.ts";
import { Button, Field, given } from "../../shell/index.ts";
import { said } from "../../words/said.ts";
import { amount, clock, language, number, percent, useWords, type Words } from "../../words/words.ts";
import { Deviation } from "../figures/deviation.tsx";
import { ReportLink } from "./report_link.tsx";
import { SortTable, type Column } from "../figures/sort_table.tsx";
import "./days.css";

/** How often the days are requested again, since the present day goes on. */
const AGAIN_MS = 15_000;

/** The dates requested; left empty, the server sends the last week. */
interface PeriodQuery {
  readonly from?: string;
  readonly to?: string;
}

export function Days() {
  const t = useWords("pit");
  const period = useSignal<PeriodQuery>({});
  const days = useSignal<DayList | null>(null);
  const fault = useSignal<string | null>(null);
  const turn = useSignal(0);
  useEffect(() => {
    const again = setInterval(() => {
      if (!document.hidden) turn.value += 1;
    }, AGAIN_MS);
    return () => clearInterval(again);
  }, []);
  useEffect(() => {
    const ended = new AbortController();
    get<DayList>("/api/reports/days", { ...period.value }, { signal: ended.signal }).then(
      (list) => {
        days.value = list;
        fault.value = null;
      },
      (error: unknown) => {
        if (ended.signal.aborted) return;
        if (!(error instanceof Problem)) throw error;
        fault.value = error.message;
      },
    );
    return () => ended.abort();
  }, [period.value, language.value, turn.value]);
  return (
    <div class="pit-part">
      <h2>{t("view_days")}</h2>
      <p class="pit-quiet">
        {days.value === null
          ? t("asking")
          : t("days_how", { hour: `${days.value.day_starts}:00`, zone: days.value.time_zone })}
      </p>
      {days.value !== null && <p class="pit-quiet">{t("as_of", { time: clock(days.value.at) })}</p>}
      <Period list={days.value} onAsk={(chosen) => (period.value = chosen)} />
      <div role="alert">{fault.value !== null && <p class="pit-refused">{said(fault.value)}</p>}</div>
      {days.value !== null && <List list={days.value} />}
    </div>
  );
}

interface PeriodProps {
  readonly list: DayList | null;
  readonly onAsk: (period: PeriodQuery) => void;
}

function Period({ list, onAsk }: PeriodProps) {
  const t = useWords("pit");
  const submit = (event: SubmitEvent): void => {
    const { from = "", to = "" } = given(event);
    onAsk({ ...(from === "" ? {} : { from }), ...(to === "" ? {} : { to }) });
  };
  return (
    <form class="pit-days-period" onSubmit={submit} key={`${list?.since} ${list?.until}`}>
      <Field label={t("days_from")} name="from" type="date" defaultValue={list?.since ?? ""} />
      <Field label={t("days_to")} name="to" type="date" defaultValue={list?.until ?? ""} />
      <Button type="submit">{t("days_show")}</Button>
    </form>
  );
}

function List({ list }: { readonly list: DayList }) {
  const t = useWords("pit");
  const { days, missing, since, until } = list;
  return (
    <>
      {missing.length > 0 && (
        <p class="pit-refused">{t("days_missing", { tables: missing.join(t("list_join")) })}</p>
      )}
      {days.length === 0 ? <p>{t("days_none")}</p> : <Reports days={days} />}
      {days.length > 0 && (
        <>
          <Rows title={t("days_played")} columns={playedOf(t)} days={days} />
          <Rows title={t("days_counted")} columns={countedOf(t)} days={days.filter(({ count }) => count !== null)} />
          <p>
            <ReportLink
              address={`/api/reports/days/csv?from=${since}&to=${until}`}
              name={`gaming-days-${since}-${until}.csv`}
              label={t("days_csv")}
            />
          </p>
        </>
      )}
    </>
  );
}

interface RowsProps {
  readonly title: string;
  readonly columns: readonly DayColumn[];
  readonly days: readonly DayOfTable[];
}

function Rows({ title, columns, days }: RowsProps) {
  if (days.length === 0) return null;
  return (
    <section class="pit-days-rows">
      <h3>{title}</h3>
      <SortTable label={title} columns={columns} rows={days} id={({ date, table }) => `${date} ${table}`} />
    </section>
  );
}

/** The reports of each date: a page to print, and a table for calculations. */
function Reports({ days }: { readonly days: readonly DayOfTable[] }) {
  const t = useWords("pit");
  const dates = [...new Set(days.map(({ date }) => date))];
  return (
    <section aria-labelledby="pit-days-reports">
      <h3 id="pit-days-reports">{t("days_reports")}</h3>
      <ul class="pit-days-reports">
        {dates.map((date) => (
          <li key={date}>
            <strong>{date}</strong>
            <ReportLink
              address={`/api/reports/day/${date}/page?language=${language.value}`}
              name={`gaming-day-${date}.html`}
              label={t("report_page")}
              of={date}
              isPage
            />
            <ReportLink
              address={`/api/reports/day/${date}/csv?language=${language.value}`}
              name={`gaming-day-${date}.csv`}
              label={t("report_csv")}
              of={date}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

type DayColumn = Column<DayOfTable>;

function figureOf(name: string, of: (day: DayOfTable) => number | null): DayColumn {
  return {
    name,
    figure: true,
    by: (day) => of(day) ?? -Infinity,
    cell: (day) => {
      const cents = of(day);
      return cents === null ? "–" : amount(cents);
    },
  };
}

function whichOf(t: Words<"pit">): readonly DayColumn[] {
  return [
    { name: t("date"), cell: ({ date }) => date, by: ({ date }) => date },
    { name: t("table"), cell: ({ table }) => table, by: ({ table }) => table },
    { name: t("day_state"), cell: (day) => stateOf(t, day), by: (day) => stateOf(t, day) },
  ];
}

/** The figures of a day's rounds, compared with the expectation from their bets. */
function playedOf(t: Words<"pit">): readonly DayColumn[] {
  return [
    ...whichOf(t),
    { ...figureOf(t("rounds"), ({ figures }) => figures.rounds), cell: ({ figures }) => number(figures.rounds) },
    figureOf(t("turnover"), ({ figures }) => figures.turnover),
    figureOf(t("drop"), ({ drop }) => drop),
    figureOf(t("win"), ({ win }) => win),
    figureOf(t("theory"), ({ figures }) => figures.theory),
    {
      name: t("hold"),
      figure: true,
      by: ({ figures }) => figures.hold_percent ?? -Infinity,
      cell: ({ figures }) => (figures.hold_percent === null ? "–" : percent(figures.hold_percent / 100)),
    },
    {
      name: t("deviation"),
      figure: true,
      by: ({ figures }) => Math.abs(figures.deviation),
      cell: ({ figures }) => <Deviation figures={figures} />,
    },
  ];
}

/** What was counted at a chip table: win is drop + closing - opening - fills + credits. */
function countedOf(t: Words<"pit">): readonly DayColumn[] {
  return [
    ...whichOf(t),
    figureOf(t("day_drop"), ({ count }) => count?.drop ?? null),
    figureOf(`+ ${t("day_closing")}`, ({ count }) => count?.closing ?? null),
    figureOf(`− ${t("day_opening")}`, ({ count }) => count?.opening ?? null),
    figureOf(`− ${t("day_fills")}`, ({ count }) => count?.fills ?? null),
    figureOf(`+ ${t("day_credits")}`, ({ count }) => count?.credits ?? null),
    figureOf(`= ${t("win")}`, ({ count }) => count?.win ?? null),
    figureOf(t("day_difference"), ({ count }) => count?.difference ?? null),
  ];
}

function stateOf(t: Words<"pit">, { open }: DayOfTable): string {
  return t(open ? "day_open" : "day_closed");
}
