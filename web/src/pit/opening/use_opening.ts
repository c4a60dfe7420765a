/** What a table needs before it opens, requested again whenever a relevant signal has changed. */

import { effect, type ReadonlySignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";

import type { Opening } from "../../answers.ts";
import { Fresh, type Answered } from "../../console/polling.ts";
import { language } from "../../words/words.ts";

const SOON_MS = 150;

/** `touch` reads the relevant signals. */
export function useOpening(name: string, touch: () => void): ReadonlySignal<Answered<Opening>> {
  const fresh = useMemo(
    () => new Fresh<Opening>(`/api/tables/${encodeURIComponent(name)}/opening`, SOON_MS),
    [name],
  );
  useEffect(() => {
    const end = effect(() => {
      void language.value;
      touch();
      fresh.refresh();
    });
    return () => {
      end();
      fresh.end();
    };
  }, [fresh]);
  return fresh.answer;
}
