/** A row of links that scrolls in a narrow window: the one that is open is in view. */

import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** Bring the current link of a row to its middle: when it is another, and when the window has another width. */
export function useCurrentInView(row: RefObject<HTMLElement>, current: string): void {
  useEffect(() => {
    const show = (): void => {
      const link = row.current?.querySelector("[aria-current]");
      // The row alone is scrolled: a keypad that opens makes the window another too, and the page stays.
      if (row.current != null && link != null) row.current.scrollLeft += middleOf(link) - middleOf(row.current);
    };
    show();
    window.addEventListener("resize", show);
    return () => window.removeEventListener("resize", show);
  }, [current]);
}

function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}
