/** The dice of a table: the monitor of each set, and a form to put another into use. */

import { useSignal } from "@preact/signals";

import { Button } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import { useRequest } from "../requests.ts";
import { DiceForm } from "./dice_form.tsx";
import { FairnessMonitor } from "./fairness.tsx";
import type { Floor } from "../floor.ts";
import { isOpen, type Seen } from "../tables/condition.ts";

interface Props {
  readonly floor: Floor;
  readonly seen: Seen;
}

export function DicePanel({ floor, seen }: Props) {
  const t = useWords("pit");
  const { reported, live, condition } = seen;
  const { ask } = useRequest(floor, reported.table);
  const registering = useSignal(false);
  const step = live?.steps.value?.steps.find(({ command }) => command === "RegisterDice") ?? null;
  const putAway = live?.view.value?.put_away ?? [];
  const refused = step?.standing === "refused";
  const offered = floor.mayAct && step !== null && isOpen(condition);
  return (
    <section class="pit-panel" aria-labelledby="pit-dice-panel">
      <header class="pit-panel-head">
        <h3 id="pit-dice-panel">{t("dice_title")}</h3>
        {offered && (
          <Button aria-disabled={refused} onClick={() => (registering.value = !refused)}>
            {step.label}…
          </Button>
        )}
      </header>
      {offered && refused && <p class="pit-why">{step.sentence}</p>}
      {putAway.length > 0 && (
        <p class="pit-put-away">
          <span aria-hidden="true">✕</span> {t("put_away", { dice: putAway.join(", ") })}
        </p>
      )}
      {reported.fairness.length === 0 && <p class="pit-quiet">{t("dice_none")}</p>}
      {reported.fairness.map((each) => (
        <FairnessMonitor
          key={each.dice_set}
          watch={each}
          isPutAway={putAway.includes(each.dice_set)}
          points={floor.points(reported.table, each.dice_set)}
        />
      ))}
      {registering.value && step !== null && (
        <DiceForm title={step.label} onAsk={ask} onClose={() => (registering.value = false)} />
      )}
    </section>
  );
}
