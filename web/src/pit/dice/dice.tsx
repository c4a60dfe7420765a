/** The fairness monitors of all dice of the venue. */

import type { PitTable } from "../../answers.ts";
import { addressOf } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import { FairnessMonitor } from "./fairness.tsx";
import type { Floor } from "../floor.ts";

interface Props {
  readonly floor: Floor;
  readonly tables: readonly PitTable[];
}

export function Dice({ floor, tables }: Props) {
  const t = useWords("pit");
  const watched = tables.filter(({ fairness }) => fairness.length > 0);
  return (
    <section class="pit-part" aria-labelledby="pit-dice">
      <h2 id="pit-dice">{t("dice_title")}</h2>
      <p class="pit-quiet">{t("dice_how")}</p>
      {watched.length === 0 && <p>{t("dice_none")}</p>}
      <ul class="pit-dice-list">
        {watched.map(({ table, fairness }) => (
          <li key={table} class="pit-panel">
            <h3>
              <a href={addressOf("pit", table)}>{table}</a>
            </h3>
            {fairness.map((each) => (
              <FairnessMonitor key={each.dice_set} watch={each} points={floor.points(table, each.dice_set)} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
