/** What a wall screen asks the server for besides its live messages: figures, names, and the rules. */

import { signal, useComputed, useSignalEffect, type ReadonlySignal } from "@preact/signals";

import type { Statistics, WordsView } from "../answers.ts";
import type { LiveTable } from "../live/index.ts";
import { useAnswer, useRulebook } from "../shell/index.ts";
import { language } from "../words/words.ts";

const names = signal<WordsView | null>(null);

/** The names of boxes and kinds, in the language of the moment; read once for the whole screen. */
export function useNames(): ReadonlySignal<WordsView | null> {
  const read = useAnswer<WordsView>(() => {
    const isKnown = names.peek()?.language === language.value;
    return isKnown ? null : [`/api/words/${language.value}`];
  });
  useSignalEffect(() => {
    if (read.value !== null) names.value = read.value;
  });
  return names;
}

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
