/** The running or last verification of the journal, polled until it has ended. */

import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { Verification } from "../answers.ts";
import { del, get, post } from "../live/index.ts";
import { language } from "../words/words.ts";
import { sentenceOf } from "./loading.ts";

/** How often a running verification is polled. */
const ASK_MS = 500;
/** How often the server is asked while none is running: somebody else may have started one. */
const LOOK_MS = 10_000;

export interface Verifying {
  /** Null: none has run since the server was started; undefined: not known yet. */
  readonly current: ReadonlySignal<Verification | null | undefined>;
  /** Present speed in events a second; null until two answers can be compared. */
  readonly rate: ReadonlySignal<number | null>;
  readonly fault: ReadonlySignal<string | null>;
  readonly begin: () => void;
  /** Stop the running verification. */
  readonly stop: () => void;
}

function readCurrent(signal: AbortSignal): Promise<Verification | null> {
  return get("/api/audit/verifications/current", { language: true }, { signal });
}

export function useVerifying(now: () => number = () => performance.now()): Verifying {
  const current = useSignal<Verification | null | undefined>(undefined);
  const rate = useSignal<number | null>(null);
  const fault = useSignal<string | null>(null);
  const turn = useSignal(0);
  useEffect(() => {
    const ended = new AbortController();
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let before: { readonly number: number; readonly seen: number; readonly at: number } | null = null;
    const take = (verification: Verification | null): void => {
      current.value = verification;
      fault.value = null;
      if (verification?.state !== "running") return;
      const at = now();
      if (before?.number === verification.number && verification.seen > before.seen && at > before.at) {
        rate.value = ((verification.seen - before.seen) * 1000) / (at - before.at);
      }
      before = { number: verification.number, seen: verification.seen, at };
    };
    const ask = (): void => {
      readCurrent(ended.signal)
        .then(take, (error: unknown) => {
          if (!ended.signal.aborted) fault.value = sentenceOf(error);
        })
        .finally(() => {
          if (ended.signal.aborted) return;
          waiting = setTimeout(ask, current.peek()?.state === "running" ? ASK_MS : LOOK_MS);
        });
    };
    ask();
    return () => {
      clearTimeout(waiting);
      ended.abort();
    };
  }, [turn.value, language.value]);
  const begin = (): void => {
    rate.value = null;
    fault.value = null;
    post<Verification>("/api/audit/verifications", {})
      .then(
        (verification) => {
          current.value = verification;
        },
        (error: unknown) => {
          fault.value = sentenceOf(error);
        },
      )
      // If another one is already running, that one is shown.
      .finally(() => {
        turn.value += 1;
      });
  };
  const stop = (): void => {
    del<Verification>("/api/audit/verifications/current")
      .then(
        (verification) => {
          current.value = verification;
        },
        (error: unknown) => {
          fault.value = sentenceOf(error);
        },
      )
      .finally(() => {
        turn.value += 1;
      });
  };
  return { current, rate, fault, begin, stop };
}
