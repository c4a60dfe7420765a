/** The terminals of a table: their credits, and buttons to lock, bar and release them. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";

import type { TerminalMeters, TerminalReport } from "../../answers.ts";
import { Button, Field } from "../../shell/index.ts";
import { said } from "../../words/said.ts";
import { money, number, useWords, type Words } from "../../words/words.ts";
import { useRequest } from "../requests.ts";
import type { Floor } from "../floor.ts";
import { PreviewAnswer, usePreview } from "../../console/parts/preview.tsx";
import { EndSession } from "./end_session.tsx";
import { NoteForm } from "./note_form.tsx";
import { Polled } from "../polled.ts";
import { SortTable, type Column } from "../figures/sort_table.tsx";
import "./terminals.css";

const EVERY_MS = 5_000;
const LEAST_MS = 250;
/** The most terminals listed; the search finds the others by name. */
const SHOWN_MAX = 100;
/** From this number of terminals on there is a search field. */
const SEARCHED_FROM = 12;

/** Actions on a terminal that need a note with the reason. */
interface Noting {
  readonly terminal: string;
  readonly type: "BarTerminal" | "LiftBar" | "EndOwnLimits" | "MarkTerminalFailed" | "ReturnTerminal";
}

const TITLES = {
  BarTerminal: "bar_terminal",
  LiftBar: "lift_bar_of",
  EndOwnLimits: "end_limits_of",
  MarkTerminalFailed: "mark_failed_of",
  ReturnTerminal: "put_back_of",
} as const;

export function Terminals({ floor, name }: { readonly floor: Floor; readonly name: string }) {
  const t = useWords("pit");
  const report = useMemo(
    () => new Polled<TerminalReport>(`/api/reports/terminals/${encodeURIComponent(name)}`, EVERY_MS, LEAST_MS),
    [name],
  );
  useEffect(() => report.follow(), [report]);
  const sought = useSignal("");
  const noting = useSignal<Noting | null>(null);
  const ending = useSignal<string | null>(null);
  const { busy, refused, ask } = useRequest(floor, name);
  const all = report.answer.value?.terminals ?? [];
  const words = sought.value.trim().toLowerCase();
  const found = all.filter(({ terminal, place }) => `${terminal} ${place}`.toLowerCase().includes(words));
  const clear = async (terminal: string): Promise<void> => {
    await ask({ type: "ClearLock", terminal });
    report.refresh();
  };
  const columns = useColumns(floor.mayAct, {
    onClear: (terminal) => void clear(terminal),
    onNote: (note) => (noting.value = note),
    onEnd: (terminal) => (ending.value = terminal),
    busy: busy.value === "ClearLock",
  });
  return (
    <section class="pit-panel" aria-labelledby="pit-terminals">
      <header class="pit-panel-head">
        <h3 id="pit-terminals">{t("terminals_of", { count: number(all.length) })}</h3>
        {all.length >= SEARCHED_FROM && (
          <Field
            label={t("search")}
            type="search"
            maxLength={64}
            value={sought.value}
            onInput={(event) => (sought.value = event.currentTarget.value)}
          />
        )}
      </header>
      {report.fault.value !== null && <p class="pit-refused">{said(report.fault.value)}</p>}
      <div role="alert">
        {refused.value !== null && noting.value === null && <p class="pit-refused">{said(refused.value.sentence)}</p>}
      </div>
      {report.answer.value !== null && all.length === 0 && <p class="pit-quiet">{t("terminals_none")}</p>}
      {found.length > 0 && (
        <SortTable
          label={t("terminals")}
          columns={columns}
          rows={found.slice(0, SHOWN_MAX)}
          id={({ terminal }) => terminal}
        />
      )}
      {found.length > SHOWN_MAX && (
        <p class="pit-quiet">{t("more_terminals", { count: number(found.length - SHOWN_MAX) })}</p>
      )}
      {noting.value !== null && (
        <Note
          table={name}
          noting={noting.value}
          onClose={() => (noting.value = null)}
          onAsk={async (command) => {
            const answer = await ask(command);
            report.refresh();
            return answer;
          }}
        />
      )}
      {ending.value !== null && (
        <EndSession
          table={name}
          terminal={ending.value}
          onClose={() => {
            ending.value = null;
            report.refresh();
          }}
        />
      )}
    </section>
  );
}

interface NoteProps {
  readonly table: string;
  readonly noting: Noting;
  readonly onAsk: ReturnType<typeof useRequest>["ask"];
  readonly onClose: () => void;
}

