/** The two themes of a screen: dark, and bright. */

import { effect } from "@preact/signals";

import { stored } from "./storage.ts";

export type Theme = "dark" | "bright";

/** A casino is dark: bright is a choice, and the first one of whoever asks for contrast in light. */
const WANTS_BRIGHT = "(prefers-color-scheme: light) and (prefers-contrast: more)";

/** The theme of the screen. */
export const theme = stored<Theme>("theme", ["dark", "bright"], () =>
  matchMedia(WANTS_BRIGHT).matches ? "bright" : "dark",
);

/** Have the page follow the theme; gives what ends that. */
export function applyTheme(): () => void {
  return effect(() => {
    const { documentElement: page } = document;
    page.dataset["theme"] = theme.value;
    // The browser's own frame takes the colour of the theme.
    const colour = getComputedStyle(page).getPropertyValue("--ground").trim();
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", colour);
  });
}
