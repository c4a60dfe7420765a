/** Media queries as signals. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Whether a media query matches, now and from now on. */
export function useMedia(query: string): boolean {
  const holds = useSignal(matchMedia(query).matches);
  useEffect(() => {
    const asked = matchMedia(query);
    const look = (): void => {
      holds.value = asked.matches;
    };
    look();
    asked.addEventListener("change", look);
    return () => asked.removeEventListener("change", look);
  }, [query]);
  return holds.value;
}
