/** The gaming day of a chip table: counts, fills and credits, and the win. */

import { useSignal } from "@preact/signals";

import type { PitDay } from "../../answers.ts";
import { CloseDayForm, CountDropForm } from "../../console/money/forms/day_forms.tsx";
import { stepOf } from "../../console/steps/next.ts";
import { Button } from "../../shell/index.ts";
import { money, number, useWords } from "../../words/words.ts";
import { useRequest } from "../requests.ts";
import { Band } from "../figures/band.tsx";
import type { Floor } from "../floor.ts";
import { Facts } from "../figures/facts.tsx";
import type { Seen } from "../tables/condition.ts";
import "./day_panel.css";

interface Props {
  readonly floor: Floor;
  readonly seen: Seen;
}

export function DayPanel({ floor, seen }: Props) {
  const t = useWords("pit");
  const { day, today } = seen.reported;
  return (
    <section class="pit-panel pit-day" aria-labelledby="pit-day">
      <h3 id="pit-day">{day === null ? t("day") : t("day_of", { date: day.date })}</h3>
      {day === null ? (
        <p class="pit-quiet">{t("day_none")}</p>
      ) : (
        <>
          <Figures day={day} />
          <h4>{t("day_hold")}</h4>
          {today === null ? <p class="pit-quiet">{t("no_rounds")}</p> : <Band figures={today} />}
          {floor.mayAct && <Counts floor={floor} seen={seen} />}
        </>
      )}
    </section>
  );
}

interface FiguresProps {
  readonly day: PitDay;
}

/** The books of the day. */
function Figures({ day }: FiguresProps) {
  const t = useWords("pit");
  // The server does not send the expected figure to a person who is to count.
  const told = (cents: number | null): string => (cents === null ? t("to_count") : money(cents));
  const facts: readonly (readonly [string, string])[] = [
    [t("day_opening"), money(day.opening)],
    [t("day_fills"), money(day.fills)],
    [t("day_credits"), money(day.credits)],
    [t("day_drop"), money(day.drop)],
    [t("day_in_box"), told(day.in_box)],
    [t("day_rack"), told(day.rack)],
    [t("day_difference"), money(day.difference)],
    [t("day_seats"), number(day.seats)],
  ];
  return (
    <>
      <p class="pit-day-win">
        {t("day_win")} <strong>{told(day.win)}</strong>
      </p>
      <Facts class="pit-facts" facts={facts} />
    </>
  );
}

const COUNTS = ["CountDrop", "CloseDay"] as const;

/** The counts that end a day, if the server would accept them now. */
function Counts({ floor, seen: { reported, live } }: Props) {
  const { ask } = useRequest(floor, reported.table);
  const opened = useSignal<(typeof COUNTS)[number] | null>(null);
  const table = live?.chipTable.value ?? null;
  if (table === null) return null;
  const steps = live?.steps.value?.steps ?? [];
  const close = (): void => {
    opened.value = null;
  };
  return (
    <>
      <ul class="pit-running">
        {COUNTS.map((command) => {
          const step = stepOf(steps, command);
          if (step === null) return null;
          const isRefused = step.standing === "refused";
          return (
            <li key={command}>
              <Button
                kind={step.standing === "next" ? "main" : "plain"}
                aria-disabled={isRefused}
                onClick={() => {
                  if (!isRefused) opened.value = command;
                }}
              >
                {step.label}…
              </Button>
              {isRefused && <span class="pit-why">{step.sentence}</span>}
            </li>
          );
        })}
      </ul>
      {opened.value === "CountDrop" && <CountDropForm ask={ask} onClose={close} />}
      {opened.value === "CloseDay" && table.day != null && (
        <CloseDayForm table={table} day={table.day} ask={ask} onClose={close} />
      )}
    </>
  );
}
