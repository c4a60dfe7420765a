/** The cage: the drawer's shift, chips in transit to and from tables, and the results of shifts. */

import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

import type { DrawerShift, DrawerView, OnItsWay, PastShift } from "../../answers.ts";
import { PiecesList } from "../../layout/index.ts";
import type { WireCommand } from "../../protocol.ts";
import { addressOf, Button } from "../../shell/index.ts";
import { saidOf } from "../../words/said.ts";
import { amount, clock, moment, money, useWords, type Words } from "../../words/words.ts";
import { CloseShiftForm, OpenShiftForm, ReceiveCreditForm, ReturnFillForm, SendFillForm } from "./cage_forms.tsx";
import { UnclaimedForm } from "./unclaimed_form.tsx";
import type { Floor } from "../floor.ts";
import { SortTable, type Column } from "../figures/sort_table.tsx";
import "./cage.css";

/** The open form and its subject. */
export type Opened =
  | { readonly form: "open-shift" | "close-shift" | "fill" }
  | { readonly form: "unclaimed"; readonly code?: string }
  | { readonly form: "receive"; readonly credit: OnItsWay }
  | { readonly form: "take-back"; readonly fill: OnItsWay };

export interface Of {
  readonly floor: Floor;
  readonly drawer: DrawerView;
  readonly opened: Signal<Opened | null>;
}

/** The cage as the pit sees it, without actions. */
export function Cage({ floor }: { readonly floor: Floor }) {
  const t = useWords("pit");
  const opened = useSignal<Opened | null>(null);
  useEffect(() => floor.drawer.follow(), [floor]);
  const drawer = floor.drawer.answer.value;
  const fault = saidOf(floor.drawer.fault.value);
  if (drawer === null) return <p class="pit-quiet">{fault ?? t("asking")}</p>;
  const given: Of = { floor, drawer, opened };
  return (
    <div class="pit-cage">
      <h2 class="unseen">{t("view_cage")}</h2>
      {fault !== null && <p class="pit-refused">{fault}</p>}
      <Shift {...given} />
      <Ways {...given} />
      <Past drawer={drawer} />
    </div>
  );
}

/** The drawer and its cashier; a shift opens and closes with a count. */
export function Shift({ floor, drawer, opened }: Of) {
  const t = useWords("pit");
  const { shift } = drawer;
  const last = drawer.shifts?.[0];
  return (
    <section class="pit-panel" aria-labelledby="pit-shift">
      <h3 id="pit-shift">{t("shift")}</h3>
      {shift === null ? (
        <>
          <p>{t("shift_none")}</p>
          {last !== undefined && <Reconciliation shift={last} />}
          {floor.isCage && (
            <p class="pit-acts">
              <Button kind="main" onClick={() => (opened.value = { form: "open-shift" })}>
                {t("shift_open")}…
              </Button>
            </p>
          )}
        </>
      ) : (
        <Underway floor={floor} shift={shift} opened={opened} />
      )}
    </section>
  );
}

interface UnderwayProps extends Omit<Of, "drawer"> {
  readonly shift: DrawerShift;
}

