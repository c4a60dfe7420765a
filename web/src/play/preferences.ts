/** How a player wants the table shown; the browser remembers it. */

import { stored } from "../shell/settings/storage.ts";

const SWITCH = ["on", "off"] as const;

/** A phone begins with the common boxes as a list; where there is room, with the whole layout. */
export const layoutMode = stored<"full" | "easy">("play.layout", ["full", "easy"], () =>
  matchMedia("(max-width: 40rem)").matches ? "easy" : "full",
);
/** Whether each box shows its chance and the house's edge. */
export const chances = stored("play.chances", SWITCH, () => "off");
/** Whether each box shows what all players have on it. */
export const totals = stored("play.totals", SWITCH, () => "off");
/** Whether single letters are commands; some who speak to their machine want none [WCAG 2.1.4]. */
export const letters = stored("play.letters", SWITCH, () => "on");
