/** What the house would pay on each result: a heat map, a sentence for each cell, and a table. */

import { useSignal, type Signal } from "@preact/signals";
import { useMemo } from "preact/hooks";

import { Button } from "../../shell/index.ts";
import { money, number, percent, useWords, type Words } from "../../words/words.ts";
import { compact } from "./compact.ts";
import { fraction, neighbour, rowsOf, type Cell, type Outcome, type Row } from "./heat.ts";
import { MiniDice } from "../parts/mini_dice.tsx";
import "./heatmap.css";

/** The exposure of a table, as the server sends it. */
export interface Risk {
  readonly staked: number;
  readonly pays: readonly number[];
  readonly worst: number;
  readonly expected: number;
  readonly losing: string;
}

interface Props {
  readonly outcomes: readonly Outcome[];
  readonly risk: Risk;
  /** The result of the round, once it is entered. */
  readonly shown?: readonly number[] | null;
}

/** A cell in words: who gains how much. */
export function cellSentence(t: Words<"console">, cell: Cell): string {
  const blanks = { call: cell.call, ways: number(cell.ways), amount: money(Math.abs(cell.paid)) };
  if (cell.paid === 0) return t("heat_even", blanks);
  return cell.paid > 0 ? t("heat_pays", blanks) : t("heat_keeps", blanks);
}

export function HeatMap({ outcomes, risk, shown = null }: Props) {
  const t = useWords("console");
  const focused = useSignal<number | null>(null);
  const asTable = useSignal(false);
  const rows = useMemo(() => rowsOf(outcomes, risk.pays), [outcomes, risk.pays]);
  const cells = rows.flatMap((row) => row.cells);
  const looked = cells.find((cell) => cell.index === focused.value);
  const result = cells.find((cell) => cell.faces.join() === shown?.join())?.index ?? null;
  return (
    <section class="console-heat" aria-label={t("exposure")}>
      <Summary risk={risk} cells={cells} />
      {asTable.value ? <HeatTable rows={rows} /> : <HeatGrid rows={rows} focused={focused} result={result} />}
      <footer class="console-heat-foot">
        <p class="console-heat-sentence">
          {looked === undefined ? t("heat_how") : cellSentence(t, looked)}
        </p>
        <Button kind="quiet" onClick={() => (asTable.value = !asTable.value)}>
          {asTable.value ? t("heat_as_map") : t("heat_as_table")}
        </Button>
      </footer>
    </section>
  );
}

function Summary({ risk, cells }: { readonly risk: Risk; readonly cells: readonly Cell[] }) {
  const t = useWords("console");
  const worst = cells.find((cell) => cell.paid === risk.worst);
  const gainSentence = (paid: number): string => {
    if (paid === 0) return money(0);
    return paid > 0 ? t("house_pays", { amount: money(paid) }) : t("house_keeps", { amount: money(-paid) });
  };
  return (
    <dl class="console-heat-summary">
      <div>
        <dt>{t("staked")}</dt>
        <dd>{money(risk.staked)}</dd>
      </div>
      <div data-bad={risk.worst > 0}>
        <dt>{worst === undefined || risk.staked === 0 ? t("worst") : t("worst_on", { call: worst.call })}</dt>
        <dd>{gainSentence(risk.worst)}</dd>
      </div>
      <div>
        <dt>{t("expected")}</dt>
        <dd>{gainSentence(risk.expected)}</dd>
      </div>
      <div>
        <dt>{t("losing")}</dt>
        <dd>{chance(t, risk.losing)}</dd>
      </div>
    </dl>
  );
}

interface GridProps {
  readonly rows: readonly Row[];
  readonly focused: Signal<number | null>;
  readonly result: number | null;
}

function HeatGrid({ rows, focused, result }: GridProps) {
  const t = useWords("console");
  const stop = useSignal(rows[0]?.cells[0]?.index ?? 0);
  const move = (event: KeyboardEvent): void => {
    const to = neighbour(rows, stop.value, event.key);
    if (to === stop.value) return;
    event.preventDefault();
    stop.value = to;
    const grid = event.currentTarget;
    if (grid instanceof HTMLElement) grid.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus();
  };
  return (
    <div class="console-heat-grid" role="grid" aria-label={t("exposure")} onKeyDown={move}>
      {rows.map((row) => (
        <div key={row.total} class="console-heat-row" role="row">
          <span class="console-heat-total" role="rowheader">
            {row.total}
          </span>
          {row.cells.map((cell) => (
            <HeatCell
              key={cell.index}
              cell={cell}
              stop={cell.index === stop.value}
              shown={cell.index === result}
              onFocused={(index) => (focused.value = index)}
              onFocus={() => (stop.value = cell.index)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface CellProps {
  readonly cell: Cell;
  readonly stop: boolean;
  readonly shown: boolean;
  readonly onFocused: (index: number | null) => void;
  readonly onFocus: () => void;
}

function HeatCell({ cell, stop, shown, onFocused, onFocus }: CellProps) {
  const t = useWords("console");
  const side = cell.paid === 0 ? "even" : cell.paid > 0 ? "pays" : "keeps";
  const sign = { even: "", pays: "−", keeps: "+" }[side];
  return (
    <div
      role="gridcell"
      class="console-heat-cell"
      data-index={cell.index}
      data-side={side}
      tabIndex={stop ? 0 : -1}
      data-shown={shown}
      style={{ "--share": cell.share.toFixed(3) }}
      onMouseEnter={() => onFocused(cell.index)}
      onMouseLeave={() => onFocused(null)}
      onFocus={() => {
        onFocus();
        onFocused(cell.index);
      }}
      onBlur={() => onFocused(null)}
    >
      <span class="unseen">
        {cellSentence(t, cell)}
        {shown && `; ${t("heat_shown")}`}
      </span>
      <MiniDice faces={cell.faces} />
      <span class="console-heat-amount" aria-hidden="true">
        {sign}
        {compact(Math.abs(cell.paid))}
      </span>
      <span class="console-heat-bar" />
    </div>
  );
}

/** The chance that the house loses, as a percentage and exactly. */
function chance(t: Words<"console">, losing: string): string {
  const share = percent(fraction(losing), 1);
  return losing === "0" ? share : t("losing_chance", { share, ways: losing });
}

function HeatTable({ rows }: { readonly rows: readonly Row[] }) {
  const t = useWords("console");
  const cells = rows.flatMap((row) => row.cells).sort((a, b) => b.paid - a.paid);
  return (
      <table class="console-table">
        <thead>
          <tr>
            <th scope="col">{t("result")}</th>
            <th scope="col">{t("ways_of")}</th>
            <th scope="col">{t("house")}</th>
          </tr>
        </thead>
        <tbody>
          {cells.map((cell) => (
            <tr key={cell.index}>
              <th scope="row">{cell.call}</th>
              <td>{number(cell.ways)}</td>
              <td>{cell.paid > 0 ? `−${money(cell.paid)}` : money(-cell.paid)}</td>
            </tr>
          ))}
        </tbody>
      </table>
  );
}
