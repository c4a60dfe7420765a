import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** The narrowest column in which a letter can be read, in units of the reader's font size. */
const NARROWEST = 1.375;

/** How many columns fit, up to a number. */
export function useColumns(most: number) {
  const grid = useRef<HTMLDivElement>(null);
  const fitting = useSignal(Infinity);
  useEffect(() => {
    const drawing = grid.current?.parentElement;
    if (drawing == null) return;
    const observer = new ResizeObserver(([entry]) => {
      const letter = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const width = entry?.contentRect.width ?? 0;
      if (width > 0) fitting.value = Math.max(1, Math.floor(width / (NARROWEST * letter)));
    });
    observer.observe(drawing);
    return () => observer.disconnect();
  }, [fitting]);
  return { columns: Math.min(most, fitting.value), grid };
}
