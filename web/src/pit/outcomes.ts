/** Reports commands given here that were declined or ran out of time. */

import { useEffect, useRef } from "preact/hooks";

import { notify } from "../shell/index.ts";
import { useWords } from "../words/words.ts";
import type { Floor } from "./floor.ts";

/** Show a notice when a command given here is declined or runs out of time. */
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
