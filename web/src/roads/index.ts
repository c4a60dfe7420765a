/**
 * Past results as roads and figures: for information, drawn from the server's data.
 *
 * [ts6 5.11; etg8 5.8]
 */

export { DiceStrip } from "./dice_strip.tsx";
export { Frequencies, HotAndCold } from "./frequencies.tsx";
export type { By, RoadRound } from "./outcome.ts";
export { BeadPlate, BigRoad } from "./plates.tsx";
export { Bead, RoadNote } from "./road.tsx";
