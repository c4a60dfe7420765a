/** Something asked of the server: on its way, there, or refused with a sentence. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { Problem } from "../live/index.ts";
import { language } from "../words/words.ts";

export interface Loaded<T> {
  readonly value: T | null;
  /** Why there is nothing, in a sentence. */
  readonly fault: string | null;
  readonly isLoading: boolean;
  readonly again: () => void;
}

/** What is wrong, in a sentence; what is no answer of the server is our own fault, and reported. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Problem)) reportError(error);
  return error instanceof Error ? error.message : String(error);
}

/** Ask for something, and again whenever `key` is another; a null key asks for nothing. */
export function useLoaded<T>(key: string | null, ask: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const value = useSignal<T | null>(null);
  const fault = useSignal<string | null>(null);
  const isLoading = useSignal(key !== null);
  const tries = useSignal(0);
  useEffect(() => {
    value.value = null;
    fault.value = null;
    isLoading.value = key !== null;
    if (key === null) return;
    const ended = new AbortController();
    const done = (answer: T | null, why: string | null): void => {
      if (ended.signal.aborted) return;
      value.value = answer;
      fault.value = why;
      isLoading.value = false;
    };
    ask(ended.signal).then(
      (answer) => done(answer, null),
      (error: unknown) => {
        if (!ended.signal.aborted) done(null, sentenceOf(error));
      },
    );
    return () => ended.abort();
  }, [key, tries.value]);
  return {
    value: value.value,
    fault: fault.value,
    isLoading: isLoading.value,
    again: () => {
      tries.value += 1;
    },
  };
}

/** Ask for something again and again; what was answered last stays until there is newer. */
export function useFollowed<T>(ask: (signal: AbortSignal) => Promise<T>, everyMs: number): Loaded<T> {
  const value = useSignal<T | null>(null);
  const fault = useSignal<string | null>(null);
  const tries = useSignal(0);
  useEffect(() => {
    const ended = new AbortController();
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      // Nobody looks at a page that is hidden.
      const asked = document.hidden ? Promise.resolve(value.peek()) : ask(ended.signal);
      asked
        .then(
          (answer) => {
            if (ended.signal.aborted) return;
            value.value = answer;
            fault.value = null;
          },
          (error: unknown) => {
            if (!ended.signal.aborted) fault.value = sentenceOf(error);
          },
        )
        .finally(() => {
          if (!ended.signal.aborted) waiting = setTimeout(look, everyMs);
        });
    };
    look();
    return () => {
      clearTimeout(waiting);
      ended.abort();
    };
  }, [tries.value, language.value]);
  return {
    value: value.value,
    fault: fault.value,
    isLoading: value.value === null && fault.value === null,
    again: () => {
      tries.value += 1;
    },
  };
}
