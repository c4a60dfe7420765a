/** Dice, dots and dominoes, drawn. */

import { useWords } from "../../words/words.ts";
import "./dice.css";

/** The places of the pips of each face; a line of no length with round ends is a dot. */
const PIPS: readonly string[] = [
  "",
  "M50 50h0",
  "M28 28h0M72 72h0",
  "M25 25h0M50 50h0M75 75h0",
  "M29 29h0M71 29h0M29 71h0M71 71h0",
  "M27 27h0M73 27h0M50 50h0M27 73h0M73 73h0",
  "M30 24h0M30 50h0M30 76h0M70 24h0M70 50h0M70 76h0",
];

function pipsOf(face: number): string {
  const path = PIPS[face];
  if (path === undefined || face === 0) throw new RangeError(`A die has no face ${face}.`);
  return path;
}

/** Only the pips, for a parent that draws the die; hidden from screen readers. */
export function Dots({ face }: { readonly face: number }) {
  const red = face === 1 || face === 4;
  return (
    <svg class="dots" viewBox="0 0 100 100" aria-hidden="true">
      <path class={`dots-pips dots-${face}${red ? " dots-red" : ""}`} d={pipsOf(face)} />
    </svg>
  );
}

/** A die as a drawing, hidden from screen readers: the words are beside it or on its button. */
export function DieFace({ face }: { readonly face: number | null }) {
  const red = face === 1 || face === 4;
  return (
    <svg class="die" viewBox="0 0 100 100" aria-hidden="true">
      <rect class="die-body" x="3" y="3" width="94" height="94" rx="21" />
      {face !== null && (
        <path class={`dots-pips dots-${face}${red ? " dots-red" : ""}`} d={pipsOf(face)} />
      )}
    </svg>
  );
}

/** A die with a label for screen readers; its size is a CSS length. */
export function Die({ face, size }: { readonly face: number; readonly size?: string }) {
  const t = useWords("layout");
  return (
    <span
      class="die-alone"
      role="img"
      aria-label={t("die", { face })}
      style={size === undefined ? {} : { inlineSize: size }}
    >
      <DieFace face={face} />
    </span>
  );
}

interface DiceRowProps {
  readonly faces: readonly number[];
  /** The dealer's call, read out instead of the faces. */
  readonly call?: string | null;
  readonly size?: string;
}

/** Dice side by side, as one picture. */
export function DiceRow({ faces, call, size }: DiceRowProps) {
  const t = useWords("layout");
  const label = call ?? t("dice", { faces: faces.join(", ") });
  return (
    <span
      class="dice-row"
      role="img"
      aria-label={label}
      style={size === undefined ? {} : { "--die-size": size }}
    >
      {faces.map((face, place) => (
        <DieFace key={place} face={face} />
      ))}
    </span>
  );
}

/** A domino: two halves on one tile, horizontal or vertical as its area is. */
export function Domino({ a, b }: { readonly a: number; readonly b: number }) {
  return (
    <span class="domino" aria-hidden="true">
      <Dots face={a} />
      <span class="domino-bar" />
      <Dots face={b} />
    </span>
  );
}
