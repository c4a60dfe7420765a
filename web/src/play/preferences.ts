/** How a player wants the table shown; stored in the browser. */

import { computed, signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";

import { stored } from "../shell/settings/storage.ts";

const SWITCH = ["on", "off"] as const;

/** Which of the two views of the layout the player chose; empty until then. */
const chosenMode = stored("play.layout", ["fitting", "full", "easy"] as const, () => "fitting");
/** Windows too small for the whole layout: a phone, upright or on its side, or as small. */
const small = matchMedia("(max-width: 40rem), (max-height: 559px)");
const isSmall = signal(small.matches);
small.addEventListener("change", ({ matches }) => (isSmall.value = matches));

/** The view without a choice: a list of common boxes on a phone, otherwise the whole layout. */
export const layoutMode: ReadonlySignal<"full" | "easy"> = computed(() => {
  if (chosenMode.value !== "fitting") return chosenMode.value;
  return isSmall.value ? "easy" : "full";
});

/** Choose one of the two views of the layout. */
export function chooseMode(mode: "full" | "easy"): void {
  chosenMode.value = mode;
}

/** Whether each box shows its chance and the house's edge. */
export const chances = stored("play.chances", SWITCH, () => "off");
/** Whether each box shows what all players have on it. */
export const totals = stored("play.totals", SWITCH, () => "off");
/** Whether single letters are commands; users of speech input may switch this off [WCAG 2.1.4]. */
export const letters = stored("play.letters", SWITCH, () => "on");
