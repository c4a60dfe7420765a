/** The page of one table: its figures, operation, limits, dice and terminals. */

import { useEffect, useRef } from "preact/hooks";

import { addressOf, go } from "../../shell/index.ts";
import { money, useWords } from "../../words/words.ts";
import { bookOf, LastDice, roundOf } from "../tables/card.tsx";
import { DayPanel } from "../days/day_panel.tsx";
import { DicePanel } from "../dice/dice_panel.tsx";
import { Figures } from "../figures/figures.tsx";
import { Flags } from "../tables/flags.tsx";
import type { Floor } from "../floor.ts";
import { LimitsPanel } from "../limits/limits_panel.tsx";
import { useOpening } from "../opening/use_opening.ts";
import { Phase } from "../tables/phase.tsx";
import { Running } from "./operation.tsx";
import { atStake, type Seen } from "../tables/condition.ts";
import { Suspension } from "./suspension.tsx";
import { useSeen } from "../tables/tables.tsx";
import { Terminals } from "./terminals.tsx";
import "./table_page.css";

interface Props {
  readonly floor: Floor;
  readonly name: string;
}

export function TablePage({ floor, name }: Props) {
  const t = useWords("pit");
  const pit = floor.pit.answer.value;
  const seen = useSeen(floor, pit === null ? [] : pit.tables.filter(({ table }) => table === name), pit?.alerts ?? [])[0];
  const opening = useOpening(name, () => touch(floor, name));
  useWayBack(floor, name);
  if (seen === undefined) return <p class="pit-quiet">{t("no_such_table", { table: name })}</p>;
  const isChipTable = seen.reported.form === "chips";
  return (
    <div class="pit-page">
      <Head floor={floor} seen={seen} />
      {seen.condition.suspended && <Suspension floor={floor} seen={seen} />}
      <div class="pit-page-parts">
        <div class="pit-page-side">
          {isChipTable && <DayPanel floor={floor} seen={seen} />}
          <Figures seen={seen} />
        </div>
        <div class="pit-page-side">
          <Running floor={floor} seen={seen} opening={opening.value} />
          <LimitsPanel floor={floor} seen={seen} opening={opening.value} />
          <DicePanel floor={floor} seen={seen} />
        </div>
      </div>
      {!seen.condition.suspended && !isChipTable && <Terminals floor={floor} name={name} />}
    </div>
  );
}

/** Read the signals that an opening depends on: steps, pending commands; unwatched, the figures. */
function touch(floor: Floor, name: string): void {
  const live = floor.picture(name);
  void live?.steps.value;
  void floor.approvals.answer.value;
  if (live === null) void floor.pit.answer.value;
}

/** The escape key returns to all tables, with the focus on this one. */
function useWayBack(floor: Floor, name: string): void {
  useEffect(() => {
    floor.last.value = name;
    const pressed = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLElement && event.target.closest("input, select, dialog") !== null;
      const dialogOpen = document.querySelector("dialog[open]") !== null;
      if (event.key === "Escape" && !event.defaultPrevented && !typing && !dialogOpen) go(addressOf("pit"));
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [floor, name]);
}

function Head({ floor, seen }: { readonly floor: Floor; readonly seen: Seen }) {
  const t = useWords("pit");
  const { reported, live, condition, flags } = seen;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <header class="pit-page-head">
      <a class="button button-quiet pit-page-back" href={addressOf("pit")}>
        <span aria-hidden="true">←</span> {t("all_tables")}
      </a>
      <h2 ref={title} tabIndex={-1}>
        {reported.table}
      </h2>
      <Phase floor={floor} live={live} phase={condition.phase} />
      <LastDice seen={seen} />
      <AtStake seen={seen} />
      <span class="pit-page-doors">
        {floor.mayAct && (
          <a class="button button-plain" href={addressOf("console", reported.table)}>
            {t("to_console")}
          </a>
        )}
        <a class="button button-plain" href={addressOf("display", reported.table)}>
          {t("to_display")}
        </a>
      </span>
      <p class="pit-page-book">
        {bookOf(t, seen)} · {roundOf(t, seen)}
      </p>
      <Flags flags={flags} />
    </header>
  );
}

function AtStake({ seen: { reported, live } }: { readonly seen: Seen }) {
  const t = useWords("pit");
  const { staked, worst } = atStake(reported, live);
  return (
    <dl class="pit-page-stake">
      <div>
        <dt>{t("staked_now")}</dt>
        <dd>{money(staked)}</dd>
      </div>
      <div>
        <dt>{t("worst_now")}</dt>
        <dd>{money(worst)}</dd>
      </div>
    </dl>
  );
}
