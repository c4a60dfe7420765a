/** An HTTP answer as a signal: the request is repeated until the server answers. */

import { useComputed, useSignal, useSignalEffect, type ReadonlySignal } from "@preact/signals";

import type { RulebookContent } from "../answers.ts";
import { get, Problem, type Query, type LiveTable } from "../live/index.ts";

/** The request; null for none now. */
type Wanted = readonly [path: string, query?: Query] | null;

/** The delay before a request without an answer is repeated. */
const AGAIN_MS = 5_000;

/**
 * Request an answer, and again whenever a signal that `wanted` reads has changed.
 *
 * The old answer stays until the new one comes. A request without an answer is repeated by itself.
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
          // The connection's banner reports an unreachable server; here we only ask again.
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
  // A table's view changes with every step of a round, its rulebook very seldom.
  const name = useComputed(() => {
    const rulebook = table.view.value?.rulebook ?? null;
    return rulebook === null ? null : `${rulebook.key} ${rulebook.sha256}`;
  });
  return useAnswer<RulebookContent>(() => {
    const [key = "", sha256 = ""] = name.value?.split(" ") ?? [];
    return key === "" ? null : [`/api/rulebooks/${encodeURIComponent(key)}`, { sha256 }];
  });
}
