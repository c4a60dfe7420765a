/** Exports: a view of the journal as a file. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";

import { addressOf } from "../live/index.ts";
import { Button, Choice, Field, notify, save } from "../shell/index.ts";
import { lasting, said } from "../words/said.ts";
import { number, useWords } from "../words/words.ts";
import { fetchesItself, fetchFile, HELD_MAX, TooLong } from "./download.ts";
import { sentenceOf } from "./loading.ts";
import { EVERYTHING, isBackwards, Period, queryOf, type PeriodQuery } from "./period.tsx";

const VIEWS = ["rounds", "bets", "placements", "postings", "meters", "significant"] as const;
type View = (typeof VIEWS)[number];

/** Each format with its file extension. */
const FORMATS = { csv: "csv", json: "jsonl", parquet: "parquet" } as const;
type Format = keyof typeof FORMATS;

const MEGABYTE = 1024 * 1024;

export function Exports() {
  const t = useWords("audit");
  const view = useSignal<View>("rounds");
  const format = useSignal<Format>("csv");
  const terminal = useSignal("");
  const period = useSignal<PeriodQuery>(EVERYTHING);
  const file = useFile();
  const start = (): void => {
    if (isBackwards(period.peek())) return;
    const address = addressOf(`/api/exports/${view.peek()}`, {
      ...queryOf(period.peek()),
      format: format.peek(),
      terminal: terminal.peek() === "" ? undefined : terminal.peek(),
      language: true,
    });
    file.start(address, `${view.peek()}.${FORMATS[format.peek()]}`);
  };
  return (
    <section class="audit-section">
      <h1>{t("part_exports")}</h1>
      <p class="audit-lead">{t("exports_lead")}</p>
      <form
        class="audit-form audit-form-tall"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <Choice
          label={t("view")}
          hint={t(`view_${view.value}_hint`)}
          value={view.value}
          onChange={({ currentTarget }) => {
            view.value = currentTarget.value as View;
          }}
        >
          {VIEWS.map((each) => (
            <option key={each} value={each}>
              {t(`view_${each}`)}
            </option>
          ))}
        </Choice>
        <Choice
          label={t("format")}
          hint={t(`format_${format.value}_hint`)}
          value={format.value}
          onChange={({ currentTarget }) => {
            format.value = currentTarget.value as Format;
          }}
        >
          {(Object.keys(FORMATS) as Format[]).map((each) => (
            <option key={each} value={each}>
              {t(`format_${each}`)}
            </option>
          ))}
        </Choice>
        <Period period={period} />
        <Field
          label={t("terminal_alone")}
          hint={t("terminal_hint")}
          maxLength={64}
          value={terminal.value}
          onInput={({ currentTarget }) => {
            terminal.value = currentTarget.value.trim();
          }}
        />
        <Button kind="main" type="submit" busy={file.bytes.value !== null}>
          {t("export")}
        </Button>
      </form>
      {fetchesItself() && (
        <p class="audit-hint">{t("held", { most: number(HELD_MAX / MEGABYTE) })}</p>
      )}
      {file.bytes.value !== null && (
        <div class="proof-progress" role="status">
          <progress aria-label={t("progress")} />
          <p>{t("came", { megabytes: megabytes(file.bytes.value) })}</p>
          <Button onClick={file.stop}>{t("stop")}</Button>
        </div>
      )}
      {file.fault.value !== null && (
        <p class="audit-fault" role="alert">
          ✕ {said(file.fault.value)}
        </p>
      )}
    </section>
  );
}

function megabytes(bytes: number): string {
  return number(Math.round((bytes / MEGABYTE) * 100) / 100);
}

/** A download: by a link if a cookie goes with it, otherwise fetched and counted. */
function useFile() {
  const t = useWords("audit");
  const bytes = useSignal<number | null>(null);
  const fault = useSignal<string | null>(null);
  const ended = useRef<AbortController | null>(null);
  const fetchIt = async (address: string, name: string): Promise<void> => {
    const own = new AbortController();
    ended.current = own;
    bytes.value = 0;
    try {
      const whole = await fetchFile(address, (came) => (bytes.value = came), own.signal);
      save(whole, name);
      notify(() => t("exported", { name, megabytes: megabytes(whole.size) }));
    } catch (error) {
      if (own.signal.aborted) return;
      const isBroken = error instanceof TypeError;
      fault.value =
        error instanceof TooLong ? lasting(() => t("too_long")) : isBroken ? lasting(() => t("broke_off")) : sentenceOf(error);
    } finally {
      bytes.value = null;
    }
  };
  return {
    bytes,
    fault,
    start: (address: string, name: string): void => {
      fault.value = null;
      if (fetchesItself()) void fetchIt(address, name);
      else save(address, name);
    },
    stop: (): void => ended.current?.abort(),
  };
}
