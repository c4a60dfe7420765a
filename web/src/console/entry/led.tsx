/** The light of the entry terminal: the last three faces pressed, in seven segments [div9 3.3]. */

import { useWords } from "../../words/words.ts";
import "./led.css";

/** The segments a to g that a digit lights; a dash is only the middle one. */
const SEGMENTS: Readonly<Record<string, string>> = {
  "1": "bc",
  "2": "abged",
  "3": "abgcd",
  "4": "fgbc",
  "5": "afgcd",
  "6": "afgedc",
  "-": "g",
};

/** Each segment as a bar with pointed ends, on a field of 60 by 100. */
const BARS: Readonly<Record<string, string>> = {
  a: "14,6 46,6 51,11 46,16 14,16 9,11",
  b: "52,13 57,18 57,43 52,48 47,43 47,18",
  c: "52,52 57,57 57,82 52,87 47,82 47,57",
  d: "14,84 46,84 51,89 46,94 14,94 9,89",
  e: "8,52 13,57 13,82 8,87 3,82 3,57",
  f: "8,13 13,18 13,43 8,48 3,43 3,18",
  g: "14,45 46,45 51,50 46,55 14,55 9,50",
};

function Figure({ figure }: { readonly figure: string }) {
  const lit = SEGMENTS[figure] ?? "";
  return (
    <svg class="console-led-figure" viewBox="0 0 60 100" aria-hidden="true" data-figure={figure}>
      {Object.entries(BARS).map(([name, points]) => (
        <polygon
          key={name}
          points={points}
          class={lit.includes(name) ? "console-led-on" : "console-led-off"}
        />
      ))}
    </svg>
  );
}

interface LedProps {
  readonly faces: readonly number[];
  /** The result, if it was corrected after the faces were pressed. */
  readonly result?: readonly number[] | null;
}

/** The last three faces pressed, newest on the right, or their correction; a dash for none. */
export function Led({ faces, result = null }: LedProps) {
  const t = useWords("console");
  const last = (result ?? faces).slice(-3);
  const figures = [...Array<string>(3 - last.length).fill("-"), ...last.map(String)];
  const name = last.length === 0 ? t("led_empty") : t(result === null ? "led" : "led_result", { faces: last.join(", ") });
  return (
    <output class="console-led" aria-label={name}>
      {figures.map((figure, place) => (
        <Figure key={place} figure={figure} />
      ))}
    </output>
  );
}