/** Commands whose effects are shown first: whether a terminal works affects its player. */
const SHOWN_FIRST = { MarkTerminalFailed: true, ReturnTerminal: true };

function Note({ table, noting: { terminal, type }, onAsk, onClose }: NoteProps) {
  const t = useWords("pit");
  const preview = type in SHOWN_FIRST ? { type: type as keyof typeof SHOWN_FIRST, terminal, note: "…" } : null;
  const answer = usePreview(table, preview);
  return (
    <NoteForm
      title={t(TITLES[type], { terminal })}
      onNote={(note) => onAsk({ type, terminal, note })}
      onClose={onClose}
    >
      {preview !== null && <PreviewAnswer answer={answer.value} chips={false} />}
    </NoteForm>
  );
}

interface Acts {
  readonly onClear: (terminal: string) => void;
  readonly onNote: (noting: Noting) => void;
  readonly onEnd: (terminal: string) => void;
  readonly busy: boolean;
}

function useColumns(mayAct: boolean, acts: Acts): readonly Column<TerminalMeters>[] {
  const t = useWords("pit");
  const figure = (name: string, of: (row: TerminalMeters) => number) => ({
    name,
    figure: true,
    by: of,
    cell: (row: TerminalMeters) => money(of(row)),
  });
  const columns: Column<TerminalMeters>[] = [
    { name: t("terminal"), cell: ({ terminal }) => terminal, by: ({ terminal }) => terminal },
    { name: t("place"), cell: ({ place }) => place, by: ({ place }) => place },
    { name: t("state"), cell: (row) => <States t={t} row={row} />, by: rankOf },
    figure(t("credits"), ({ credits }) => credits),
    figure(t("bought"), ({ bought }) => bought ?? 0),
    figure(t("cashed"), ({ cashed }) => cashed),
    figure(t("turnover"), ({ turnover }) => turnover),
    figure(t("hold_amount"), ({ hold }) => hold),
  ];
  const actions: Column<TerminalMeters> = {
    name: t("actions"),
    cell: ({ terminal, locked, barred, bound, failed, session }) => (
      <span class="pit-terminal-acts">
        {locked && (
          <Button busy={acts.busy} aria-label={t("clear_lock_of", { terminal })} onClick={() => acts.onClear(terminal)}>
            {t("clear_lock")}
          </Button>
        )}
        <Button
          kind="quiet"
          aria-label={t(barred ? "lift_bar_of" : "bar_terminal", { terminal })}
          onClick={() => acts.onNote({ terminal, type: barred ? "LiftBar" : "BarTerminal" })}
        >
          {t(barred ? "lift_bar" : "bar")}…
        </Button>
        <Button
          kind="quiet"
          aria-label={t(failed ? "put_back_of" : "mark_failed_of", { terminal })}
          onClick={() => acts.onNote({ terminal, type: failed ? "ReturnTerminal" : "MarkTerminalFailed" })}
        >
          {t(failed ? "put_back" : "mark_failed")}…
        </Button>
        {session && (
          <Button kind="quiet" aria-label={t("end_session_of", { terminal })} onClick={() => acts.onEnd(terminal)}>
            {t("end_session")}…
          </Button>
        )}
        {bound && (
          <Button
            kind="quiet"
            aria-label={t("end_limits_of", { terminal })}
            onClick={() => acts.onNote({ terminal, type: "EndOwnLimits" })}
          >
            {t("end_limits")}…
          </Button>
        )}
      </span>
    ),
  };
  return mayAct ? [...columns, actions] : columns;
}

/** Sort locked, failed and barred terminals first, then those that are lost. */
function rankOf({ locked, failed, barred, connected }: TerminalMeters): number {
  return (locked ? 0 : 8) + (failed ? 0 : 4) + (barred ? 0 : 2) + (connected ? 1 : 0);
}

function States({ t, row }: { readonly t: Words<"pit">; readonly row: TerminalMeters }) {
  return (
    <span class="pit-terminal-states">
      <span class={row.connected ? "pit-terminal-there" : "pit-terminal-away"}>
        <span aria-hidden="true">{row.connected ? "●" : "○"}</span> {t(row.connected ? "connected" : "away")}
      </span>
      {row.locked && (
        <span class="pit-level-act">
          <span aria-hidden="true">▲</span> {t("locked")}
        </span>
      )}
      {row.failed && (
        <span class="pit-level-act">
          <span aria-hidden="true">■</span> {t("failed")}
        </span>
      )}
      {row.barred && (
        <span class="pit-level-watch">
          <span aria-hidden="true">✕</span> {t("barred")}
        </span>
      )}
    </span>
  );
}