function Underway({ floor, shift, opened }: UnderwayProps) {
  const t = useWords("pit");
  const isOwn = floor.isCage && floor.who.person === shift.cashier;
  return (
    <>
      <dl class="pit-facts">
        <Fact name={t("cashier")}>{shift.cashier}</Fact>
        {shift.opened_at !== null && <Fact name={t("shift_since")}>{moment(shift.opened_at)}</Fact>}
        <Fact name={t("shift_counted")}>{money(shift.count)}</Fact>
        {shift.expected !== null && <Fact name={t("shift_expected")}>{money(shift.expected)}</Fact>}
      </dl>
      {floor.isCage && <p class="pit-quiet">{isOwn ? t("shift_blind") : t("shift_other", { person: shift.cashier })}</p>}
      {floor.isCage && (
        <p class="pit-acts">
          <Button onClick={() => (opened.value = { form: "close-shift" })}>{t("shift_close")}…</Button>
        </p>
      )}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The result of a count in words: more than the books, less, or equal. */
export function apart(t: Words<"pit">, difference: number): string {
  if (difference === 0) return `✓ ${t("apart_none")}`;
  return difference > 0
    ? `▲ ${t("apart_over", { amount: amount(difference) })}`
    : `▽ ${t("apart_short", { amount: amount(-difference) })}`;
}

/** The last closed shift: the expected sum beside the counted one. */
function Reconciliation({ shift }: { readonly shift: PastShift }) {
  const t = useWords("pit");
  return (
    <div class={shift.difference === 0 ? "pit-reconciled" : "pit-reconciled pit-reconciled-apart"}>
      <h4>{t("reconciliation", { person: shift.cashier, time: moment(shift.closed_at) })}</h4>
      <dl class="pit-facts">
        <Fact name={t("shift_counted")}>{money(shift.opening)}</Fact>
        <Fact name={t("shift_expected")}>{money(shift.expected)}</Fact>
        <Fact name={t("shift_closed_with")}>{money(shift.count)}</Fact>
        <Fact name={t("day_difference")}>
          <strong>{apart(t, shift.difference)}</strong>
        </Fact>
      </dl>
    </div>
  );
}

/** Money that tables have set aside for players who have left. */
export function Unclaimed({ opened }: Pick<Of, "opened">) {
  const t = useWords("pit");
  return (
    <section class="pit-panel" aria-labelledby="pit-unclaimed">
      <h3 id="pit-unclaimed">{t("unclaimed")}</h3>
      <p class="pit-quiet">{t("unclaimed_how")}</p>
      <p class="pit-acts">
        <Button kind="main" onClick={() => (opened.value = { form: "unclaimed" })}>
          {t("unclaimed_pay")}…
        </Button>
      </p>
    </section>
  );
}

/** Fills to the tables and credits from them, while they are on their way. */
export function Ways({ floor, drawer, opened }: Of) {
  const t = useWords("pit");
  const canFill = drawer.tables.some(({ date }) => date !== null);
  return (
    <section class="pit-panel" aria-labelledby="pit-ways">
      <h3 id="pit-ways">{t("ways")}</h3>
      {floor.isCage && (
        <p class="pit-acts">
          <Button
            kind="main"
            aria-disabled={!canFill}
            onClick={() => {
              if (canFill) opened.value = { form: "fill" };
            }}
          >
            {t("fill_send")}…
          </Button>
          {!canFill && <span class="pit-why">{t("fill_nowhere")}</span>}
        </p>
      )}
      <Way title={t("fills_going")} none={t("fills_none")} list={drawer.fills} canLook={!floor.isCage}>
        {floor.isCage
          ? (fill) => (
              <Button
                aria-label={t("fill_back_of", { transit: fill.transit })}
                onClick={() => (opened.value = { form: "take-back", fill })}
              >
                {t("fill_back")}…
              </Button>
            )
          : undefined}
      </Way>
      <Way title={t("credits_coming")} none={t("credits_none")} list={drawer.credits} canLook={!floor.isCage}>
        {floor.isCage
          ? (credit) => (
              <Button
                aria-label={t("credit_receive_of", { transit: credit.transit })}
                onClick={() => (opened.value = { form: "receive", credit })}
              >
                {t("credit_receive")}…
              </Button>
            )
          : undefined}
      </Way>
    </section>
  );
}

interface WayProps {
  readonly title: string;
  readonly none: string;
  readonly list: readonly OnItsWay[];
  /** Whether the person logged in may open a table's page in the pit. */
  readonly canLook: boolean;
  readonly children?: ((each: OnItsWay) => ComponentChildren) | undefined;
}

function Way({ title, none, list, canLook, children }: WayProps) {
  const t = useWords("pit");
  return (
    <div class="pit-way">
      <h4>{title}</h4>
      {list.length === 0 && <p class="pit-quiet">{none}</p>}
      <ul>
        {list.map((each) => (
          <li key={each.transit} class={each.late ? "pit-way-late" : undefined}>
            <p class="pit-way-head">
              <strong>{each.transit}</strong>
              {canLook ? <a href={addressOf("pit", each.table)}>{each.table}</a> : <span>{each.table}</span>}
              <span>{money(each.amount)}</span>
              {each.by !== null && each.sent_at !== null && (
                <span class="pit-quiet">{t("sent_by", { person: each.by, time: clock(each.sent_at) })}</span>
              )}
              {each.late && <span class="pit-way-flag">▲ {t("way_late")}</span>}
            </p>
            <PiecesList chips={each.chips} label={t("way_chips", { transit: each.transit })} />
            {children?.(each)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Closed shifts, the newest first. */
export function Past({ drawer }: { readonly drawer: DrawerView }) {
  const t = useWords("pit");
  const figure = (name: string, of: (shift: PastShift) => number): Column<PastShift> => ({
    name,
    figure: true,
    by: of,
    cell: (shift) => amount(of(shift)),
  });
  const columns: readonly Column<PastShift>[] = [
    { name: t("cashier"), cell: ({ cashier }) => cashier, by: ({ cashier }) => cashier },
    { name: t("shift_since"), cell: ({ opened_at }) => moment(opened_at), by: ({ opened_at }) => opened_at },
    { name: t("shift_until"), cell: ({ closed_at }) => moment(closed_at), by: ({ closed_at }) => closed_at },
    figure(t("shift_counted"), ({ opening }) => opening),
    figure(t("shift_expected"), ({ expected }) => expected),
    figure(t("shift_closed_with"), ({ count }) => count),
    { ...figure(t("day_difference"), ({ difference }) => difference), cell: ({ difference }) => apart(t, difference) },
  ];
  return (
    <div class="pit-panel pit-cage-past">
      <h3>{t("shifts_past")}</h3>
      {drawer.shifts === null && <p class="pit-quiet">{t("figures_read")}</p>}
      {drawer.shifts?.length === 0 && <p class="pit-quiet">{t("shifts_none")}</p>}
      {drawer.shifts !== null && drawer.shifts.length > 0 && (
        <SortTable
          label={t("shifts_past")}
          columns={columns}
          rows={drawer.shifts}
          id={({ closed_at }) => String(closed_at)}
        />
      )}
    </div>
  );
}

export function Forms({ floor, drawer, opened }: Of) {
  const form = {
    ask: (command: WireCommand) => floor.ask("cage", command),
    onClose: () => (opened.value = null),
  };
  const now = opened.value;
  switch (now?.form) {
    case "open-shift":
      return <OpenShiftForm {...form} />;
    case "close-shift":
      return <CloseShiftForm {...form} />;
    case "fill":
      return <SendFillForm tables={drawer.tables} {...form} />;
    case "unclaimed":
      return <UnclaimedForm {...form} {...(now.code !== undefined && { code: now.code })} />;
    case "receive":
      return <ReceiveCreditForm credit={now.credit} tables={drawer.tables} {...form} />;
    case "take-back":
      return <ReturnFillForm fill={now.fill} tables={drawer.tables} {...form} />;
    case undefined:
      return null;
  }
}
