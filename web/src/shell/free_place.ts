/** Finds a place on the page for a notice that covers no control. */

export interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex='-1'])";
/** Widths to try: the best to read a sentence in, and the narrowest that can be read. */
const WIDTHS = [560, 340, 240];
const MARGIN = 8;
const STEP = 16;

/** Find a free place, from the bottom upwards; null if there is none. */
export function freePlace(shown: HTMLElement): Place | null {
  const controls = [...document.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    (each) => !shown.contains(each) && each.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
  );
  const taken = controls.map((each) => each.getBoundingClientRect()).filter((box) => box.width > 1 && box.height > 1);
  for (const most of WIDTHS) {
    const width = Math.min(most, innerWidth - 2 * MARGIN);
    const height = heightAt(shown, width);
    const found = search(taken, width, height);
    if (found !== null) return found;
  }
  return null;
}

/** The element's height at a given width. */
function heightAt(shown: HTMLElement, width: number): number {
  const { style } = shown;
  const before = style.width;
  style.width = `${width}px`;
  const height = shown.offsetHeight;
  style.width = before;
  return height;
}

function search(taken: readonly DOMRect[], width: number, height: number): Place | null {
  const across = [(innerWidth - width) / 2, innerWidth - width - MARGIN, MARGIN];
  for (let top = innerHeight - height - MARGIN; top >= MARGIN; top -= STEP) {
    for (const left of across) {
      const isFree = taken.every(
        (box) => box.right <= left || box.left >= left + width || box.bottom <= top || box.top >= top + height,
      );
      if (isFree) return { left, top, width };
    }
  }
  return null;
}
