/** Alerts that were handled, the last handled first. */

import { useSignal } from "@preact/signals";

import type { AlertHistory, PastAlert } from "../../answers.ts";
import { addressOf, Button } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import { useOnce } from "../once.ts";
import { Steps } from "./care.tsx";

/** How many alerts are listed at a time. */
const LISTED = 20;

export function PastAlerts({ known }: { readonly known: number }) {
  const t = useWords("pit");
  /** Where each page up to the present one begins; null: at the newest. */
  const pages = useSignal<readonly (string | null)[]>([null]);
  return (
    <section class="pit-part" aria-labelledby="pit-past">
      <h2 id="pit-past">{t("alerts_past")}</h2>
      <p class="pit-quiet">{t("alerts_past_how")}</p>
      <Page
        key={`${pages.value.length} ${known}`}
        before={pages.value.at(-1) ?? null}
        isFirst={pages.value.length === 1}
        onNewer={() => (pages.value = pages.value.slice(0, -1))}
        onOlder={(before) => (pages.value = [...pages.value, before])}
      />
    </section>
  );
}

interface PageProps {
  readonly before: string | null;
  readonly isFirst: boolean;
  readonly onNewer: () => void;
  readonly onOlder: (before: string) => void;
}

function Page({ before, isFirst, onNewer, onOlder }: PageProps) {
  const t = useWords("pit");
  const query = useSignal({ limit: LISTED, before, language: true }).value;
  const history = useOnce<AlertHistory>("/api/pit/alerts", query).value;
  if (history === null) return <p class="pit-quiet">{t("asking")}</p>;
  const next = history.before;
  return (
    <>
      {history.alerts.length === 0 && <p class="pit-quiet">{t("alerts_past_none")}</p>}
      <ol class="pit-past">
        {history.alerts.map((alert) => (
          <Past key={alert.alert} alert={alert} />
        ))}
      </ol>
      <p class="pit-acts">
        {!isFirst && <Button onClick={onNewer}>← {t("newer")}</Button>}
        {next !== null && <Button onClick={() => onOlder(next)}>{t("older")} →</Button>}
      </p>
    </>
  );
}

function Past({ alert }: { readonly alert: PastAlert }) {
  const t = useWords("pit");
  const { table, sentence, over, person, steps } = alert;
  return (
    <li>
      <p class="pit-past-head">
        {table !== null && <a href={addressOf("pit", table)}>{table}</a>}
        <span>{t(over ? "alert_over" : "alert_still")}</span>
        {person !== null && <span>{t("with_person", { person })}</span>}
      </p>
      <p class="pit-past-words">{sentence}</p>
      <Steps steps={steps} />
    </li>
  );
}
