/** Who is logged in at this tab, for whatever shows it. */

import { effect, signal, type ReadonlySignal } from "@preact/signals";

import type { SessionView } from "../../answers.ts";
import { currentSession, logOut, tabSession } from "../../live/index.ts";
import { stored } from "../settings/storage.ts";

/** `asking` until the server has said who is logged in; null: nobody is. */
export type Session = SessionView | null | "asking";

const known = signal<Session>("asking");

/** Who is logged in. */
export const session: ReadonlySignal<Session> = known;

/** Whether staff of a real venue log in with this browser; no script can see their cookie. */
const staffed = stored<"yes" | "no">("staffed", ["yes", "no"], () => "no");

/** Ask who is logged in where somebody may be: a visitor's browser has nothing to ask with. */
export async function greet(): Promise<void> {
  if (tabSession.peek() !== null || staffed.peek() === "yes") await askSession();
}

/** Ask the server anew who is logged in; rejects with a Problem where it does not answer. */
export async function askSession(demo = false): Promise<SessionView | null> {
  // In a demo a session is the tab's own, or there is none.
  const current = demo && tabSession.peek() === null ? null : await currentSession();
  known.value = current;
  if (current === null) staffed.value = "no";
  return current;
}

/** Take in a session that has begun. */
export function beginSession(begun: SessionView): void {
  known.value = begun;
  // A demo's session is the tab's own, and known by that.
  if (tabSession.peek() === null) staffed.value = "yes";
}

/** Log out of this tab. */
export async function endSession(): Promise<void> {
  await logOut();
  staffed.value = "no";
  known.value = null;
}

let wasOfTab = false;

effect(() => {
  // A session of the tab that turned out to be over is nobody's.
  if (tabSession.value === null && wasOfTab) known.value = null;
  wasOfTab = tabSession.value !== null;
});
