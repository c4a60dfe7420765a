/** Non-value chips: each colour has its own edge, and on its face the value of a piece. */

import { useWords, type Words } from "../../words/words.ts";
import "./chip.css";
import "./colour_chip.css";
import { chipAmount } from "../figures.ts";

/** The spots on the edge of each colour that has words: the rim, 270 units around, divided. */
const EDGES = {
  red: "45 45",
  orange: "15 30",
  yellow: "13.5 13.5",
  green: "9 6 9 21",
  blue: "22.5 22.5",
  purple: "15 52.5",
  pink: "6 6 6 6 6 37.5",
  brown: "15 7.5 7.5 37.5",
  white: "11.25 33.75",
  black: "5 10 20 10",
  grey: "30 60",
  lavender: "4.5 4.5 4.5 31.5",
  lime: "4.5 18",
  navy: "12 33",
  peach: "10 35",
  turquoise: "7.5 15",
} as const;

type Known = keyof typeof EDGES;

function isKnown(colour: string): colour is Known {
  return Object.hasOwn(EDGES, colour);
}

/** The name of a colour in the present language; without words for it, the server's own name. */
export function colourName(t: Words<"layout">, colour: string): string {
  return isKnown(colour) ? t(`colour_${colour}`) : colour;
}

/** The style of a colour's chips: the class name, and the edge. */
export function colourLook(colour: string): { readonly look: string; readonly edge: string } {
  const known = isKnown(colour);
  return {
    look: known ? `chip-colour chip-colour-${colour}` : "chip-colour",
    edge: known ? EDGES[colour] : "22.5 45",
  };
}

interface ColourChipProps {
  readonly colour: string;
  /** The value of a piece, in minor units; null if no player has the colour. */
  readonly value: number | null;
}

/** One chip of a colour as a drawing; its name is always written beside it. */
export function ColourChip({ colour, value }: ColourChipProps) {
  const t = useWords("layout");
  // The face shows the value, or without a value the first letter of the name.
  const text = value === null ? ([...colourName(t, colour)][0] ?? "") : chipAmount(value);
  const { look, edge } = colourLook(colour);
  return (
    <svg class={`chip ${look}`} viewBox="0 0 100 100" aria-hidden="true">
      <circle class="chip-body" cx="50" cy="50" r="47" />
      <circle class="chip-edge" cx="50" cy="50" r="42" pathLength="270" stroke-dasharray={edge} />
      <circle class="chip-face" cx="50" cy="50" r="33" />
      <text class={`chip-text chip-long-${Math.min(text.length, 6)}`} x="50" y="50">
        {text}
      </text>
    </svg>
  );
}
