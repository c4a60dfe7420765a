/** The figures of each dealer's rounds, over all tables they dealt at. */

import type { FiguresView, DealerFigures } from "../../answers.ts";
import { amount, number, useWords } from "../../words/words.ts";
import { Deviation } from "./deviation.tsx";
import { SortTable, type Column } from "./sort_table.tsx";

export function Dealers({ dealers }: { readonly dealers: readonly DealerFigures[] }) {
  const t = useWords("pit");
  const called = ({ person, automatic }: DealerFigures): string => (automatic ? t("dealer_automatic") : person);
  const figure = (name: string, of: (figures: FiguresView) => number, show: (cents: number) => string) => ({
    name,
    figure: true,
    by: ({ figures }: DealerFigures) => of(figures),
    cell: ({ figures }: DealerFigures) => show(of(figures)),
  });
  const columns: readonly Column<DealerFigures>[] = [
    { name: t("dealer"), cell: called, by: called },
    { name: t("at_tables"), cell: ({ tables }) => <span class="pit-dealt-at">{tables.join(t("list_join"))}</span> },
    figure(t("rounds"), ({ rounds }) => rounds, number),
    {
      name: t("per_hour"),
      figure: true,
      by: ({ figures }) => figures.rounds_per_hour ?? -1,
      cell: ({ figures }) => (figures.rounds_per_hour === null ? "–" : number(figures.rounds_per_hour)),
    },
    figure(t("turnover"), ({ turnover }) => turnover, amount),
    figure(t("win"), ({ win }) => win, amount),
    figure(t("theory"), ({ theory }) => theory, amount),
    {
      name: t("deviation"),
      figure: true,
      by: ({ figures }) => Math.abs(figures.deviation),
      cell: ({ figures }) => <Deviation figures={figures} />,
    },
    figure(t("amendments"), ({ amendments }) => amendments, number),
    figure(t("irregularities"), ({ irregularities }) => irregularities, number),
  ];
  return (
    <div class="pit-part pit-dealers">
      <h2>{t("view_dealers")}</h2>
      <p class="pit-quiet">{t("dealers_how")}</p>
      {dealers.length === 0 ? (
        <p>{t("no_rounds")}</p>
      ) : (
        <SortTable label={t("view_dealers")} columns={columns} rows={dealers} id={({ person }) => person} />
      )}
    </div>
  );
}
