/** The data that a wall screen requests besides its live messages: figures and the rules. */

import { useComputed, type ReadonlySignal } from "@preact/signals";

import type { Statistics } from "../answers.ts";
import type { LiveTable } from "../live/index.ts";
import { useAnswer, useRulebook } from "../shell/index.ts";
import { language } from "../words/words.ts";

/** The figures of a table's rounds, requested again when the list of rounds changes. */
export function useStatistics(
  table: string,
  rounds: ReadonlySignal<readonly unknown[]>,
): ReadonlySignal<Statistics | null> {
  return useAnswer<Statistics>(() => {
    if (rounds.value.length === 0) return null;
    return [`/api/tables/${encodeURIComponent(table)}/statistics`, { language: language.value }];
  });
}

/** Whether the dice are tumbled without a cover; covered until the rules are received. */
export function useOpenCover(table: LiveTable): ReadonlySignal<boolean> {
  const rules = useRulebook(table);
  return useComputed(() => rules.value?.procedure.tumble.cover === "open");
}
