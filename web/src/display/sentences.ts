/** The state of the table in words. */

import type { Words } from "../words/words.ts";
import type { Matter } from "./table_feed.ts";

const HEADINGS = {
  shut: "scene_shut",
  idle: "scene_idle",
  tumbled: "scene_tumbled",
  betting: "scene_betting",
  closed: "scene_closed",
  result: "scene_result",
  lit: "scene_lit",
  collect: "scene_lit",
  pay: "scene_lit",
  over: "scene_over",
  paying: "scene_paying",
  void: "scene_void",
  suspended: "scene_suspended",
  stopped: "scene_stopped",
  waiting: "scene_waiting",
  in_doubt: "scene_in_doubt",
} as const;

/** The sign of each state, so that its shape is enough to know it: round to bet, square to stop. */
const SIGNS: Readonly<Record<Matter, string>> = {
  shut: "✕",
  idle: "○",
  tumbled: "○",
  betting: "●",
  closed: "■",
  result: "◇",
  lit: "◆",
  collect: "◆",
  pay: "◆",
  over: "◆",
  paying: "■",
  void: "∅",
  suspended: "✕",
  stopped: "✕",
  waiting: "◷",
  in_doubt: "◷",
};

/** The last seconds, which are shown one by one. */
export const LAST_SECONDS = 5;

export function headingOf(t: Words<"display">, matter: Matter, seconds: number | null): string {
  const isLast = matter === "betting" && seconds !== null && seconds <= LAST_SECONDS;
  return t(isLast ? "scene_last" : HEADINGS[matter]);
}

export function signOf(matter: Matter): string {
  return SIGNS[matter];
}
