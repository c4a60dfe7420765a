/** The felt, and what lies on it: drawn from what the house says, and deciding nothing. */

export { Chip, ChipStack, DENOMINATIONS } from "./chip.tsx";
export { ColourChip, colourName } from "./colour_chip.tsx";
export { BoxDetails } from "./details.tsx";
export { DiceRow, Die, DieFace, Domino, Dots } from "./dice.tsx";
export { useChipDrag } from "./drag.tsx";
export { Felt } from "./felt.tsx";
export {
  chipAmount,
  fractionPercent,
  fullOdds,
  printedOdds,
  spokenOdds,
  standing,
  tightOdds,
} from "./figures.ts";
export { PiecesList } from "./pieces_list.tsx";
export { Tumbler } from "./tumbler.tsx";
export type { BoxLimits, BoxMarks, Ceremony, ChipMark, ChipState, FeltProps } from "./types.ts";
