/** Presses, holds, right clicks and keys on the layout, handled once for all its areas. */

import type { Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { PLACED } from "./drag.tsx";
import { keyLeads, type Rect } from "./neighbours.ts";
import type { LayoutProps } from "../types.ts";

/** The time of a long press, which opens the details, and how far the finger may move. */
const HOLD_MS = 500;
const STRAY = 10;

type Handlers = Pick<LayoutProps, "onPress" | "onTakeBack"> & {
  readonly open: (box: string, area: HTMLElement) => void;
  readonly current: Signal<number>;
  /** The rectangles of the areas, in the order of their places. */
  readonly rects: () => readonly Rect[];
  /** Store in which area of its box a chip was put down. */
  readonly placed: (box: string, place: number) => void;
};

interface Pressed {
  readonly area: HTMLElement;
  readonly box: string;
  readonly place: number;
}

/** The area that an event happened on. */
function pressedBy(event: Event): Pressed | null {
  if (!(event.target instanceof Element)) return null;
  const area = event.target.closest<HTMLElement>("button[data-box]");
  const box = area?.dataset["box"];
  if (area === null || box === undefined) return null;
  return { area, box, place: Number(area.dataset["place"]) };
}

/** Long press: a finger that stays on an area opens its details, and its click is then no bet. */
function useHold(open: Handlers["open"]) {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const from = useRef({ x: 0, y: 0 });
  const detailed = useRef(false);
  const cancel = () => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
  };
  useEffect(() => cancel, []);
  return {
    /** Whether the press that ends now was a long press. */
    wasHold: () => {
      const was = detailed.current;
      detailed.current = false;
      return was;
    },
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        cancel();
        detailed.current = false;
        const pressed = pressedBy(event);
        if (pressed === null || event.pointerType === "mouse") return;
        from.current = { x: event.clientX, y: event.clientY };
        timer.current = setTimeout(() => {
          detailed.current = true;
          open(pressed.box, pressed.area);
        }, HOLD_MS);
      },
      onPointerMove: (event: PointerEvent) => {
        const far = Math.hypot(event.clientX - from.current.x, event.clientY - from.current.y);
        if (far > STRAY) cancel();
      },
      onPointerUp: cancel,
      onPointerCancel: cancel,
    },
  };
}

export function usePresses(root: { readonly current: HTMLElement | null }, handlers: Handlers) {
  const { onPress, onTakeBack, open, current, rects, placed } = handlers;
  const hold = useHold(open);
  const remember = useRef(placed);
  remember.current = placed;
  useEffect(() => {
    const layout = root.current;
    const placed = (event: Event) => {
      const pressed = pressedBy(event);
      if (pressed !== null) remember.current(pressed.box, pressed.place);
    };
    layout?.addEventListener(PLACED, placed);
    return () => layout?.removeEventListener(PLACED, placed);
  }, [root]);

  const ask = ({ box, area }: Pressed) => open(box, area);
  return {
    ...hold.handlers,
    onClick: (event: MouseEvent) => {
      const pressed = pressedBy(event);
      if (pressed === null || hold.wasHold()) return;
      if (onPress === undefined) return ask(pressed);
      placed(pressed.box, pressed.place);
      onPress(pressed.box);
    },
    onContextMenu: (event: MouseEvent) => {
      const pressed = pressedBy(event);
      if (pressed === null) return;
      event.preventDefault();
      // A finger's context menu comes from a long press, which has been handled already.
      if (event instanceof PointerEvent && event.pointerType !== "mouse") return;
      if (onTakeBack !== undefined) onTakeBack(pressed.box);
      else ask(pressed);
    },
    onFocusIn: (event: FocusEvent) => {
      const pressed = pressedBy(event);
      if (pressed !== null) current.value = pressed.place;
    },
    onKeyDown: (event: KeyboardEvent) => {
      const pressed = pressedBy(event);
      if (pressed === null || event.altKey || event.metaKey) return;
      if (event.key === "i" || event.key === "I") ask(pressed);
      else if (event.key === "Delete" || event.key === "Backspace") onTakeBack?.(pressed.box);
      else {
        const next = keyLeads(event, rects(), pressed.place);
        if (next === null) return;
        event.preventDefault();
        const area = root.current?.querySelector<HTMLElement>(`button[data-place="${next}"]`);
        area?.focus({ preventScroll: true });
        area?.scrollIntoView({ block: "nearest", inline: "nearest" });
      }
    },
  };
}
