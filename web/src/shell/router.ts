/** The router: finds the screen of an address, and changes screens without loading the page. */

import { signal, type ReadonlySignal } from "@preact/signals";

export const SCREENS = ["lobby", "play", "console", "pit", "cage", "display", "audit", "house"] as const;
export type Screen = (typeof SCREENS)[number];

export interface Here {
  /** The screen, or null if the address has none. */
  readonly screen: Screen | null;
  readonly query: URLSearchParams;
}

/** Read an address. */
export function readAddress(address: URL): Here {
  const path = address.pathname.replace(/(.)\/$/, "$1");
  const screen = path === "/" ? "lobby" : SCREENS.find((each) => each !== "lobby" && path === `/${each}`);
  return { screen: screen ?? null, query: address.searchParams };
}

const current = signal<Here>(readAddress(new URL(location.href)));

/** The present address. */
export const here: ReadonlySignal<Here> = current;

/** The address of a screen, for a table if one is given. */
export function addressOf(screen: Screen, table?: string): string {
  const path = screen === "lobby" ? "/" : `/${screen}`;
  return table === undefined ? path : `${path}?${new URLSearchParams({ table })}`;
}

/** Screens whose pages have permissions that others lack: only one document may use the camera. */
const APART: ReadonlySet<Screen | null> = new Set(["cage"]);

/** Whether an address is loaded as a new page, because its headers give other permissions. */
function isApart(to: URL): boolean {
  const [from, there] = [current.peek().screen, readAddress(to).screen];
  return from !== there && (APART.has(from) || APART.has(there));
}

/** Go to an address of the server. */
export function go(address: string, how: "push" | "replace" = "push"): void {
  const to = new URL(address, location.href);
  if (isApart(to)) {
    location[how === "push" ? "assign" : "replace"](to);
    return;
  }
  if (how === "push") history.pushState(null, "", to);
  else history.replaceState(null, "", to);
  current.value = readAddress(to);
}

function follow(event: MouseEvent): void {
  // The browser handles a click with a key held or another button: a new tab, a download.
  const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!plain || event.defaultPrevented || link === null || !link.href) return;
  const to = new URL(link.href);
  const ours = to.origin === location.origin && readAddress(to).screen !== null;
  if (!ours || isApart(to) || link.target !== "" || link.hasAttribute("download")) return;
  if (to.hash !== "" && to.pathname === location.pathname && to.search === location.search) return;
  event.preventDefault();
  go(to.href);
  scrollTo(0, 0);
}

/** Make links, back and forward change the screen; returns a function that ends this. */
export function startRouter(): () => void {
  const moved = (): void => {
    current.value = readAddress(new URL(location.href));
  };
  document.addEventListener("click", follow);
  addEventListener("popstate", moved);
  return () => {
    document.removeEventListener("click", follow);
    removeEventListener("popstate", moved);
  };
}
