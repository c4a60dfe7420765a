/** The data that a wall screen requests besides its live messages. */

import type { ReadonlySignal } from "@preact/signals";

import type { Statistics } from "../answers.ts";
import { useAnswer } from "../shell/index.ts";
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
