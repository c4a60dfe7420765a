/** A win compared with its expectation: a band with the win marked on it, and the same in words. */

import type { FiguresView, WinBand } from "../../answers.ts";
import { money, number, percent, useWords, type Words } from "../../words/words.ts";
import "./band.css";

/** The free part of the drawing at each end, in percent. */
const FREE = 4;

/** The places of amounts on the drawing, in percent from its left edge. */
export function scaleOf(win: number, { lowest, highest }: WinBand): (amount: number) => number {
  const low = Math.min(lowest, win);
  const wide = Math.max(highest, win) - low;
  return (amount) => (wide === 0 ? 50 : FREE + ((100 - 2 * FREE) * (amount - low)) / wide);
}

/** The win, theory, and whether chance alone explains the difference. */
export function bandWords(t: Words<"pit">, figures: FiguresView): string {
  const blanks = { win: money(figures.win), theory: money(figures.theory) };
  return figures.rounds === 0 ? t("no_rounds") : t(`band_${figures.standing}`, blanks);
}

interface BandProps {
  /** Null while older events are still being read. */
  readonly figures: FiguresView | null;
  /** On a card: with the figures beside it, and no legend below. */
  readonly small?: boolean;
}

export function Band({ figures, small = false }: BandProps) {
  const t = useWords("pit");
  if (figures === null) return <p class="pit-quiet">{t("figures_read")}</p>;
  if (figures.rounds === 0) return <p class="pit-quiet">{t("no_rounds")}</p>;
  return (
    <figure class={`pit-band pit-band-${figures.standing}${small ? " pit-band-small" : ""}`}>
      <Drawing figures={figures} />
      <figcaption>
        {small ? <InShort figures={figures} /> : bandWords(t, figures)}
        {!small && <Legend band={figures.band} />}
      </figcaption>
    </figure>
  );
}

function Drawing({ figures }: { readonly figures: FiguresView }) {
  const t = useWords("pit");
  const { win, theory, band } = figures;
  const at = scaleOf(win, band);
  const span = (low: number, high: number) => ({
    insetInlineStart: `${at(low)}%`,
    inlineSize: `${at(high) - at(low)}%`,
  });
  const point = (amount: number) => ({ insetInlineStart: `${at(amount)}%` });
  const zero = at(0);
  return (
    <div class="pit-band-drawing" role="img" aria-label={bandWords(t, figures)}>
      <span class="pit-band-outer" style={span(band.lowest, band.highest)} />
      <span class="pit-band-inner" style={span(band.low, band.high)} />
      {zero > 0 && zero < 100 && <span class="pit-band-zero" style={point(0)} data-figure={number(0)} />}
      <span class="pit-band-theory" style={point(theory)} />
      <span class="pit-band-win" style={point(win)} />
    </div>
  );
}

/** The figures of a card: win, hold and theory, and a word if the win is outside the band. */
function InShort({ figures }: { readonly figures: FiguresView }) {
  const t = useWords("pit");
  const { hold_percent: hold, theory_percent: theory, win, standing } = figures;
  return (
    <>
      <span class="pit-band-figure">{t("win_of", { win: money(win) })}</span>
      {hold !== null && theory !== null && (
        <span>{t("hold_against", { hold: percent(hold / 100, 1), theory: percent(theory / 100, 1) })}</span>
      )}
      {standing !== "within" && <span class="pit-band-standing">{t(`standing_${standing}`)}</span>}
    </>
  );
}

/** How many standard deviations the bands reach, as the server draws them. */
const REACH = { inner: 1.96, outer: 2.58 } as const;

function Legend({ band }: { readonly band: WinBand }) {
  const t = useWords("pit");
  const range = (low: number, high: number) => ({ low: money(low), high: money(high) });
  return (
    <ul class="pit-band-legend">
      <li>
        <span class="pit-band-key pit-band-key-win" aria-hidden="true" /> {t("legend_win")}
      </li>
      <li>
        <span class="pit-band-key pit-band-key-theory" aria-hidden="true" /> {t("legend_theory")}
      </li>
      <li>
        <span class="pit-band-key pit-band-key-inner" aria-hidden="true" />{" "}
        {t("legend_inner", { reach: number(REACH.inner), ...range(band.low, band.high) })}
      </li>
      <li>
        <span class="pit-band-key pit-band-key-outer" aria-hidden="true" />{" "}
        {t("legend_outer", { reach: number(REACH.outer), ...range(band.lowest, band.highest) })}
      </li>
    </ul>
  );
}
