/** How far a win is from theory, in standard deviations: a small drawing, the figure, and a word. */

import type { FiguresView } from "../../answers.ts";
import { number, useWords } from "../../words/words.ts";
import "./deviation.css";

/** Standard deviations from the middle to each end of the drawing. */
const REACH = 4;

export function Deviation({ figures }: { readonly figures: FiguresView }) {
  const t = useWords("pit");
  const { deviation, standing, rounds } = figures;
  if (rounds === 0) return <>–</>;
  const at = 50 + (50 * Math.max(-REACH, Math.min(REACH, deviation))) / REACH;
  const signed = `${deviation > 0 ? "+" : ""}${number(deviation)} σ`;
  return (
    <span class={`pit-deviation pit-deviation-${standing}`}>
      <span class="pit-deviation-drawing" aria-hidden="true">
        <span class="pit-deviation-band" />
        <span class="pit-deviation-win" style={{ insetInlineStart: `${at}%` }} />
      </span>
      <span>{signed}</span>
      <span class="pit-deviation-word">{t(`standing_${standing}`)}</span>
    </span>
  );
}
