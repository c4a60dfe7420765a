/** Sequences of a channel: tells the next message from an old one and from a gap. */

import type { Private, Public } from "../../protocol.ts";

export type Verdict = "next" | "old" | "gap";

/** Compare the client's newest sequence with those a message follows (`after`) and leads to. */
export function judge(mine: number | null, message: Public | Private): Verdict {
  if (mine === null || message.after > mine) return "gap";
  return message.sequence > mine ? "next" : "old";
}
