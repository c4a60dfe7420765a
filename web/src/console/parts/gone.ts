/** A form whose subject is gone: it does not vanish without a word. */

import { useEffect } from "preact/hooks";

import { notify } from "../../shell/index.ts";

/** What one has sent oneself takes this long to be answered after the table shows it. */
const ANSWERED_MS = 1_000;

/** Say why a form was closed that nobody closed, and close it; null: it is not gone. */
export function useGone(sentence: string | null, close: () => void): void {
  useEffect(() => {
    if (sentence === null) return;
    const timer = setTimeout(() => {
      notify(sentence, "waits");
      close();
    }, ANSWERED_MS);
    return () => clearTimeout(timer);
  }, [sentence]);
}
