/**
 * The newest checkpoint that this browser was ever told of.
 *
 * It is said again with every Hello: a venue that ends before it has lost what it had, and its pit
 * is told by whom that was noticed.
 */

const NAME = "taisai.checkpoint";

/** Kept for as long as the page is open, also where the browser keeps nothing. */
let newest = 0;

export function seenCheckpoint(): number | null {
  try {
    const kept = Number(localStorage.getItem(NAME));
    if (Number.isSafeInteger(kept)) newest = Math.max(newest, kept);
  } catch {
    // A browser that keeps nothing remembers while the page is open.
  }
  return newest > 0 ? newest : null;
}

export function noteCheckpoint(number: number): void {
  if (number <= (seenCheckpoint() ?? 0)) return;
  newest = number;
  try {
    localStorage.setItem(NAME, String(number));
  } catch {
    // As above.
  }
}

/** A venue that ends before what this browser was told of: by how much. */
export interface Behind {
  readonly seen: number;
  readonly ends: number;
}

/** Compare what a venue has with what was seen, and remember the newer of the two. */
export function compareCheckpoint(number: number): Behind | null {
  const seen = seenCheckpoint() ?? 0;
  noteCheckpoint(number);
  return number < seen ? { seen, ends: number } : null;
}

/** For tests: as in a browser that was never here. */
export function forgetCheckpoint(): void {
  newest = 0;
  localStorage.removeItem(NAME);
}
