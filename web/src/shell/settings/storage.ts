/** What a browser remembers of a reader's own preferences. */

import { effect, signal, type Signal } from "@preact/signals";

const PREFIX = "taisai.";

/** A preference that is stored; where the browser stores nothing it lasts until the page is closed. */
export function stored<Value extends string>(
  name: string,
  values: readonly Value[],
  first: () => Value,
): Signal<Value> {
  const known = values.find((value) => value === recall(name));
  const value = signal<Value>(known ?? first());
  let before = value.peek();
  effect(() => {
    // Only what a person chose is remembered: a first guess may be a better one next time.
    if (value.value !== before) remember(name, value.value);
    before = value.value;
  });
  return value;
}

function recall(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

function remember(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Private windows and full disks: the preference holds for now.
  }
}
