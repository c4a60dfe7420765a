/** All tables at a glance: their sums, filters and sorting, and a card for each. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { Alert, Pit, PitTable } from "../../answers.ts";
import { keyLeads } from "../../layout/hand/neighbours.ts";
import { useMedia } from "../../shell/media.ts";
import { stored } from "../../shell/settings/storage.ts";
import { money, number, useWords } from "../../words/words.ts";
import { Card } from "./card.tsx";
import type { Floor } from "../floor.ts";
import { Facts } from "../figures/facts.tsx";
import { atStake, FILTERS, flagsOf, isIn, isOpen, ORDERS, sorted, conditionOf, type Seen } from "./condition.ts";
import "./tables.css";

const filter = stored("pit-filter", FILTERS, () => "all");
const order = stored("pit-order", ORDERS, () => "name");

/** Up to this many tables, cards are wide. */
const FEW = 4;
/** Up to this many tables, cards show the last dice, if the screen is large enough. */
const ROOMY = 8;
const LARGE = "(min-width: 100rem) and (min-height: 60rem)";

interface Props {
  readonly floor: Floor;
  readonly pit: Pit;
}

export function Tables({ floor, pit }: Props) {
  const t = useWords("pit");
  const seen = useSeen(floor, pit.tables, pit.alerts);
  const shown = sorted(
    seen.filter(({ condition, flags }) => isIn(filter.value, condition, flags)),
    order.value,
  );
  const roomy = useMedia(LARGE) && shown.length <= ROOMY;
  return (
    <>
      <div class="pit-over">
        <Sums seen={seen} />
        <Tools seen={seen} />
      </div>
      {shown.length === 0 ? (
        <p class="pit-quiet">{t("none_in_filter")}</p>
      ) : (
        <Grid last={floor.last.peek()} kind={shown.length <= FEW ? "few" : roomy ? "roomy" : "many"}>
          {shown.map((each) => (
            <li key={each.reported.table}>
              <Card floor={floor} seen={each} roomy={roomy} />
            </li>
          ))}
        </Grid>
      )}
    </>
  );
}

/** The present state of each table. */
export function useSeen(floor: Floor, tables: readonly PitTable[], alerts: readonly Alert[]): readonly Seen[] {
  const t = useWords("pit");
  return tables.map((reported) => {
    const live = floor.picture(reported.table);
    const condition = conditionOf(reported, live);
    const own = alerts.filter(({ table }) => table === reported.table);
    const pending = floor.waiting(reported.table).length > 0;
    return { reported, live, condition, flags: flagsOf(t, condition, pending, own) };
  });
}

/** The sums of all tables. */
function Sums({ seen }: { readonly seen: readonly Seen[] }) {
  const t = useWords("pit");
  const sum = (of: (each: Seen) => number): number => seen.reduce((all, each) => all + of(each), 0);
  const open = seen.filter(({ condition }) => isOpen(condition)).length;
  // A chip table has seats instead of terminals.
  const terminals = seen.filter(({ reported }) => reported.form !== "chips");
  const connected = terminals.reduce((all, { reported }) => all + reported.connected, 0);
  const enrolled = terminals.reduce((all, { reported }) => all + reported.terminals, 0);
  const facts: readonly (readonly [string, string])[] = [
    [t("sum_open"), t("of", { part: number(open), whole: number(seen.length) })],
    [t("terminals"), t("of", { part: number(connected), whole: number(enrolled) })],
    [t("staked_now"), money(sum(({ reported, live }) => atStake(reported, live).staked))],
    [t("drop"), money(sum(({ reported }) => reported.drop ?? 0))],
    [t("out"), money(sum(({ reported }) => reported.out))],
    [t("turnover"), money(sum(({ reported }) => reported.figures?.turnover ?? 0))],
    [t("win"), money(sum(({ reported }) => reported.figures?.win ?? 0))],
    [t("theory"), money(sum(({ reported }) => reported.figures?.theory ?? 0))],
  ];
  return (
    <Facts class="pit-sums" facts={facts} />
  );
}

function Tools({ seen }: { readonly seen: readonly Seen[] }) {
  const t = useWords("pit");
  return (
    <div class="pit-tools">
      <div class="pit-filters" role="group" aria-label={t("filter")}>
        {FILTERS.map((each) => {
          const count = seen.filter(({ condition, flags }) => isIn(each, condition, flags)).length;
          return (
            <button
              key={each}
              type="button"
              class="pit-filter"
              aria-pressed={filter.value === each}
              onClick={() => (filter.value = each)}
            >
              {t(`filter_${each}`)} <span class="pit-filter-count">{number(count)}</span>
            </button>
          );
        })}
      </div>
      <label class="pit-order">
        {t("order")}
        <select
          value={order.value}
          onChange={(event) => {
            const value = ORDERS.find((each) => each === event.currentTarget.value);
            if (value !== undefined) order.value = value;
          }}
        >
          {ORDERS.map((each) => (
            <option key={each} value={each}>
              {t(`order_${each}`)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

interface GridProps {
  /** The table whose page was left: its card gets the focus. */
  readonly last: string | null;
  readonly kind: "few" | "roomy" | "many";
  readonly children: ComponentChildren;
}

/** The cards; arrow keys move between neighbours on the screen. */
function Grid({ last, kind, children }: GridProps) {
  const t = useWords("pit");
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (last === null) return;
    cardsIn(list.current)
      .find((card) => card.dataset["table"] === last)
      ?.focus();
  }, []);
  return (
    <ul
      ref={list}
      class={`pit-grid pit-grid-${kind}`}
      aria-label={t("view_tables")}
      onKeyDown={(event) => moveAmong(list.current, event)}
    >
      {children}
    </ul>
  );
}

/** Move the focus to a neighbouring card by an arrow key. */
export function moveAmong(list: HTMLUListElement | null, event: KeyboardEvent): void {
  const cards = cardsIn(list);
  const start = cards.findIndex((card) => card === event.target);
  if (start < 0) return;
  const rects = cards.map((card) => {
    const { x, y, width: w, height: h } = (card.closest("article") ?? card).getBoundingClientRect();
    return { x, y, w, h };
  });
  const to = keyLeads(event, rects, start);
  if (to === null) return;
  event.preventDefault();
  cards[to]?.focus();
}

export function cardsIn(list: HTMLUListElement | null): readonly HTMLAnchorElement[] {
  return [...(list?.querySelectorAll<HTMLAnchorElement>("a[data-table]") ?? [])];
}
