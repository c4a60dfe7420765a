/** The two rooms a screen can stand in: dark, and bright. */

import { effect } from "@preact/signals";

import { kept } from "./storage.ts";

export type Room = "dark" | "bright";

/** A casino is dark: bright is a choice, and the first one of whoever asks for contrast in light. */
const WANTS_BRIGHT = "(prefers-color-scheme: light) and (prefers-contrast: more)";

/** The room of the screen. */
export const room = kept<Room>("room", ["dark", "bright"], () =>
  matchMedia(WANTS_BRIGHT).matches ? "bright" : "dark",
);

/** Have the page follow the room; gives what ends that. */
export function enterRoom(): () => void {
  return effect(() => {
    const { documentElement: page } = document;
    page.dataset["room"] = room.value;
    // The browser's own frame takes the colour of the room.
    const colour = getComputedStyle(page).getPropertyValue("--room").trim();
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", colour);
  });
}
