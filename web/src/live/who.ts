/** Logs this tab in as staff or as a Player Terminal, and out; else it is a visitor. */

import type { DemoTerminal, LoggedIn, SessionView } from "../answers.ts";
import type { Role, TerminalKey } from "../protocol.ts";
import { storeSession, storeTerminal } from "./credentials.ts";
import { del, get, post, Problem } from "./http.ts";

export {
  forgetTerminal,
  storeTerminal,
  readTerminalKey,
  tabPin,
  tabSession,
  terminalKey,
} from "./credentials.ts";

/** Log in as staff of a demo, in this tab only. */
export async function demoStaff(role: Role): Promise<SessionView> {
  return begun(await post<LoggedIn>("/api/demo/staff", { role }));
}

/** Take a seat in a demo, in this tab only; without a table, at the emptiest one. */
export async function demoSeat(table?: string): Promise<TerminalKey> {
  const taken = await post<DemoTerminal>("/api/demo/terminals", { table: table ?? null });
  const key = { table: taken.table, terminal: taken.terminal, key: taken.key };
  storeTerminal(key, "tab");
  return key;
}

/** Log in as a member of staff, in one of their roles. */
export async function logIn(person: string, password: string, role: Role): Promise<SessionView> {
  return begun(await post<LoggedIn>("/api/sessions", { person, password, role }));
}

/** Log out; a session that has already ended is no error. */
export async function logOut(): Promise<void> {
  try {
    await del<undefined>("/api/sessions/current");
  } catch (error) {
    if (!isNobody(error)) throw error;
  }
  storeSession(null);
}

/** The person logged in here, or null. The request counts as activity, which keeps a session. */
export async function currentSession(): Promise<SessionView | null> {
  try {
    return await get<SessionView>("/api/sessions/current");
  } catch (error) {
    if (isNobody(error)) return null;
    throw error;
  }
}

/** A demo answers with a token for this tab; any other server sets a cookie. */
function begun(answer: LoggedIn): SessionView {
  storeSession(answer.token, answer.pin);
  return answer.session;
}

function isNobody(error: unknown): boolean {
  return error instanceof Problem && error.status === 401;
}
