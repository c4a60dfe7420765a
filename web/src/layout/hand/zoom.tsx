/** Zoom for a layout that does not fit: one finger pans it; two fingers or buttons zoom it. */

import { useSignal, type ReadonlySignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { useBeyond } from "./beyond.tsx";
import { percent, useWords } from "../../words/words.ts";

const NEAREST = 2.5;
const STEP = 1.3;

type Place<T> = { readonly current: T | null };

export interface Zoom {
  readonly scroller: Place<HTMLDivElement>;
  readonly sheet: Place<HTMLDivElement>;
  readonly factor: Signal<number>;
  readonly to: (factor: number, x?: number, y?: number) => void;
  /** The factor at which the whole layout is visible. */
  readonly whole: () => number;
  /** The sides on which the layout continues out of view. */
  readonly beyond: ReturnType<typeof useBeyond>;
  /** Whether the layout, at its own size, would not fit even without the buttons. */
  readonly isCut: ReadonlySignal<boolean>;
}

function spread(touches: TouchList): number {
  const [one, two] = [touches[0], touches[1]];
  if (one === undefined || two === undefined) return 0;
  return Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
}

export function useZoom(): Zoom {
  const scroller = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const factor = useSignal(1);
  const whole = () => {
    const view = scroller.current;
    if (view === null || sheet.current === null) return 1;
    const { offsetWidth, offsetHeight } = sheet.current;
    const fits = Math.min(view.clientWidth / offsetWidth, view.clientHeight / offsetHeight);
    return Math.min(1, factor.peek() * fits);
  };
  /** Zoom so that the point of the layout under (x, y) of the view stays where it is. */
  const to = (wanted: number, x?: number, y?: number) => {
    const [view, layout] = [scroller.current, sheet.current];
    if (view === null || layout === null) return;
    const next = Math.min(NEAREST, Math.max(whole(), wanted));
    const [atX, atY] = [x ?? view.clientWidth / 2, y ?? view.clientHeight / 2];
    const left = ((view.scrollLeft + atX) * next) / factor.peek() - atX;
    const top = ((view.scrollTop + atY) * next) / factor.peek() - atY;
    layout.style.setProperty("--zoom", String(next));
    factor.value = next;
    view.scrollTo({ left, top, behavior: "instant" });
  };
  usePinch(scroller, factor, to);
  const beyond = useBeyond(scroller);
  const isCut = useCut(scroller, sheet, factor);
  return { scroller, sheet, factor, to, whole, beyond, isCut };
}

/** Whether the layout does not fit its place, not counting the zoom buttons. */
function useCut(
  scroller: Place<HTMLElement>,
  sheet: Place<HTMLElement>,
  factor: Signal<number>,
): ReadonlySignal<boolean> {
  const isCut = useSignal(false);
  useEffect(() => {
    const [view, layout] = [scroller.current, sheet.current];
    const around = view?.closest(".layout");
    if (view === null || layout === null || around == null) return;
    const measure = () => {
      if (factor.peek() !== 1) return;
      const isHigh = layout.offsetHeight > around.clientHeight + 1;
      isCut.value = isHigh || layout.offsetWidth > view.clientWidth + 1;
    };
    const sizes = new ResizeObserver(measure);
    for (const each of [view, layout, around]) sizes.observe(each);
    return () => sizes.disconnect();
  }, [scroller, sheet, factor]);
  return isCut;
}

/** Zoom the layout by two fingers, and not the page around it. */
function usePinch(scroller: Place<HTMLDivElement>, factor: Signal<number>, to: Zoom["to"]) {
  const zoomTo = useRef(to);
  zoomTo.current = to;
  useEffect(() => {
    const view = scroller.current;
    if (view === null) return;
    let began = { spread: 0, factor: 1 };
    const start = (event: TouchEvent) => {
      began = { spread: spread(event.touches), factor: factor.peek() };
    };
    const move = (event: TouchEvent) => {
      if (event.touches.length !== 2 || began.spread === 0) return;
      event.preventDefault();
      const edge = view.getBoundingClientRect();
      const [one, two] = [event.touches[0], event.touches[1]];
      const x = ((one?.clientX ?? 0) + (two?.clientX ?? 0)) / 2 - edge.left;
      const y = ((one?.clientY ?? 0) + (two?.clientY ?? 0)) / 2 - edge.top;
      zoomTo.current((began.factor * spread(event.touches)) / began.spread, x, y);
    };
    view.addEventListener("touchstart", start, { passive: true });
    view.addEventListener("touchmove", move, { passive: false });
    return () => {
      view.removeEventListener("touchstart", start);
      view.removeEventListener("touchmove", move);
    };
  }, [scroller, factor]);
}

/** The zoom buttons, shown if the layout does not fit or is zoomed. */
export function ZoomBar({ zoom }: { readonly zoom: Zoom }) {
  const t = useWords("layout");
  const factor = zoom.factor.value;
  if (!zoom.isCut.value && factor === 1) return null;
  return (
    <div class="layout-zoom" role="group" aria-label={t("zoom")}>
      <span class="layout-pan-hint">{t("pan_hint")}</span>
      <button type="button" onClick={() => zoom.to(zoom.whole())}>
        {t("whole_layout")}
      </button>
      <button type="button" aria-label={t("farther")} onClick={() => zoom.to(factor / STEP)}>
        −
      </button>
      <span class="layout-factor">{percent(factor, 0)}</span>
      <button type="button" aria-label={t("nearer")} onClick={() => zoom.to(factor * STEP)}>
        +
      </button>
    </div>
  );
}
