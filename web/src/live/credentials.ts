/**
 * What lets this tab in: a session of a demo, or the key of a Player Terminal.
 *
 * In a demo each tab may be somebody else, so what it has is its own and gone with it. The key of
 * a real terminal stays in the browser. Staff of a real venue have a cookie that no script reads.
 */

import { batch, signal, type ReadonlySignal } from "@preact/signals";

import type { TerminalKey } from "../protocol.ts";

const SESSION = "taisai.session";
const PIN = "taisai.pin";
const TERMINAL = "taisai.terminal";
/** `#terminal=TABLE/TERMINAL:KEY`, which a browser sends to nobody. */
const FRAGMENT = "#terminal=";

type Store = "tab" | "browser";

/** Kept for as long as the page is open, also where the browser keeps nothing. */
const here: Record<Store, Map<string, string>> = { tab: new Map(), browser: new Map() };

function storage(store: Store): Storage {
  return store === "tab" ? sessionStorage : localStorage;
}

function recall(store: Store, name: string): string | null {
  try {
    return storage(store).getItem(name) ?? here[store].get(name) ?? null;
  } catch {
    return here[store].get(name) ?? null;
  }
}

function put(store: Store, name: string, value: string | null): void {
  if (value === null) here[store].delete(name);
  else here[store].set(name, value);
  try {
    if (value === null) storage(store).removeItem(name);
    else storage(store).setItem(name, value);
  } catch {
    // A browser that keeps nothing has it until the page is closed.
  }
}

const session = signal<string | null>(recall("tab", SESSION));
const pin = signal<string | null>(recall("tab", PIN));

/** The token of the tab's own session, in a demo. */
export const tabSession: ReadonlySignal<string | null> = session;

/** The PIN with which the people of a demo approve, which it shows them. */
export const tabPin: ReadonlySignal<string | null> = pin;

export function storeSession(token: string | null, itsPin: string | null = null): void {
  put("tab", SESSION, token);
  put("tab", PIN, itsPin);
  batch(() => {
    session.value = token;
    pin.value = itsPin;
  });
}

/** Read `TABLE/TERMINAL:KEY`; a name has no colon, and a table's no slash. */
export function readTerminalKey(text: string): TerminalKey | null {
  const read = /^([^/:]+)\/([^:]+):([^:]+)$/.exec(text.trim());
  const [, table, terminal, key] = read ?? [];
  if (table === undefined || terminal === undefined || key === undefined) return null;
  return { table, terminal, key };
}

export function writeTerminalKey({ table, terminal, key }: TerminalKey): string {
  return `${table}/${terminal}:${key}`;
}

/** Keep the key of the terminal that this is: in the tab of a demo, or for good. */
export function storeTerminal(key: TerminalKey, store: Store): void {
  put(store, TERMINAL, writeTerminalKey(key));
}

/** The key of the terminal that this tab is, or this browser; one in the address is kept first. */
export function terminalKey(): TerminalKey | null {
  takeFragment();
  const stored = recall("tab", TERMINAL) ?? recall("browser", TERMINAL);
  return stored === null ? null : readTerminalKey(stored);
}

/** Be no terminal any more: what the tab is goes first, then what the browser is. */
export function forgetTerminal(): void {
  put(recall("tab", TERMINAL) === null ? "browser" : "tab", TERMINAL, null);
}

/** Take a key out of the address, so that it is in no history and nobody reads it off the screen. */
function takeFragment(): void {
  if (!location.hash.startsWith(FRAGMENT)) return;
  const given = readTerminalKey(decoded(location.hash.slice(FRAGMENT.length)));
  if (given !== null) {
    put("tab", TERMINAL, null);
    storeTerminal(given, "browser");
  }
  history.replaceState(history.state, "", location.pathname + location.search);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // It was not written as addresses are, and is no key either.
    return "";
  }
}
