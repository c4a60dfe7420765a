/** The keys of the console: what each does, and when a key belongs to another control. */

import { useEffect } from "preact/hooks";

import { stored } from "../shell/settings/storage.ts";

/** Whether single keys act; users of speech input, or with typing difficulties, turn them off. */
export const keys = stored<"on" | "off">("console-keys", ["on", "off"], () => "on");

/** A form that receives keys 1 to 6 and Enter instead of the entry terminal. */
export interface Taker {
  readonly face: (face: number) => void;
  readonly enter: () => void;
}

/** The actions of the console's keys. */
export interface Keys {
  readonly next: () => void;
  readonly entry: () => void;
  readonly face: (face: number) => void;
  readonly bell: () => void;
  readonly help: () => void;
  readonly cancel: () => void;
  /** Actions of a table's own keys, which come before all others. */
  readonly first?: (key: string) => (() => void) | null;
}

/** Whether a key goes into a field, or a dialog is open. */
function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector("dialog[open]") !== null) return true;
  return target instanceof HTMLElement && target.closest("input, textarea, select") !== null;
}

/** The focused control that this key would press. */
function pressed(target: EventTarget | null, key: string): HTMLElement | null {
  if (key !== " " && key !== "Enter") return null;
  return target instanceof HTMLElement ? target.closest<HTMLElement>("button, a, summary") : null;
}

/** The action of a key, or null if it has none. */
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
 * Handle keys as long as the console is shown.
 *
 * The space bar presses a button that got its focus by the keyboard. A finger or a mouse leaves the
 * focus on a button by accident: after that the space bar is the next step.
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
      // A key held down counts once, so that a result is not entered twice.
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
