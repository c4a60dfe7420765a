/**
 * This tab's credentials: a session of a demo, or the key of a Player Terminal.
 *
 * In a demo each tab may be another person, so its credentials are stored for the tab alone. The
 * key of a real terminal stays in the browser. Staff of a real venue have a cookie that no script
 * reads.
 */

import { batch, signal, type ReadonlySignal } from "@preact/signals";

import type { TerminalKey } from "../protocol.ts";

const SESSION = "taisai.session";
const PIN = "taisai.pin";
const TERMINAL = "taisai.terminal";
/** `#terminal=TABLE/TERMINAL:KEY`, a part of the address that browsers never send. */
const FRAGMENT = "#terminal=";

type Store = "tab" | "browser";

/** Stored here as long as the page is open, in case the browser's storage is switched off. */
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
    // Without storage it lasts until the page is closed.
  }
}

const session = signal<string | null>(recall("tab", SESSION));
const pin = signal<string | null>(recall("tab", PIN));

/** The token of this tab's session, in a demo. */
export const tabSession: ReadonlySignal<string | null> = session;

/** The PIN for approvals in a demo, which the demo shows to its users. */
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

/** Store the terminal's key: in this tab in a demo, otherwise in the browser for good. */
export function storeTerminal(key: TerminalKey, store: Store): void {
  put(store, TERMINAL, writeTerminalKey(key));
}

/** The terminal key of this tab, or else of this browser; a key in the address is stored first. */
export function terminalKey(): TerminalKey | null {
  takeFragment();
  const stored = recall("tab", TERMINAL) ?? recall("browser", TERMINAL);
  return stored === null ? null : readTerminalKey(stored);
}

/** Delete the terminal key: the tab's if it has one, otherwise the browser's. */
export function forgetTerminal(): void {
  put(recall("tab", TERMINAL) === null ? "browser" : "tab", TERMINAL, null);
}

/** Remove a key from the address, so that it is neither in the history nor on the screen. */
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
    // It is not encoded as addresses are, so it is no key.
    return "";
  }
}
