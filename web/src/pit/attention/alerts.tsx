/** The alerts of the pit: present conditions first, then events, the newest first. */

import type { Alert } from "../../answers.ts";
import { addressOf } from "../../shell/index.ts";
import { clock, number, useWords } from "../../words/words.ts";
import type { Floor } from "../floor.ts";
import { SHAPES } from "../tables/condition.ts";
import { AlertCare } from "./care.tsx";
import { ClockDoubt } from "./clock_doubt.tsx";
import { ResumeBeside } from "../table/suspension.tsx";
import "./alerts.css";

/** Alerts left out here, because pending commands are listed with their own buttons. */
export const SHOWN_ELSEWHERE = "PIT_APPROVAL_WAITS";
const SHOWN_MAX = 60;

/** Alerts in the order in which they are read. */
export function inOrder(alerts: readonly Alert[]): readonly Alert[] {
  const shown = alerts.filter(({ code }) => code !== SHOWN_ELSEWHERE);
  // The server sends present conditions with the most urgent first.
  const now = shown.filter(({ at }) => at === null);
  const before = shown.filter(({ at }) => at !== null);
  return [...now, ...before.toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0))].slice(0, SHOWN_MAX);
}

interface AlertsProps {
  readonly floor: Floor;
  readonly alerts: readonly Alert[];
}

export function Alerts({ floor, alerts }: AlertsProps) {
  const t = useWords("pit");
  const shown = inOrder(alerts);
  const acute = shown.filter(({ level, care }) => level === "act" && care?.acknowledged == null).length;
  return (
    <section class="pit-alerts" aria-labelledby="pit-alerts">
      <header class="pit-alerts-head">
        <h2 id="pit-alerts">
          {t("alerts")} {acute > 0 && <span class="pit-count">{number(acute)}</span>}
        </h2>
        <a href="/pit?view=alerts">{t("alerts_past")}</a>
      </header>
      {shown.length === 0 && <p class="pit-quiet">{t("alerts_none")}</p>}
      <ol class="pit-alert-list" tabIndex={0} aria-labelledby="pit-alerts">
        {shown.map((alert) => (
          <OneAlert key={alert.alert} floor={floor} alert={alert} />
        ))}
      </ol>
    </section>
  );
}

function OneAlert({ floor, alert }: { readonly floor: Floor; readonly alert: Alert }) {
  const t = useWords("pit");
  const { level, at, since, table, sentence } = alert;
  return (
    <li class={`pit-alert pit-level-${level}${alert.care?.acknowledged == null ? "" : " pit-alert-seen"}`}>
      <p class="pit-alert-head">
        <span class="pit-alert-level">
          <span class="pit-shape" aria-hidden="true">
            {SHAPES[level]}
          </span>{" "}
          {t(`level_${level}`)}
        </span>
        {table !== null && (
          <a class="pit-alert-table" href={addressOf("pit", table)}>
            {table}
          </a>
        )}
        <span class="pit-alert-at">{at === null ? t("ruling_since", { time: clock(since) }) : clock(at)}</span>
      </p>
      <p class="pit-alert-words">{sentence}</p>
      <ResumeBeside floor={floor} code={alert.code} />
      <ClockDoubt floor={floor} code={alert.code} />
      {(level !== "info" || alert.care !== null) && <AlertCare floor={floor} alert={alert} />}
    </li>
  );
}
