/** Where one is in each channel: what comes next, what is old news, and what shows a gap. */

import type { Private, Public, Staff } from "../../protocol.ts";

export type Verdict = "next" | "old" | "gap";

/** Compare the newest sequence one has with what a message follows and brings one to. */
export function judge(mine: number | null, message: Public | Private): Verdict {
  if (mine === null || message.after > mine) return "gap";
  return message.sequence > mine ? "next" : "old";
}

/** The staff's channels, which begin with the next thing that happens, whatever was before. */
export class StaffChannels {
  #newest = new Map<string, number>();

  isNews(message: Staff): boolean {
    if (message.sequence <= (this.#newest.get(message.to) ?? -1)) return false;
    this.#newest.set(message.to, message.sequence);
    return true;
  }

  leave(to: string): void {
    this.#newest.delete(to);
  }
}
