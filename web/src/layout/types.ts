/** What the layout is given: marks as signals, so that a box that changes is drawn again alone. */

import type { ReadonlySignal, Signal } from "@preact/signals";

import type { LayoutView, OddsView } from "../answers.ts";

/** How far a chip has come: put down, on its way, taken, or what the round made of it. */
export type ChipState = "draft" | "pending" | "registered" | "refused" | "won" | "lost";

export interface ChipMark {
  /** In minor units; for a chip that won, what came for it. */
  readonly amount: number;
  readonly state: ChipState;
  /** At a chip table, whose chips they are: the seat, marked on them. */
  readonly seat?: string;
  /** The colour of non-value chips, by its name. */
  readonly colour?: string | null;
}

/** What is on a box. */
export interface BoxMarks {
  /** The player's own chips, the oldest first. */
  readonly own: ReadonlySignal<readonly ChipMark[]>;
  /** What all players have on it together; left out where that is not to be shown. */
  readonly total?: ReadonlySignal<number>;
  /** Why the last bet on it was refused. */
  readonly refused?: ReadonlySignal<string | null>;
  /** What is said of the chips, where they are not the reader's own. */
  readonly words?: ReadonlySignal<string>;
  /** What a dealer should see to: a sign, and how much. */
  readonly notice?: ReadonlySignal<string | null>;
  /** How many chips are drawn at the most; three without it. */
  readonly most?: number;
}

/** The least and the most that may lie on a box, in minor units. */
export interface BoxLimits {
  readonly minimum: number;
  readonly maximum: number;
}

/** What is being done with the chips once a result is confirmed: losers first, then winners. */
export type Ceremony = "none" | "collect" | "pay";

export interface LayoutProps {
  readonly layout: LayoutView;
  readonly odds: OddsView;
  /** The marks of a box. Keep the function: a new one draws the whole layout anew. */
  readonly boxes: (box: string) => BoxMarks;
  /** The printed layout, or the common boxes as a list that fits a hand. */
  readonly mode?: "full" | "easy";
  /** Fill the place it stands in, or take its height from its width. */
  readonly fit?: "box" | "width";
  /** The winning boxes; empty while nothing is decided. */
  readonly lit?: ReadonlySet<string>;
  readonly ceremony?: Ceremony;
  /** Whether each area shows its chance and the house's edge. */
  readonly chances?: boolean;
  /** Nothing to press and nothing to open: a wall. */
  readonly still?: boolean;
  /** The box whose details are open, where the screen wants to open them too. */
  readonly details?: Signal<string | null>;
  readonly limits?: ((box: string) => BoxLimits | null) | undefined;
  /** Without it, pressing an area opens its details. */
  readonly onPress?: (box: string) => void;
  /** The last chip of a box is wanted back: right click, Delete or Backspace. */
  readonly onTakeBack?: (box: string) => void;
  /** Instead of the layout's own details. */
  readonly onDetails?: (box: string) => void;
  readonly label?: string;
}
