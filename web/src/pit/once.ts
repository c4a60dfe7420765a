/** A request made once, when its component appears, and again in another language. */

import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { get, Problem, type Query } from "../live/index.ts";
import { notify } from "../shell/index.ts";
import { language } from "../words/words.ts";

const NO_QUERY: Query = {};

export function useOnce<T>(path: string | null, query: Query = NO_QUERY): ReadonlySignal<T | null> {
  const answer = useSignal<T | null>(null);
  const tongue = language.value;
  useEffect(() => {
    if (path === null) return;
    const ended = new AbortController();
    get<T>(path, query, { signal: ended.signal }).then(
      (received) => {
        answer.value = received;
      },
      (error: unknown) => {
        if (ended.signal.aborted) return;
        if (error instanceof Problem) notify(error.message, "refused");
        else reportError(error);
      },
    );
    return () => ended.abort();
  }, [path, query, tongue]);
  return answer;
}
