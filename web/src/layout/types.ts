/** Types of the layout's input: marks are signals, so that only a box that changes is redrawn. */

import type { ReadonlySignal, Signal } from "@preact/signals";

import type { LayoutView, OddsView } from "../answers.ts";

/** The state of a chip: drafted, sent, registered or refused, or the outcome of its round. */
export type ChipState = "draft" | "pending" | "registered" | "refused" | "won" | "lost";

export interface ChipMark {
  /** In minor units; for a winning chip, the amount paid back. */
  readonly amount: number;
  readonly state: ChipState;
  /** At a chip table, the seat that the chips belong to, marked on them. */
  readonly seat?: string;
  /** The colour of non-value chips, by its name. */
  readonly colour?: string | null;
}

/** The marks of a box: chips, total, and notices. */
export interface BoxMarks {
  /** The player's own chips, the oldest first. */
  readonly own: ReadonlySignal<readonly ChipMark[]>;
  /** The total of all players; left out if it is not to be shown. */
  readonly total?: ReadonlySignal<number>;
  /** Why the last bet on it was refused. */
  readonly refused?: ReadonlySignal<string | null>;
  /** The words for the chips, if they are not the reader's own. */
  readonly words?: ReadonlySignal<string>;
  /** A warning for the dealer: a sign and an amount. */
  readonly notice?: ReadonlySignal<string | null>;
  /** The most chips that are drawn; three by default. */
  readonly most?: number;
}

/** The least and the most that may lie on a box, in minor units. */
export interface BoxLimits {
  readonly minimum: number;
  readonly maximum: number;
}

/** The stage of settlement that is shown: losers are collected first, then winners are paid. */
export type Ceremony = "none" | "collect" | "pay";

export interface LayoutProps {
  readonly layout: LayoutView;
  readonly odds: OddsView;
  /** The marks of a box. Pass the same function: a new one redraws the whole layout. */
  readonly boxes: (box: string) => BoxMarks;
  /** The printed layout, or the common boxes as a list for small screens. */
  readonly mode?: "full" | "easy";
  /** Fill its container, or take the height from the width. */
  readonly fit?: "box" | "width";
  /** The winning boxes; empty while there is no result. */
  readonly lit?: ReadonlySet<string>;
  readonly ceremony?: Ceremony;
  /** Whether each area shows its chance and the house's edge. */
  readonly chances?: boolean;
  /** Without buttons and details, as on a wall. */
  readonly still?: boolean;
  /** The box whose details are open, for a screen that opens them too. */
  readonly details?: Signal<string | null>;
  readonly limits?: ((box: string) => BoxLimits | null) | undefined;
  /** Without it, pressing an area opens its details. */
  readonly onPress?: (box: string) => void;
  /** Called to take back the last chip of a box: right click, Delete or Backspace. */
  readonly onTakeBack?: (box: string) => void;
  /** Called instead of opening the layout's own details. */
  readonly onDetails?: (box: string) => void;
  readonly label?: string;
}
