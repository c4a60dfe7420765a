/** The easy view: the boxes that most people play, each once, in the order of the pay table. */

import type { Area, LayoutView, OddsView } from "../answers.ts";

/** The boxes of the easy view, one block per line. */
const BLOCKS: readonly (readonly string[])[] = [
  ["small", "big", "odd", "even"],
  ["any-triple"],
  ["total"],
  ["single"],
];

export interface EasyBlock {
  readonly name: string;
  readonly areas: readonly { readonly area: Area; readonly place: number }[];
}

/** The common boxes of a layout; a place is the number of a box among those shown. */
export function easyBlocks(layout: LayoutView, odds: OddsView): readonly EasyBlock[] {
  const printed = new Map(layout.areas.map((area) => [area.box, area]));
  let place = 0;
  return BLOCKS.map((kinds) => ({
    name: kinds[0] ?? "",
    areas: kinds
      .flatMap((kind) => odds.boxes.filter((box) => box.kind === kind))
      .flatMap(({ box }) => printed.get(box) ?? [])
      .map((area) => ({ area, place: place++ })),
  })).filter(({ areas }) => areas.length > 0);
}
