/** Shows by a shade and an arrow on which sides a view can scroll further. */

import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

type Place<T> = { readonly current: T | null };
type Side = "top" | "end" | "bottom" | "start";

const ARROWS: Readonly<Record<Side, string>> = { top: "▴", end: "▸", bottom: "▾", start: "◂" };
/** Less than this is a rounding error of the browser. */
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

/** The sides of a view with more content, measured when it scrolls or a size changes. */
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

/** The shades and arrows; placed over the view, in a frame of its size. */
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
