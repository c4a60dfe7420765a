/** How a player wants the table shown; the browser remembers it. */

import { computed, signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";

import { stored } from "../shell/settings/storage.ts";

const SWITCH = ["on", "off"] as const;

/** What the player chose of the two ways to show the layout; nothing, until then. */
const chosenMode = stored("play.layout", ["fitting", "full", "easy"] as const, () => "fitting");
/** Too little for the whole layout: a phone, standing or lying, or a window as small. */
const small = matchMedia("(max-width: 40rem), (max-height: 559px)");
const isSmall = signal(small.matches);
small.addEventListener("change", ({ matches }) => (isSmall.value = matches));

/** A phone shows the common boxes as a list; where there is room, the whole layout is shown. */
export const layoutMode: ReadonlySignal<"full" | "easy"> = computed(() => {
  if (chosenMode.value !== "fitting") return chosenMode.value;
  return isSmall.value ? "easy" : "full";
});

/** Show the layout in one of the two ways from now on. */
export function chooseMode(mode: "full" | "easy"): void {
  chosenMode.value = mode;
}

/** Whether each box shows its chance and the house's edge. */
export const chances = stored("play.chances", SWITCH, () => "off");
/** Whether each box shows what all players have on it. */
export const totals = stored("play.totals", SWITCH, () => "off");
/** Whether single letters are commands; some who speak to their machine want none [WCAG 2.1.4]. */
export const letters = stored("play.letters", SWITCH, () => "on");
