/** Finds the neighbour of an area, for arrow keys on the layout. */

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export type Direction = "left" | "right" | "up" | "down";

const KEYS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

/** Turn a rectangle so that every direction is "right". */
function turned({ x, y, w, h }: Rect, direction: Direction): Rect {
  if (direction === "right") return { x, y, w, h };
  if (direction === "left") return { x: -x - w, y, w, h };
  if (direction === "down") return { x: y, y: x, w: h, h: w };
  return { x: -y - h, y: x, w: h, h: w };
}

/** The distance to a rectangle on the right, larger off the line; null if not on the right. */
function farness(from: Rect, to: Rect): number | null {
  const along = to.x - (from.x + from.w);
  if (along < -Math.min(from.w, to.w) / 2) return null;
  const gap = Math.max(0, to.y - (from.y + from.h), from.y - (to.y + to.h));
  const aside = Math.abs(to.y + to.h / 2 - (from.y + from.h / 2));
  return Math.max(0, along) + 6 * gap + 0.1 * aside;
}

/** The nearest rectangle in a direction; null if there is none. */
export function nearest(
  rects: readonly Rect[],
  start: number,
  direction: Direction,
): number | null {
  const origin = rects[start];
  if (origin === undefined) return null;
  const from = turned(origin, direction);
  let best: { place: number; far: number } | null = null;
  rects.forEach((rect, place) => {
    const far = place === start ? null : farness(from, turned(rect, direction));
    if (far !== null && (best === null || far < best.far)) best = { place, far };
  });
  return (best as { place: number } | null)?.place ?? null;
}

/** The first or the last rectangle on the line of another. */
function endOfLine(rects: readonly Rect[], start: number, last: boolean): number | null {
  const from = rects[start];
  if (from === undefined) return null;
  const middle = from.y + from.h / 2;
  const line = rects
    .map((rect, place) => ({ ...rect, place }))
    .filter(({ y, h }) => y <= middle && middle < y + h)
    .sort((one, other) => one.x - other.x);
  return line.at(last ? -1 : 0)?.place ?? null;
}

/** The area that a key leads to; null for a key with another meaning. */
export function keyLeads(
  event: Pick<KeyboardEvent, "key" | "ctrlKey">,
  rects: readonly Rect[],
  start: number,
): number | null {
  const direction = KEYS[event.key];
  if (direction !== undefined) return nearest(rects, start, direction) ?? start;
  if (event.key !== "Home" && event.key !== "End") return null;
  const last = event.key === "End";
  if (event.ctrlKey) return last ? rects.length - 1 : 0;
  return endOfLine(rects, start, last);
}
