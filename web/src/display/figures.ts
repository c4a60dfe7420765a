/** What a wall screen asks the server for besides its live messages: figures and the rules. */

import { useComputed, type ReadonlySignal } from "@preact/signals";

import type { Statistics } from "../answers.ts";
import type { LiveTable } from "../live/index.ts";
import { useAnswer, useRulebook } from "../shell/index.ts";
import { language } from "../words/words.ts";

/** What the rounds of a table come to; asked for again when the list of rounds is another. */
export function useStatistics(
  table: string,
  rounds: ReadonlySignal<readonly unknown[]>,
): ReadonlySignal<Statistics | null> {
  return useAnswer<Statistics>(() => {
    if (rounds.value.length === 0) return null;
    return [`/api/tables/${encodeURIComponent(table)}/statistics`, { language: language.value }];
  });
}

/** Whether the dice are tumbled in view; until the rules are read, what may be covered is covered. */
export function useOpenCover(table: LiveTable): ReadonlySignal<boolean> {
  const rules = useRulebook(table);
  return useComputed(() => rules.value?.procedure.tumble.cover === "open");
}
