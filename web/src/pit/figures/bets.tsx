/** The figures of each kind of bet, over all tables or at one. */

import type { KindFigures } from "../../answers.ts";
import { amount, percent, useWords } from "../../words/words.ts";
import { SortTable, type Column } from "./sort_table.tsx";

function share(of: number | null): string {
  return of === null ? "–" : percent(of / 100, 1);
}

export function Kinds({ kinds, label }: { readonly kinds: readonly KindFigures[]; readonly label: string }) {
  const t = useWords("pit");
  const columns: readonly Column<KindFigures>[] = [
    { name: t("kind"), cell: ({ name }) => name, by: ({ name }) => name },
    { name: t("turnover"), figure: true, by: ({ turnover }) => turnover, cell: ({ turnover }) => amount(turnover) },
    { name: t("win"), figure: true, by: ({ win }) => win, cell: ({ win }) => amount(win) },
    { name: t("theory"), figure: true, by: ({ theory }) => theory, cell: ({ theory }) => amount(theory) },
    {
      name: t("hold"),
      figure: true,
      by: ({ hold_percent }) => hold_percent ?? -Infinity,
      cell: ({ hold_percent }) => share(hold_percent),
    },
    {
      name: t("theory_hold"),
      figure: true,
      by: ({ theory_percent }) => theory_percent ?? -Infinity,
      cell: ({ theory_percent }) => share(theory_percent),
    },
  ];
  return <SortTable label={label} columns={columns} rows={kinds} id={({ kind }) => kind} />;
}

/** Over all tables. */
export function Bets({ kinds }: { readonly kinds: readonly KindFigures[] }) {
  const t = useWords("pit");
  return (
    <div class="pit-part">
      <h2>{t("bets_title")}</h2>
      <p class="pit-quiet">{t("bets_how")}</p>
      {kinds.length === 0 ? <p>{t("no_rounds")}</p> : <Kinds kinds={kinds} label={t("bets_title")} />}
    </div>
  );
}
