/** Finding a round: by its table and number, or in the list of the newest. */

import { useSignal } from "@preact/signals";
import type { SubmitEventHandler } from "preact";

import type { FinishedRound, FinishedRounds, RoundMarks } from "../answers.ts";
import { DiceRow } from "../layout/index.ts";
import { get } from "../live/index.ts";
import { Button, Choice, Field, go, here, venue } from "../shell/index.ts";
import { lasting } from "../words/said.ts";
import { language, number, useWords } from "../words/words.ts";
import { addressIn } from "./address.ts";
import { useLoaded } from "./loading.ts";
import { Pages } from "./pages.tsx";
import { ShownFiles, type Row } from "./shown_files.tsx";
import { Waiting } from "./waiting.tsx";

/** How many rounds are listed at a time. */
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
    else fault.value = lasting(() => t("round_wrong"));
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
  /** Where each page up to the present one begins; null: at the newest. */
  const pages = useSignal<readonly (number | null)[]>([null]);
  const before = pages.value.at(-1) ?? null;
  const rounds = useLoaded(`${table} ${before} ${language.value}`, (signal) =>
    get<FinishedRounds>(
      `/api/tables/${encodeURIComponent(table)}/rounds`,
      { limit: LISTED, before, language: true },
      { signal },
    ),
  );
  const marked = useLoaded(`marks ${table} ${before}`, (signal) =>
    get<RoundMarks>(`/api/tables/${encodeURIComponent(table)}/marks`, {}, { signal }),
  );
  const marksOf = ({ round }: FinishedRound): readonly string[] => marked.value?.marks[String(round)] ?? [];
  return (
    <>
      <h2>{t("newest")}</h2>
      <Waiting of={rounds}>
        {({ rounds: listed, before: next }) => (
          <>
            {listed.length === 0 && <p class="audit-wait">{t("no_rounds")}</p>}
            {marked.value?.incomplete === true && <p class="audit-hint">{t("marks_incomplete")}</p>}
            {listed.length > 0 && (
              <ShownFiles name={`rounds-${table}`} rows={() => listed.map((each) => rowOf(table, each, marksOf(each)))} />
            )}
            <ul class="audit-rounds">
              {listed.map((each) => (
                <li key={each.round}>
                  <RoundLink table={table} round={each} marks={marksOf(each)} />
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

/** A round as a row of a file. */
function rowOf(table: string, { round, faces, total, call, void: isVoid }: FinishedRound, marks: readonly string[]): Row {
  return { table, round, dice: faces?.join(" ") ?? null, total, call, void: isVoid, marks: marks.join(" ") };
}

/** The marks that a round may have, each with its own sign. */
const SIGNS = { void: "∅", amended: "✎", irregular: "▲", reversed: "↶", resettled: "⟳" } as const;
type Mark = keyof typeof SIGNS;

interface RoundLinkProps {
  readonly table: string;
  readonly round: FinishedRound;
  readonly marks: readonly string[];
}

function RoundLink({ table, round, marks }: RoundLinkProps) {
  const t = useWords("audit");
  const known = marks.filter((mark): mark is Mark => Object.hasOwn(SIGNS, mark));
  const shown = round.void && !known.includes("void") && !known.includes("reversed") ? ["void" as const, ...known] : known;
  return (
    <a class="audit-round" href={addressIn("rounds", { table, round: round.round })}>
      <strong>{number(round.round)}</strong>
      {round.faces !== null && (
        <>
          <DiceRow faces={round.faces} call={round.call} size="1.75rem" />
          <span class="audit-round-call">{round.call}</span>
        </>
      )}
      {shown.length > 0 && (
        <span class="audit-marks">
          {shown.map((mark) => (
            <span key={mark} class={mark === "void" ? "audit-void" : "audit-mark"}>
              <span aria-hidden="true">{SIGNS[mark]}</span> {t(`mark_${mark}`)}
            </span>
          ))}
        </span>
      )}
    </a>
  );
}
