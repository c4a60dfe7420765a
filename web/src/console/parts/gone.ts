/** Closes a form whose subject is gone, with a notice that says why. */

import { useEffect } from "preact/hooks";

import { notify } from "../../shell/index.ts";

/** The answer to this form's own command may come this long after the table's view changed. */
const ANSWERED_MS = 1_000;

/** Close a form with a sentence that says why; null while its subject is there. */
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
