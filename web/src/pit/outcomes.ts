/** What becomes of what was asked for, where it was not done. */

import { useEffect, useRef } from "preact/hooks";

import { notify } from "../shell/index.ts";
import { useWords } from "../words/words.ts";
import type { Floor } from "./floor.ts";

/** Say what became of what was asked for here, where it was not done. */
export function useOutcomes(floor: Floor): void {
  const t = useWords("console");
  const words = useRef(t);
  words.current = t;
  useEffect(
    () =>
      floor.onEnded((by) => {
        const say = words.current;
        notify(() => (by === null ? say("waited_in_vain") : say("was_declined", { person: by })), "refused");
      }),
    [floor],
  );
}
