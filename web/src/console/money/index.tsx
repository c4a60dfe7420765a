/** The money panel of a chip table: seats, the rack, the gaming day, money kept and owed. */

import { useSignal } from "@preact/signals";

import type { RulebookContent } from "../../answers.ts";
import type { ChipTable } from "../../live/index.ts";
import type { Role } from "../../protocol.ts";
import { announce } from "../../shell/index.ts";
import { lasting, saidOf } from "../../words/said.ts";
import { useWords } from "../../words/words.ts";
import type { Board } from "../board.ts";
import { capital } from "../../words/capital.ts";
import { useGone } from "../parts/gone.ts";
import { Day } from "./day.tsx";
import { Forms, isThere } from "./forms/open_form.tsx";
import type { Opened } from "./forms/form_name.ts";
import { Owed, PutRight } from "./owed.tsx";
import { DisplayRack, Rack } from "./rack.tsx";
import { Reversal } from "./reversal.tsx";
import { Seats } from "./seats.tsx";
import "./money.css";

/** The phases in which bets lie as they will be settled. */
const CLOSED_BETS: ReadonlySet<string> = new Set(["no-more-bets", "result", "confirmed"]);

interface Props {
  readonly board: Board;
  readonly role: Role;
}

export function TableMoney({ board, role }: Props) {
  const t = useWords("console");
  const table = board.desk.table.chipTable.value;
  if (table === null) return <p class="console-hint">{t("money_none")}</p>;
  return <Panels board={board} role={role} table={table} />;
}

function Panels({ board, role, table }: Props & { readonly table: ChipTable }) {
  const t = useWords("console");
  const { desk } = board;
  // A step of the gaming day can also open its form from the main line.
  const opened = board.money;
  const refused = useSignal<string | null>(null);
  const phase = desk.table.view.value?.phase ?? "";
  const closed = phase === "closed";
  const open = (form: Opened): void => {
    opened.value = form;
  };
  const take = async (seat: string): Promise<void> => {
    const answer = await desk.ask({ type: "TakeSeat", seat });
    refused.value = answer.type === "Refused" ? capital(answer.sentence) : null;
    if (answer.type === "Registered") announce(t("money_done", { what: t("money_take_seat", { seat }) }));
  };
  const day = (
    <Day table={table} closed={closed} steps={desk.steps.value} log={board.log.value} onOpen={open} />
  );
  // The next task comes first: the opening count, or the closing count once all players have left.
  const dayFirst = table.day == null || (closed && table.seats.length === 0);
  return (
    <div class="money-table">
      <Reversal table={table} log={board.log.value} onOpen={open} />
      {dayFirst && day}
      <Seats
        table={table}
        recorder={board.recorder}
        closed={closed}
        log={board.log.value}
        onOpen={open}
        onTake={(seat) => void take(seat)}
        refused={saidOf(refused.value)}
      />
      <Rack table={table} />
      <DisplayRack table={table} />
      {!dayFirst && day}
      <Owed table={table} onOpen={open} />
      <PutRight
        allowed={putsRight(desk.rules.value)}
        may={role !== "dealer"}
        now={CLOSED_BETS.has(phase) && table.stacks.length > 0}
        onOpen={open}
      />
    </div>
  );
}

/** The open form of the table's money; it stays when the panel changes. */
export function MoneyForms({ board }: { readonly board: Board }) {
  const t = useWords("console");
  const { desk, money: opened } = board;
  const table = desk.table.chipTable.value;
  const close = (): void => {
    opened.value = null;
  };
  const isGone = opened.value !== null && table !== null && !isThere(opened.value, table);
  useGone(isGone ? lasting(() => t("form_gone")) : null, close);
  if (table === null) return null;
  return (
    <Forms
      opened={opened.value}
      table={table}
      limits={desk.table.view.value?.limits ?? null}
      boxes={board.odds.value?.boxes ?? []}
      ask={(command) => desk.ask(command)}
      onClose={close}
    />
  );
}

/** Whether the rulebook has a case in which a bet is corrected. */
function putsRight(rules: RulebookContent | null): boolean | null {
  if (rules === null) return null;
  const line = rules.irregularities.some(({ code }) => code === "touching-line");
  return line || rules.procedure.settlement.corrections_clause != null;
}
