/** Opens the details of a box beside its area. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { BoxDetails } from "./details.tsx";
import type { LayoutProps } from "./types.ts";

type DetailsPopupProps = Pick<LayoutProps, "layout" | "odds" | "boxes" | "limits"> & {
  readonly root: { readonly current: HTMLElement | null };
  readonly details: NonNullable<LayoutProps["details"]>;
};

/** Render again when the window's size changes, since areas then move. */
function useSizes(): void {
  const turns = useSignal(0);
  turns.value satisfies number;
  useEffect(() => {
    const turned = (): void => {
      turns.value += 1;
    };
    addEventListener("resize", turned);
    return () => removeEventListener("resize", turned);
  }, [turns]);
}

/** The details of the chosen box, beside its area. */
export function DetailsPopup({ root, layout, odds, boxes, limits, details }: DetailsPopupProps) {
  useSizes();
  const box = details.value;
  const area = layout.areas.find((each) => each.box === box);
  const known = odds.boxes.find((each) => each.box === box);
  if (box === null || area === undefined || known === undefined) return null;
  const anchor = root.current?.querySelector<HTMLElement>(
    `button[data-box="${box}"][tabindex="0"], button[data-box="${box}"]`,
  );
  const close = () => {
    const within = root.current?.querySelector(".details")?.contains(document.activeElement);
    details.value = null;
    if (within === true) anchor?.focus({ preventScroll: true });
  };
  return (
    <BoxDetails
      area={area}
      odds={known}
      rulebook={odds.rulebook}
      marks={boxes(box)}
      limits={limits?.(box) ?? null}
      style={beside(root.current, anchor ?? null)}
      onClose={close}
    />
  );
}

/** A place beside an area: on the side with more room, and never above the layout's top. */
function beside(layout: HTMLElement | null, anchor: HTMLElement | null): Record<string, string> {
  if (layout === null || anchor === null) return {};
  const frame = layout.getBoundingClientRect();
  const area = anchor.getBoundingClientRect();
  const onRight = area.left + area.width / 2 < frame.left + frame.width / 2;
  const across = onRight ? area.right - frame.left + 8 : frame.right - area.left + 8;
  const below = area.top + area.height / 2 < frame.top + frame.height / 2;
  const down = below ? area.top - frame.top : frame.bottom - area.bottom;
  return {
    [onRight ? "left" : "right"]: `min(${Math.max(8, across)}px, 100% - 21.5rem)`,
    [below ? "top" : "bottom"]: `${Math.max(8, down)}px`,
  };
}
