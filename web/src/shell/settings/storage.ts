/** What a browser remembers of a reader's own wishes. */

import { effect, signal, type Signal } from "@preact/signals";

const PREFIX = "taisai.";

/** A wish that is remembered; a browser that keeps nothing holds it until the page is closed. */
export function kept<Wish extends string>(
  name: string,
  wishes: readonly Wish[],
  first: () => Wish,
): Signal<Wish> {
  const known = wishes.find((wish) => wish === recall(name));
  const wish = signal<Wish>(known ?? first());
  let before = wish.peek();
  effect(() => {
    // Only what a person chose is remembered: a first guess may be a better one next time.
    if (wish.value !== before) remember(name, wish.value);
    before = wish.value;
  });
  return wish;
}

function recall(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

function remember(name: string, wish: string): void {
  try {
    localStorage.setItem(PREFIX + name, wish);
  } catch {
    // Private windows and full disks: the wish holds for now.
  }
}
