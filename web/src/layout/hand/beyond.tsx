/** What lies beyond the edges of a view that scrolls: told by a shade and an arrow on each such side. */

import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

type Place<T> = { readonly current: T | null };
type Side = "top" | "end" | "bottom" | "start";

const ARROWS: Readonly<Record<Side, string>> = { top: "▴", end: "▸", bottom: "▾", start: "◂" };
/** Less than this is a rounding of the browser's, and no box. */
const SLACK = 4;

function sidesOf(view: HTMLElement): readonly Side[] {
  const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = view;
  const hidden: Readonly<Record<Side, number>> = {
    top: scrollTop,
    end: scrollWidth - clientWidth - scrollLeft,
    bottom: scrollHeight - clientHeight - scrollTop,
    start: scrollLeft,
  };
  return (Object.keys(hidden) as Side[]).filter((side) => hidden[side] > SLACK);
}

/** On which sides of a view there is more; measured when it scrolls, or when a size changes. */
export function useBeyond(view: Place<HTMLElement>): ReadonlySignal<readonly Side[]> {
  const beyond = useSignal<readonly Side[]>([]);
  useEffect(() => {
    const seen = view.current;
    if (seen === null) return;
    const measure = () => {
      const sides = sidesOf(seen);
      if (sides.join() !== beyond.peek().join()) beyond.value = sides;
    };
    const sizes = new ResizeObserver(measure);
    for (const each of [seen, ...seen.children]) sizes.observe(each);
    seen.addEventListener("scroll", measure, { passive: true });
    return () => {
      sizes.disconnect();
      seen.removeEventListener("scroll", measure);
    };
  }, [view]);
  return beyond;
}

/** The sides on which there is more; to lie over the view, in a frame of its size. */
export function Beyond({ sides }: { readonly sides: ReadonlySignal<readonly Side[]> }) {
  return (
    <>
      {sides.value.map((side) => (
        <span key={side} class={`layout-beyond layout-beyond-${side}`} aria-hidden="true">
          {ARROWS[side]}
        </span>
      ))}
    </>
  );
}
