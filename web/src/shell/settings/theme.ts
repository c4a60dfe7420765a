/** The two themes of a screen: dark, and bright. */

import { effect } from "@preact/signals";

import { stored } from "./storage.ts";

export type Theme = "dark" | "bright";

/** Dark by default, as a casino is; bright for readers whose system asks for light contrast. */
const WANTS_BRIGHT = "(prefers-color-scheme: light) and (prefers-contrast: more)";

/** The theme of the screen. */
export const theme = stored<Theme>("theme", ["dark", "bright"], () =>
  matchMedia(WANTS_BRIGHT).matches ? "bright" : "dark",
);

/** Apply the theme to the page; returns a function that ends this. */
export function applyTheme(): () => void {
  return effect(() => {
    const { documentElement: page } = document;
    page.dataset["theme"] = theme.value;
    // The browser's own bars take the colour of the theme.
    const colour = getComputedStyle(page).getPropertyValue("--ground").trim();
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", colour);
  });
}
