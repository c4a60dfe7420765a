/** An answer of the server over HTTP, kept as a signal: asked for again until it comes. */

import { useComputed, useSignal, useSignalEffect, type ReadonlySignal } from "@preact/signals";

import type { RulebookContent } from "../answers.ts";
import { get, Problem, type Query, type LiveTable } from "../live/index.ts";

/** What to ask for; null: nothing now. */
type Wanted = readonly [path: string, query?: Query] | null;

/** How long one waits before asking again where the server gave no answer. */
const AGAIN_MS = 5_000;

/**
 * Have an answer, and the newest of it: whatever `wanted` reads and changes asks again.
 *
 * What was answered before stays until then. Nobody has to press a button: where there is no answer it
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
          // The banner of the connection says that a server is out of reach; here it is only asked again.
          if (!(error instanceof Problem && error.status === 0)) console.warn(error);
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

/** The rulebook that a table plays by, as it was adopted; null until it has been read. */
export function useRulebook(table: LiveTable): ReadonlySignal<RulebookContent | null> {
  // The view of a table changes with every step of a round, its rulebook hardly ever.
  const name = useComputed(() => {
    const rulebook = table.view.value?.rulebook ?? null;
    return rulebook === null ? null : `${rulebook.key} ${rulebook.sha256}`;
  });
  return useAnswer<RulebookContent>(() => {
    const [key = "", sha256 = ""] = name.value?.split(" ") ?? [];
    return key === "" ? null : [`/api/rulebooks/${encodeURIComponent(key)}`, { sha256 }];
  });
}
