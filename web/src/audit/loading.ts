/** A request to the server: loading, answered, or failed with a sentence. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { Problem } from "../live/index.ts";
import { language } from "../words/words.ts";

export interface Loaded<T> {
  readonly value: T | null;
  /** Why there is no value, in a sentence. */
  readonly fault: string | null;
  readonly isLoading: boolean;
  readonly again: () => void;
}

/** An error as a sentence; an error that is not the server's is a bug of ours, and is reported. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Problem)) reportError(error);
  return error instanceof Error ? error.message : String(error);
}

/** Make a request, and again whenever `key` changes; a null key requests nothing. */
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

/** Repeat a request at intervals; the last answer stays until there is a newer one. */
export function useFollowed<T>(ask: (signal: AbortSignal) => Promise<T>, everyMs: number): Loaded<T> {
  const value = useSignal<T | null>(null);
  const fault = useSignal<string | null>(null);
  const tries = useSignal(0);
  useEffect(() => {
    const ended = new AbortController();
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      // A hidden page requests nothing.
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
