/** Drags a chip from the tray onto the layout; keyboard users choose a chip and press a box. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { Chip } from "../chips/chip.tsx";

/** Dispatched on the area a chip is dropped on, before the screen gets the drop. */
export const PLACED = "layout-placed";

/** How far a finger must move to begin a drag, in pixels. */
const SLACK = 6;

interface ChipDrag {
  /** The handlers of a chip of the tray, besides its click; `chip` is its amount in minor units. */
  readonly handlers: (chip: number) => Pick<
    JSX.HTMLAttributes<HTMLButtonElement>,
    "onPointerDown" | "onPointerMove" | "onPointerUp" | "onPointerCancel" | "onClickCapture"
  >;
  /** The dragged chip; to be rendered anywhere in the screen. */
  readonly ghost: JSX.Element;
  /** The class for each chip of the tray: a finger on it drags, and does not scroll. */
  readonly className: "chip-carry";
}

interface Carried {
  readonly pointer: number;
  readonly x: number;
  readonly y: number;
  moving: boolean;
  over: HTMLElement | null;
}

function areaAt(x: number, y: number): HTMLElement | null {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>("button[data-box]") ?? null;
}

function leave(carried: Carried) {
  carried.over?.removeAttribute("data-over");
}

export function useChipDrag(onDrop: (box: string, chip: number) => void): ChipDrag {
  const held = useRef<Carried | null>(null);
  const dropped = useRef(false);
  const hand = useRef<HTMLSpanElement>(null);
  const chipHeld = useSignal<number | null>(null);
  useEffect(() => () => {
    if (held.current !== null) leave(held.current);
  }, []);

  /** Move the ghost by its style, so that a drag renders nothing. */
  const follow = (event: PointerEvent, carried: Carried) => {
    const { clientX: x, clientY: y } = event;
    hand.current?.style.setProperty("transform", `translate(${x}px, ${y}px)`);
    const over = areaAt(x, y);
    if (over === carried.over) return;
    leave(carried);
    over?.setAttribute("data-over", "");
    carried.over = over;
  };

  const handlers = (chip: number): ReturnType<ChipDrag["handlers"]> => ({
    onPointerDown: (event) => {
      dropped.current = false;
      if (event.button !== 0) return;
      const { pointerId: pointer, clientX: x, clientY: y } = event;
      // From here on the chip receives all moves, even if the mouse leaves it in one jump.
      event.currentTarget.setPointerCapture(pointer);
      held.current = { pointer, x, y, moving: false, over: null };
    },
    onPointerMove: (event) => {
      const carried = held.current;
      if (carried === null || carried.pointer !== event.pointerId) return;
      const far = Math.hypot(event.clientX - carried.x, event.clientY - carried.y);
      if (!carried.moving && far < SLACK) return;
      if (!carried.moving) {
        carried.moving = true;
        chipHeld.value = chip;
      }
      follow(event, carried);
    },
    onPointerUp: (event) => {
      const carried = held.current;
      held.current = null;
      if (carried === null || !carried.moving) return;
      chipHeld.value = null;
      dropped.current = true;
      leave(carried);
      const area = areaAt(event.clientX, event.clientY);
      const box = area?.dataset["box"];
      if (area === null || box === undefined) return;
      area.dispatchEvent(new CustomEvent(PLACED, { bubbles: true }));
      onDrop(box, chip);
    },
    onPointerCancel: () => {
      if (held.current !== null) leave(held.current);
      held.current = null;
      chipHeld.value = null;
    },
    // The click at the end of a drag is not a press on the tray.
    onClickCapture: (event) => {
      if (!dropped.current) return;
      dropped.current = false;
      event.stopPropagation();
      event.preventDefault();
    },
  });

  const ghost = (
    <span ref={hand} class="chip-ghost" hidden={chipHeld.value === null} aria-hidden="true">
      {chipHeld.value !== null && <Chip amount={chipHeld.value} denomination={chipHeld.value} />}
    </span>
  );
  return { handlers, ghost, className: "chip-carry" };
}
