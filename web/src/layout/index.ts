/**
 * The layout and the chips on it: drawn from the server's data, without deciding anything.
 *
 * [ts6 Appendix B, Appendix D, Appendix F; etg8 2.1.1, 3.4; div9 3.2]
 */

export { Chip, ChipStack, DENOMINATIONS } from "./chips/chip.tsx";
export { ColourChip, colourName } from "./chips/colour_chip.tsx";
export { BoxDetails } from "./details.tsx";
export { DiceRow, Die, DieFace, Domino, Dots } from "./dice/dice.tsx";
export { Beyond, useBeyond } from "./hand/beyond.tsx";
export { useChipDrag } from "./hand/drag.tsx";
export { Layout } from "./layout.tsx";
export { useLit } from "./lit.ts";
export {
  chipAmount,
  fractionPercent,
  fullOdds,
  printedOdds,
  spokenOdds,
  standing,
  tightOdds,
} from "./figures.ts";
export { PiecesList } from "./chips/pieces_list.tsx";
export { Tumbler } from "./dice/tumbler.tsx";
export type { BoxLimits, BoxMarks, Ceremony, ChipMark, ChipState, LayoutProps } from "./types.ts";
