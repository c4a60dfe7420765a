/** Finding events: by time, table, terminal, person, voucher, amount and irregularity. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import type { EventView, FoundPage } from "../answers.ts";
import { get } from "../live/index.ts";
import { Button, Choice, Field, useNames } from "../shell/index.ts";
import { capital } from "../words/capital.ts";
import { said } from "../words/said.ts";
import { language, moment, number, useWords } from "../words/words.ts";
import { readAmount } from "../words/written.ts";
import { OneEvent, rowOf } from "./events.tsx";
import { sentenceOf } from "./loading.ts";
import { EVERYTHING, isBackwards, Period, queryOf, type PeriodQuery } from "./period.tsx";
import { ShownFiles } from "./shown_files.tsx";

/** How many events a press finds; the server searches one part of the journal per request. */
const WANTED = 25;
/** The most events that are listed; to see more, choose a shorter period. */
const LISTED_MAX = 1_000;

const NOTHING = { terminal: "", person: "", voucher: "", least: "", most: "", irregularity: "" };
type Asked = typeof NOTHING;

/** The parameters of the address for a search. */
export function soughtOf(asked: Asked, period: PeriodQuery) {
  const given = (text: string): string | undefined => (text.trim() === "" ? undefined : text.trim());
  return {
    ...queryOf(period),
    terminal: given(asked.terminal),
    person: given(asked.person),
    voucher: given(asked.voucher),
    irregularity: given(asked.irregularity),
    least: readAmount(asked.least) ?? undefined,
    most: readAmount(asked.most) ?? undefined,
  };
}

export function Find() {
  const t = useWords("audit");
  const period = useSignal<PeriodQuery>(EVERYTHING);
  const asked = useSignal<Asked>(NOTHING);
  const searching = useSearching();
  const names = useNames();
  const put = (part: Partial<Asked>): void => {
    asked.value = { ...asked.peek(), ...part };
  };
  const wrong = (text: string): string | null => (readAmount(text) === undefined ? t("amount_wrong") : null);
  const noVoucher = /[^0-9 -]/.test(asked.value.voucher) ? t("voucher_wrong") : null;
  const faults = [wrong(asked.value.least), wrong(asked.value.most), noVoucher];
  const isWrong = isBackwards(period.value) || faults.some((fault) => fault !== null);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!isWrong) searching.begin(soughtOf(asked.peek(), period.peek()));
  };
  const field = (name: keyof Asked, fault: string | null = null) => (
    <Field
      label={t(`find_${name}`)}
      autocomplete="off"
      maxLength={64}
      value={asked.value[name]}
      fault={fault}
      onInput={({ currentTarget }) => put({ [name]: currentTarget.value })}
    />
  );
  const irregularities = Object.entries(names.value?.irregularities ?? {});
  return (
    <section class="audit-section">
      <h1>{t("part_find")}</h1>
      <p class="audit-lead">{t("find_lead")}</p>
      <form class="audit-form" onSubmit={submit} noValidate>
        <Period period={period} />
        {field("terminal")}
        {field("person")}
        {field("voucher", noVoucher)}
        {field("least", wrong(asked.value.least))}
        {field("most", wrong(asked.value.most))}
        <Choice
          label={t("find_irregularity")}
          value={asked.value.irregularity}
          onChange={({ currentTarget }) => put({ irregularity: currentTarget.value })}
        >
          <option value="">{t("irregularity_all")}</option>
          <option value="any">{t("irregularity_any")}</option>
          {irregularities.map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Choice>
        <Button kind="main" type="submit" busy={searching.busy}>
          {t("find_now")}
        </Button>
      </form>
      <Found searching={searching} />
    </section>
  );
}

function Found({ searching }: { readonly searching: Searching }) {
  const t = useWords("audit");
  const { events, busy, fault, backTo, examined, before, begun, further, stop } = searching;
  if (!begun) return null;
  const count = number(examined);
  return (
    <>
      <div class="audit-looked" role="status">
        <p>
          {backTo !== null
            ? t("looked_back", { count, time: moment(backTo) })
            : t(busy ? "looked_so_far" : "looked_all", { count })}
        </p>
        {busy && <Button onClick={stop}>{t("stop")}</Button>}
        {!busy && before !== null && events.length < LISTED_MAX && (
          <Button onClick={further}>{t("look_further")} →</Button>
        )}
      </div>
      {fault !== null && (
        <p class="audit-fault" role="alert">
          ✕ {capital(said(fault))}
        </p>
      )}
      {events.length === 0 && !busy && fault === null && <p class="audit-wait">{t("found_none")}</p>}
      {events.length > 0 && <ShownFiles name="found-events" rows={() => events.map(rowOf)} />}
      <ol class="audit-events">
        {events.map((event) => (
          <li key={`${event.stream} ${event.version}`}>
            <OneEvent event={event} />
          </li>
        ))}
      </ol>
    </>
  );
}

interface Searching {
  readonly begun: boolean;
  readonly busy: boolean;
  readonly fault: string | null;
  readonly events: readonly EventView[];
  readonly before: string | null;
  /** Everything since this time was searched; null if everything was. */
  readonly backTo: number | null;
  readonly examined: number;
  readonly begin: (sought: ReturnType<typeof soughtOf>) => void;
  readonly further: () => void;
  readonly stop: () => void;
}

const UNBEGUN = { begun: false, busy: false, fault: null, events: [], before: null, backTo: null, examined: 0 };
type State = Omit<Searching, "begin" | "further" | "stop">;

/** Searches part after part, until enough is found, all is searched, or it is stopped. */
function useSearching(): Searching {
  const state = useSignal<State>(UNBEGUN);
  const sought = useRef<ReturnType<typeof soughtOf> | null>(null);
  const ended = useRef<AbortController | null>(null);
  useEffect(() => () => ended.current?.abort(), []);
  const look = async (from: State): Promise<void> => {
    ended.current?.abort();
    const own = new AbortController();
    ended.current = own;
    state.value = { ...from, begun: true, busy: true, fault: null };
    const enough = from.events.length + WANTED;
    try {
      do {
        const { before, events } = state.peek();
        const query = { ...sought.current, before: before ?? undefined, limit: enough - events.length, language: true };
        const page = await get<FoundPage>("/api/audit/find", query, { signal: own.signal });
        const now = state.peek();
        state.value = {
          ...now,
          events: [...now.events, ...page.events],
          before: page.before,
          backTo: page.back_to,
          examined: now.examined + page.examined,
        };
      } while (state.peek().before !== null && state.peek().events.length < enough);
    } catch (error) {
      if (!own.signal.aborted) state.value = { ...state.peek(), fault: sentenceOf(error) };
    } finally {
      if (ended.current === own) state.value = { ...state.peek(), busy: false };
    }
  };
  // In another language the search is repeated, to receive its sentences in that language.
  const tongue = useRef(language.value);
  useEffect(() => {
    if (tongue.current === language.value) return;
    tongue.current = language.value;
    if (state.peek().begun) void look(UNBEGUN);
  }, [language.value]);
  return {
    ...state.value,
    begin: (asked) => {
      sought.current = asked;
      void look(UNBEGUN);
    },
    further: () => void look(state.peek()),
    stop: () => ended.current?.abort(),
  };
}
