/** Where one is in each channel: what comes next, what is old news, and what shows a gap. */

import type { Private, Public } from "../../protocol.ts";

export type Verdict = "next" | "old" | "gap";

/** Compare the newest sequence one has with what a message follows and brings one to. */
export function judge(mine: number | null, message: Public | Private): Verdict {
  if (mine === null || message.after > mine) return "gap";
  return message.sequence > mine ? "next" : "old";
}
