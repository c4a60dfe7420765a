import { useComputed } from "@preact/signals";
import { useId, useMemo } from "preact/hooks";

import { DiceRow } from "../layout/dice/dice.tsx";
import { roundsOf, type Link, type LiveTable } from "../live/index.ts";
import type { RulebookName, TableView } from "../protocol.ts";
import { addressOf, session, useRulebook, venue } from "../shell/index.ts";
import { language, number, short, useWords } from "../words/words.ts";
import { Phase } from "./phase.tsx";

interface TableCardProps {
  readonly link: Link;
  readonly name: string;
}

/** A table's card in the lobby: its kind, its state, and how to join. */
export function TableCard({ link, name }: TableCardProps) {
  const id = useId();
  const table = useMemo(() => link.table(name), [link, name]);
  return (
    <article class="table" aria-labelledby={id}>
      <header class="table-head">
        <h3 id={id}>{name}</h3>
        <Phase link={link} table={table} />
      </header>
      <LastDice table={table} />
      <Book table={table} />
      <Facts table={table} />
      <Doors table={table} />
    </article>
  );
}

/** The links to a table; a chip table has no terminal to play at. */
function Doors({ table }: { readonly table: LiveTable }) {
  const isChipTable = useComputed(() => table.view.value?.form === "chips").value;
  const doors = [
    ...(isChipTable ? [] : (["play"] as const)),
    "watch" as const,
    ...(mayDeal() ? (["deal"] as const) : []),
  ];
  return (
    <footer class="table-doors">
      {doors.map((door, place) => (
        <Door key={door} door={door} name={table.name} isMain={place === 0} />
      ))}
    </footer>
  );
}

const SCREENS = { play: "play", watch: "display", deal: "console" } as const;

interface DoorProps {
  readonly door: keyof typeof SCREENS;
  readonly name: string;
  readonly isMain: boolean;
}

function Door({ door, name, isMain }: DoorProps) {
  const t = useWords("lobby");
  return (
    <a
      class={isMain ? "button button-main" : "button"}
      href={addressOf(SCREENS[door], name)}
      aria-label={t(`${door}_at`, { table: name })}
    >
      {t(door)}
    </a>
  );
}

/** Explains what a chip table is. */
function Form({ table }: { readonly table: LiveTable }) {
  const t = useWords("lobby");
  return table.view.value?.form === "chips" ? <p class="table-form">{t("chip_table")}</p> : null;
}

/** Whether to link to the console: for staff logged in, and in a demo for everybody. */
function mayDeal(): boolean {
  const who = session.value;
  return venue.value?.demo === true || (who !== null && who !== "asking");
}

/** The dice of this round once they are entered, else those of the last. */
function LastDice({ table }: { readonly table: LiveTable }) {
  const t = useWords("lobby");
  // The view changes with every step of the round; the dice only with these.
  const dice = useComputed(() => diceOf(table.view.value));
  const shown = dice.value;
  if (shown === null) return <p class="table-dice table-quiet">{t("dice_none")}</p>;
  const { faces, round, now, words } = shown;
  return (
    <div class="table-dice">
      {faces === null ? (
        <p class="table-quiet">{t("dice_void", { round: number(round) })}</p>
      ) : (
        <>
          <DiceRow faces={faces} call={words} />
          <p>
            <span class="table-quiet">{t(now ? "dice_now" : "dice_last")}</span>
            <span class="table-call">
              {words ?? (shown.total === null ? "" : t("dice_total", { total: number(shown.total) }))}
            </span>
          </p>
        </>
      )}
    </div>
  );
}

function diceOf(view: TableView | null) {
  if (view === null) return null;
  if (view.faces !== null) {
    const { faces, round, call: words } = view;
    return { faces, round, now: true, words, total: null };
  }
  const last = roundsOf(view).at(-1);
  if (last === undefined) return null;
  const { faces, round, total } = last;
  return { faces: last.void ? null : faces, round, now: false, words: null, total };
}

/** The rules of this table, with the rulebook's own summary of their differences. */
function Book({ table }: { readonly table: LiveTable }) {
  const t = useWords("lobby");
  const rules = useRulebook(table);
  const book = table.view.value?.rulebook ?? null;
  if (book === null) return null;
  const sentences = rules.value?.summary ?? {};
  const summary = sentences[language.value] ?? sentences["en"];
  return (
    <div class="table-book">
      <p class="table-title">{titleOf(book, t)}</p>
      <Form table={table} />
      {summary !== undefined && <p>{summary}</p>}
    </div>
  );
}

function titleOf(book: RulebookName, t: ReturnType<typeof useWords<"lobby">>): string {
  const { title, version } = book;
  return version === null ? title : t("version", { title, version });
}

/** The number of places: the terminals of a table, or its seats. */
function Places({ view }: { readonly view: TableView | null }) {
  const t = useWords("lobby");
  if (view?.form === "chips") {
    const [taken, seats] = [number(view.taken.length), number(view.seats)];
    return (
      <div>
        <dt>{t("seats")}</dt>
        <dd>{t("seats_taken", { taken, seats })}</dd>
      </div>
    );
  }
  return (
    <div>
      <dt>{t("terminals")}</dt>
      <dd>{view === null ? "–" : number(view.terminals)}</dd>
    </div>
  );
}

function Facts({ table }: { readonly table: LiveTable }) {
  const t = useWords("lobby");
  const view = table.view.value;
  const limits = view?.limits ?? null;
  const range =
    limits === null
      ? t("limits_none")
      : t("limits_range", { minimum: short(limits.minimum), maximum: short(limits.maximum) });
  return (
    <dl class="table-facts">
      <div>
        <dt>{t("limits")}</dt>
        <dd>{range}</dd>
      </div>
      <Places view={view} />
      <div>
        <dt>{t("dealer")}</dt>
        <dd>{t(`dealer_${table.dealer.value}`)}</dd>
      </div>
    </dl>
  );
}
