/** Clocks that disagree: each one's time, and a form for two persons to accept the machine's. */

import { Button } from "../../shell/index.ts";
import { said } from "../../words/said.ts";
import { moment, useWords } from "../../words/words.ts";
import type { Floor } from "../floor.ts";
import { useRequest } from "../requests.ts";
import "./clock_doubt.css";

const CODES: ReadonlySet<string> = new Set(["PIT_CLOCK_AHEAD", "PIT_CLOCK_DATABASE"]);

function Shown({ clock, at }: { readonly clock: string; readonly at: number }) {
  return (
    <div>
      <dt>{clock}</dt>
      <dd>{moment(at)}</dd>
    </div>
  );
}

/** Shown below the alert about the clocks. */
export function ClockDoubt({ floor, code }: { readonly floor: Floor; readonly code: string }) {
  const t = useWords("pit");
  const { busy, refused, ask } = useRequest(floor, "venue");
  const doubt = CODES.has(code) ? (floor.pit.answer.value?.clock ?? null) : null;
  if (doubt === null) return null;
  const { venue, machine, database, ahead_ms, database_ms, may_ask } = doubt;
  const waits = floor.waiting("venue").some(({ command }) => command["type"] === "AcceptClock");
  return (
    <div class="pit-clock">
      <dl>
        <Shown clock={t("clock_venue")} at={venue} />
        <Shown clock={t("clock_machine")} at={machine} />
        {database !== null && <Shown clock={t("clock_database")} at={database} />}
      </dl>
      <p class="pit-quiet">{t("clock_means")}</p>
      {may_ask ? (
        <>
          <p class="pit-quiet">{t("takes_two")}</p>
          <Button
            busy={busy.value !== null || waits}
            onClick={() => void ask({ type: "AcceptClock", ahead_ms, database_ms })}
          >
            {t("clock_accept")}
          </Button>
        </>
      ) : (
        <p class="pit-quiet">{t("clock_who")}</p>
      )}
      <div role="alert">{refused.value !== null && <p class="field-fault">{said(refused.value.sentence)}</p>}</div>
    </div>
  );
}
