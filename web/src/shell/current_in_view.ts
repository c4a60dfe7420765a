/** Keeps the open link in view in a row of links that scrolls in a narrow window. */

import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** Scroll the current link to the middle of its row, when it changes or the width changes. */
export function useCurrentInView(row: RefObject<HTMLElement>, current: string): void {
  useEffect(() => {
    const show = (): void => {
      const link = row.current?.querySelector("[aria-current]");
      // Only the row is scrolled, not the page: a keypad that opens also resizes the window.
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
