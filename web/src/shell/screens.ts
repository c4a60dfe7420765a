/** Each screen with its part of the bundle and its words, which are loaded when it is shown. */

import type { ComponentType } from "preact";

import type { VenueView } from "../answers.ts";
import { loadWords, type Area } from "../words/words.ts";
import type { Screen } from "./router.ts";

interface Source {
  readonly words: readonly Area[];
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

const SOURCES: Readonly<Record<Screen, Source>> = {
  lobby: { words: ["lobby", "layout"], load: () => import("../lobby/index.tsx") },
  play: { words: ["play", "layout", "roads"], load: () => import("../play/index.tsx") },
  console: { words: ["console", "layout"], load: () => import("../console/index.tsx") },
  pit: { words: ["pit", "console", "layout", "roads"], load: () => import("../pit/index.tsx") },
  cage: { words: ["cage", "slips", "pit", "console", "layout"], load: () => import("../cage/index.tsx") },
  display: { words: ["display", "layout", "roads"], load: () => import("../display/index.tsx") },
  audit: { words: ["audit", "layout"], load: () => import("../audit/index.tsx") },
  house: { words: ["house", "pit", "console", "layout"], load: () => import("../house/index.tsx") },
};

/** Load the founding, the screen of a house that waits for its first two persons. */
export async function loadFounding(): Promise<ComponentType<{ readonly venue: VenueView }>> {
  const [module] = await Promise.all([import("../house/founding/founding.tsx"), loadWords("house")]);
  return module.default;
}

/** Load a screen and its words in parallel. */
export async function loadScreen(screen: Screen): Promise<ComponentType> {
  const { words, load } = SOURCES[screen];
  const [module] = await Promise.all([load(), loadWords(...words)]);
  return module.default;
}
