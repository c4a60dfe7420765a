import { signal, useSignalEffect, type ReadonlySignal } from "@preact/signals";

import type { WordsView } from "../answers.ts";
import { language } from "../words/words.ts";
import { useAnswer } from "./answer.ts";

const names = signal<WordsView | null>(null);

/** The names of boxes and kinds, in the present language; loaded once for the whole screen. */
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

/** The name of a line of the limit sign, which is that of a kind of box or of one box. */
export function useSignNames(): (name: string) => string {
  const known = useNames().value;
  return (name) => known?.kinds[name] ?? known?.boxes[name] ?? name;
}
