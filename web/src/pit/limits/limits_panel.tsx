/** The limits of a table, with a form to change them. */

import { useSignal } from "@preact/signals";

import type { Opening } from "../../answers.ts";
import type { Answered } from "../../console/polling.ts";
import { useSecondsUntil } from "../../shell/countdown.ts";
import { Button } from "../../shell/index.ts";
import { clock, useWords } from "../../words/words.ts";
import { useRequest } from "../requests.ts";
import type { Floor } from "../floor.ts";
import { LimitsForm } from "./limits_form.tsx";
import { LimitsShown } from "./limits_shown.tsx";
import type { Seen } from "../tables/condition.ts";

interface Props {
  readonly floor: Floor;
  readonly seen: Seen;
  readonly opening: Answered<Opening>;
}

export function LimitsPanel({ floor, seen, opening }: Props) {
  const t = useWords("pit");
  const console = useWords("console");
  const changing = useSignal(false);
  const table = seen.reported.table;
  const { ask } = useRequest(floor, table);
  const view = seen.live?.view.value ?? null;
  const limits = view === null ? seen.reported.limits : view.limits;
  const step = opening.value?.wanted.find(({ code }) => code === "limits")?.step ?? null;
  const awaited = floor.waiting(table).find(({ command }) => command["type"] === "SetLimits") ?? null;
  const left = useSecondsUntil(awaited?.expires ?? null, floor.now);
  return (
    <section class="pit-panel" aria-labelledby="pit-limits">
      <header class="pit-panel-head">
        <h3 id="pit-limits">{t("limits")}</h3>
        {floor.mayAct && step !== null && view?.rulebook !== null && (
          <Button onClick={() => (changing.value = true)}>{t("limits_change")}…</Button>
        )}
      </header>
      <LimitsShown limits={limits} />
      {awaited?.expires != null && left.value !== null && left.value > 0 && (
        <p class="pit-waits">
          {console("waits_until", { time: clock(awaited.expires), seconds: left.value })}
        </p>
      )}
      {changing.value && step !== null && (
        <LimitsForm
          limits={limits}
          rulebook={view?.rulebook ?? null}
          step={step}
          onAsk={(limits) => ask({ type: "SetLimits", limits })}
          onClose={() => (changing.value = false)}
        />
      )}
    </section>
  );
}
