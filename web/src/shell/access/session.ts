/** The session of this tab: who is logged in. */

import { effect, signal, type ReadonlySignal } from "@preact/signals";

import type { SessionView } from "../../answers.ts";
import { currentSession, logOut, tabSession } from "../../live/index.ts";
import { stored } from "../settings/storage.ts";

/** `asking` until the server has answered who is logged in; null for nobody. */
export type Session = SessionView | null | "asking";

const known = signal<Session>("asking");

/** Who is logged in. */
export const session: ReadonlySignal<Session> = known;

/** Whether staff of a real venue may be logged in here; scripts cannot see their cookie. */
const staffed = stored<"yes" | "no">("staffed", ["yes", "no"], () => "no");

/** Ask who is logged in, if anybody can be: a visitor's browser has no credentials. */
export async function greet(): Promise<void> {
  if (tabSession.peek() !== null || staffed.peek() === "yes") await askSession();
}

/** Ask the server again who is logged in; rejects with a Problem if it does not answer. */
export async function askSession(demo = false): Promise<SessionView | null> {
  // In a demo only the tab itself can have a session.
  const current = demo && tabSession.peek() === null ? null : await currentSession();
  known.value = current;
  if (current === null) staffed.value = "no";
  return current;
}

/** Store a session that has begun. */
export function beginSession(begun: SessionView): void {
  known.value = begun;
  // A demo's session is stored in the tab already.
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
  // The tab's session has ended, so nobody is logged in.
  if (tabSession.value === null && wasOfTab) known.value = null;
  wasOfTab = tabSession.value !== null;
});
