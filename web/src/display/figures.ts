/** What a wall screen asks the server for besides what it is told: figures, names, and the rules. */

import { signal, useComputed, useSignal, useSignalEffect, type ReadonlySignal } from "@preact/signals";

import type { RulebookContent, Statistics, WordsView } from "../answers.ts";
import { get, type Query, type TablePicture } from "../live/index.ts";
import { language } from "../words/words.ts";

/** What to ask for; null: nothing now. */
type Wanted = readonly [path: string, query?: Query] | null;

/** How long one waits before asking again where the server gave no answer. */
const AGAIN_MS = 5_000;

/**
 * Have an answer, and the newest of it: whatever `wanted` reads and changes asks again.
 *
 * What was answered before stays until then; a wall screen has nobody to press a button, so it
 * asks again by itself.
 */
export function useAnswer<T>(wanted: () => Wanted): ReadonlySignal<T | null> {
  const answer = useSignal<T | null>(null);
  useSignalEffect(() => {
    const request = wanted();
    if (request === null) return;
    const ended = new AbortController();
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const ask = (): void => {
      get<T>(request[0], request[1], { signal: ended.signal }).then(
        (received) => {
          answer.value = received;
        },
        (error: unknown) => {
          if (ended.signal.aborted) return;
          console.warn(error);
          waiting = setTimeout(ask, AGAIN_MS);
        },
      );
    };
    ask();
    return () => {
      clearTimeout(waiting);
      ended.abort();
    };
  });
  return answer;
}

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
export function useOpenCover(table: TablePicture): ReadonlySignal<boolean> {
  const book = useComputed(() => {
    const rulebook = table.view.value?.rulebook ?? null;
    return rulebook === null ? null : `${rulebook.key} ${rulebook.sha256}`;
  });
  const rules = useAnswer<RulebookContent>(() => {
    const [key = "", sha256 = ""] = book.value?.split(" ") ?? [];
    return key === "" ? null : [`/api/rulebooks/${encodeURIComponent(key)}`, { sha256 }];
  });
  return useComputed(() => rules.value?.procedure.tumble.cover === "open");
}
