/** Finding a round: by its table and number, or in the list of the newest. */

import { useSignal } from "@preact/signals";
import type { SubmitEventHandler } from "preact";

import type { FinishedRound, FinishedRounds } from "../answers.ts";
import { DiceRow } from "../layout/index.ts";
import { get } from "../live/index.ts";
import { Button, Choice, Field, go, here, venue } from "../shell/index.ts";
import { language, number, useWords } from "../words/words.ts";
import { addressIn } from "./address.ts";
import { useLoaded } from "./loading.ts";
import { Pages } from "./pages.tsx";
import { Waiting } from "./waiting.tsx";

/** Rounds that are listed at a time. */
const LISTED = 24;

export function FindRound() {
  const t = useWords("audit");
  const tables = venue.value?.tables ?? [];
  const wanted = here.value.query.get("table");
  const table = tables.find((each) => each === wanted) ?? tables[0];
  if (table === undefined) return <p class="audit-wait">{t("no_tables")}</p>;
  return (
    <section class="audit-section">
      <h1>{t("find_title")}</h1>
      <Finder table={table} tables={tables} />
      <Newest key={table} table={table} />
    </section>
  );
}

interface FinderProps {
  readonly table: string;
  readonly tables: readonly string[];
}

function Finder({ table, tables }: FinderProps) {
  const t = useWords("audit");
  const wanted = useSignal("");
  const fault = useSignal<string | null>(null);
  const find: SubmitEventHandler<HTMLFormElement> = (event) => {
    event.preventDefault();
    const round = Number(wanted.value);
    if (Number.isSafeInteger(round) && round > 0) go(addressIn("rounds", { table, round }));
    else fault.value = t("round_wrong");
  };
  return (
    <form class="audit-form" onSubmit={find} noValidate>
      <Choice
        label={t("table")}
        value={table}
        onChange={({ currentTarget }) => go(addressIn("rounds", { table: currentTarget.value }), "replace")}
      >
        {tables.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </Choice>
      <Field
        label={t("round_number")}
        inputMode="numeric"
        value={wanted.value}
        fault={fault.value}
        onInput={({ currentTarget }) => {
          wanted.value = currentTarget.value.trim();
          fault.value = null;
        }}
      />
      <Button kind="main" type="submit">
        {t("show_round")}
      </Button>
    </form>
  );
}

function Newest({ table }: { readonly table: string }) {
  const t = useWords("audit");
  /** Where each page begins, the one shown last; null: with the newest. */
  const pages = useSignal<readonly (number | null)[]>([null]);
  const before = pages.value.at(-1) ?? null;
  const rounds = useLoaded(`${table} ${before} ${language.value}`, (signal) =>
    get<FinishedRounds>(
      `/api/tables/${encodeURIComponent(table)}/rounds`,
      { limit: LISTED, before, language: true },
      { signal },
    ),
  );
  return (
    <>
      <h2>{t("newest")}</h2>
      <Waiting of={rounds}>
        {({ rounds: listed, before: next }) => (
          <>
            {listed.length === 0 && <p class="audit-wait">{t("no_rounds")}</p>}
            <ul class="audit-rounds">
              {listed.map((each) => (
                <li key={each.round}>
                  <RoundLink table={table} round={each} />
                </li>
              ))}
            </ul>
            <Pages pages={pages} next={next} />
          </>
        )}
      </Waiting>
    </>
  );
}

function RoundLink({ table, round }: { readonly table: string; readonly round: FinishedRound }) {
  const t = useWords("audit");
  return (
    <a class="audit-round" href={addressIn("rounds", { table, round: round.round })}>
      <strong>{number(round.round)}</strong>
      {round.faces === null ? <span /> : <DiceRow faces={round.faces} call={round.call} size="1.75rem" />}
      <span class="audit-round-call">{round.call}</span>
      {round.void && <span class="audit-void">∅ {t("void")}</span>}
    </a>
  );
}
