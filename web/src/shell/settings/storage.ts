/** Preferences of the reader, stored in the browser. */

import { effect, signal, type Signal } from "@preact/signals";

const PREFIX = "taisai.";

/** A stored preference; without storage it lasts until the page is closed. */
export function stored<Value extends string>(
  name: string,
  values: readonly Value[],
  first: () => Value,
): Signal<Value> {
  const known = values.find((value) => value === recall(name));
  const value = signal<Value>(known ?? first());
  let before = value.peek();
  effect(() => {
    // Only a person's choice is stored: the default may be a better guess next time.
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
    // In a private window or with a full disk the preference lasts until the page is closed.
  }
}
