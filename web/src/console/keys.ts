/** The keyboard of the console: what a key does, and where it is somebody else's. */

import { useEffect } from "preact/hooks";

import { stored } from "../shell/settings/storage.ts";

/** Whether single keys act; who speaks to the machine, or types with trouble, switches them off. */
export const keys = stored<"on" | "off">("console-keys", ["on", "off"], () => "on");

/** What takes the keys 1 to 6, and Enter, in place of the entry terminal. */
export interface Taker {
  readonly face: (face: number) => void;
  readonly enter: () => void;
}

/** What the keys of the console do. */
export interface Keys {
  readonly next: () => void;
  readonly entry: () => void;
  readonly face: (face: number) => void;
  readonly bell: () => void;
  readonly help: () => void;
  readonly cancel: () => void;
  /** What a key means before all these, where a table has keys of its own. */
  readonly first?: (key: string) => (() => void) | null;
}

/** Whether somebody types there, or is asked something before everything else. */
function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector("dialog[open]") !== null) return true;
  return target instanceof HTMLElement && target.closest("input, textarea, select") !== null;
}

/** A control in focus that a key presses. */
function pressed(target: EventTarget | null, key: string): HTMLElement | null {
  if (key !== " " && key !== "Enter") return null;
  return target instanceof HTMLElement ? target.closest<HTMLElement>("button, a, summary") : null;
}

/** What a key means, or null where it means nothing. */
export function meaning(key: string, does: Keys): (() => void) | null {
  const first = does.first?.(key) ?? null;
  if (first !== null) return first;
  if (/^[1-6]$/.test(key)) return () => does.face(Number(key));
  switch (key) {
    case " ":
      return does.next;
    case "Enter":
      return does.entry;
    case "b":
    case "B":
      return does.bell;
    case "?":
      return does.help;
    case "Escape":
      return does.cancel;
    default:
      return null;
  }
}

/**
 * Have the keyboard act as long as the console is shown.
 *
 * Whoever went to a button with the keyboard presses that button. Whoever touched it with a finger
 * or a mouse left the focus behind without meaning to: for them the space bar is the next step.
 */
export function useKeys(does: Keys): void {
  useEffect(() => {
    let byPointer = true;
    const touched = (): void => {
      byPointer = true;
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Tab" || event.key.startsWith("Arrow")) byPointer = false;
      const other = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
      if (keys.value === "off" || other || isTyping(event.target)) return;
      const control = pressed(event.target, event.key);
      if (control !== null && !byPointer) return;
      const act = meaning(event.key, does);
      if (act === null) return;
      event.preventDefault();
      control?.blur();
      // A key held down is one press: a result is not entered twice by a heavy hand.
      if (!event.repeat) act();
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("pointerdown", touched, true);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("pointerdown", touched, true);
    };
  }, [does]);
}
