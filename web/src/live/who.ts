/** Who this tab is: somebody on the staff, a Player Terminal, or a visitor. */

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

/** Be on the staff of a demo, in this tab alone. */
export async function demoStaff(role: Role): Promise<SessionView> {
  return begun(await post<LoggedIn>("/api/demo/staff", { role }));
}

/** Take a seat in a demo, in this tab alone; without a table, at the emptiest. */
export async function demoSeat(table?: string): Promise<TerminalKey> {
  const taken = await post<DemoTerminal>("/api/demo/terminals", { table: table ?? null });
  const key = { table: taken.table, terminal: taken.terminal, key: taken.key };
  storeTerminal(key, "tab");
  return key;
}

/** Log in as somebody on the staff, in one of their roles. */
export async function logIn(person: string, password: string, role: Role): Promise<SessionView> {
  return begun(await post<LoggedIn>("/api/sessions", { person, password, role }));
}

/** Log out; a session that is over already is no trouble. */
export async function logOut(): Promise<void> {
  try {
    await del<undefined>("/api/sessions/current");
  } catch (error) {
    if (!isNobody(error)) throw error;
  }
  storeSession(null);
}

/** Who is logged in here; null: nobody. Asking counts as doing something, and keeps a session. */
export async function currentSession(): Promise<SessionView | null> {
  try {
    return await get<SessionView>("/api/sessions/current");
  } catch (error) {
    if (isNobody(error)) return null;
    throw error;
  }
}

/** A demo answers with a token, which is the tab's; any other server sets a cookie. */
function begun(answer: LoggedIn): SessionView {
  storeSession(answer.token, answer.pin);
  return answer.session;
}

function isNobody(error: unknown): boolean {
  return error instanceof Problem && error.status === 401;
}
