/**
 * The number of the newest checkpoint that this browser has received.
 *
 * Every Hello sends it to the venue. A venue whose journal ends before it has lost records, and
 * its pit is notified which client noticed.
 */

const NAME = "taisai.checkpoint";

/** Stored here as long as the page is open, in case the browser's storage is switched off. */
let newest = 0;

export function seenCheckpoint(): number | null {
  try {
    const kept = Number(localStorage.getItem(NAME));
    if (Number.isSafeInteger(kept)) newest = Math.max(newest, kept);
  } catch {
    // Without storage the number lasts until the page is closed.
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

/** A venue that ends before the checkpoint this browser has seen: both numbers. */
export interface Behind {
  readonly seen: number;
  readonly ends: number;
}

/** Compare a venue's checkpoint with the newest one seen, and store the newer of the two. */
export function compareCheckpoint(number: number): Behind | null {
  const seen = seenCheckpoint() ?? 0;
  noteCheckpoint(number);
  return number < seen ? { seen, ends: number } : null;
}

/** For tests: forget the checkpoint, as in a new browser. */
export function forgetCheckpoint(): void {
  newest = 0;
  localStorage.removeItem(NAME);
}
