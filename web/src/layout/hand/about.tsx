/** The button that opens a box's details, at the corner of the area under the pointer. */

import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { LayoutView } from "../../answers.ts";
import { useWords } from "../../words/words.ts";

interface Pointed {
  readonly box: string;
  /** Its corner, in pixels from the corner of the layout. */
  readonly x: number;
  readonly y: number;
}

export interface About {
  readonly pointed: Signal<Pointed | null>;
  readonly handlers: {
    readonly onPointerOver: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
    readonly onFocusCapture: (event: FocusEvent) => void;
    readonly onBlurCapture: (event: FocusEvent) => void;
    readonly onScrollCapture: () => void;
  };
}

/** Follow the pointer and the keyboard from area to area. */
export function useAbout(root: { readonly current: HTMLElement | null }): About {
  const pointed = useSignal<Pointed | null>(null);
  const leave = () => {
    pointed.value = null;
  };
  // When the size changes, areas move, and another may be at this place.
  useEffect(() => {
    if (root.current === null) return undefined;
    const sizes = new ResizeObserver(leave);
    sizes.observe(root.current);
    return () => sizes.disconnect();
  }, []);
  const point = ({ target }: Event) => {
    const layout = root.current;
    const area = target instanceof Element ? target.closest<HTMLElement>("button[data-box]") : null;
    const box = area?.dataset["box"];
    if (layout === null || area === null || box === undefined) return;
    const [frame, at] = [layout.getBoundingClientRect(), area.getBoundingClientRect()];
    pointed.value = { box, x: at.right - frame.left, y: at.top - frame.top };
  };
  return {
    pointed,
    handlers: {
      onPointerOver: (event) => {
        // A finger opens the details by a long press instead.
        if (event.pointerType === "mouse") point(event);
      },
      onPointerLeave: leave,
      onFocusCapture: (event) => {
        if (event.target instanceof Element && event.target.matches(":focus-visible")) point(event);
      },
      onBlurCapture: ({ relatedTarget }) => {
        const stays = relatedTarget instanceof Element && relatedTarget.closest(".layout-about");
        if (!stays) leave();
      },
      onScrollCapture: leave,
    },
  };
}

interface AboutButtonProps {
  readonly about: About;
  readonly layout: LayoutView;
  readonly onOpen: (box: string) => void;
}

export function AboutButton({ about, layout, onOpen }: AboutButtonProps) {
  const t = useWords("layout");
  const pointed = about.pointed.value;
  const name = layout.areas.find(({ box }) => box === pointed?.box)?.name;
  if (pointed === null || name === undefined) return null;
  const { box, x, y } = pointed;
  return (
    <button
      key={box}
      type="button"
      class="layout-about"
      aria-label={t("about", { box: name })}
      title={t("about", { box: name })}
      style={{ left: `min(${x}px, 100% - 0.75rem)`, top: `max(${y}px, 0.75rem)` }}
      onClick={() => onOpen(box)}
    >
      i
    </button>
  );
}
