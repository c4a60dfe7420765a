/** The evidence against a set of dice: a gauge on a logarithmic scale, its alarm line, and words. */

import type { Fairness } from "../../answers.ts";
import { number, useWords, type Words } from "../../words/words.ts";
import type { Point } from "../floor.ts";
import "./fairness.css";

/** The scale reaches at least from a hundredth to ten times the alarm. */
const LOWEST = -2;

/** The ends of the scale, as powers of ten. */
export function endsOf({ e_value, alarm_at }: Fairness): readonly [number, number] {
  const power = Math.log10(Math.max(e_value, 1e-12));
  return [Math.min(LOWEST, Math.floor(power)), Math.max(Math.ceil(Math.log10(alarm_at)) + 1, Math.ceil(power))];
}

/** Evidence as a number with three digits, however small or large. */
function evidence(value: number): string {
  return number(Number(value.toPrecision(value < 0.001 ? 1 : 3)));
}

/** The evidence in words. */
export function fairnessWords(t: Words<"pit">, watch: Fairness): string {
  const { throws, alarmed_at, e_value, alarm_at } = watch;
  if (throws === 0) return t("fair_untried");
  if (alarmed_at !== null) return t("fair_alarm", { throw: number(alarmed_at), throws: number(throws) });
  if (e_value <= 1) return t.count("fair_none", throws);
  return t.count("fair_some", throws, { evidence: evidence(e_value), alarm: number(alarm_at) });
}

interface Props {
  readonly watch: Fairness;
  /** Whether the set is damaged and out of use. */
  readonly isPutAway?: boolean;
  /** The evidence since the page was opened, the oldest first. */
  readonly points: readonly Point[];
}

export function FairnessMonitor({ watch, points, isPutAway = false }: Props) {
  const t = useWords("pit");
  const words = fairnessWords(t, watch);
  return (
    <figure class={watch.alarmed_at === null ? "pit-fair" : "pit-fair pit-fair-alarm"}>
      <p class="pit-fair-set">
        {t(isPutAway ? "dice_put_away" : watch.in_use ? "dice_in_use" : "dice_before", { dice: watch.dice_set })}
      </p>
      <Gauge watch={watch} words={words} />
      <figcaption>
        {watch.alarmed_at !== null && <span aria-hidden="true">▲ </span>}
        {words}
      </figcaption>
      <Spark watch={watch} points={points} />
    </figure>
  );
}

function Gauge({ watch, words }: { readonly watch: Fairness; readonly words: string }) {
  const t = useWords("pit");
  const [low, high] = endsOf(watch);
  const at = (value: number): string => {
    const place = (Math.log10(value) - low) / (high - low);
    return `${100 * Math.max(0, Math.min(1, place))}%`;
  };
  const shown = Math.max(watch.e_value, 10 ** low);
  const decades = Array.from({ length: high - low + 1 }, (_, place) => 10 ** (low + place));
  return (
    <div class="pit-gauge" role="img" aria-label={words}>
      <span class="pit-gauge-alarm" style={{ insetInlineStart: at(watch.alarm_at) }} />
      {decades.map((value) => (
        <span key={value} class="pit-gauge-tick" style={{ insetInlineStart: at(value) }}>
          <span>{number(value)}</span>
        </span>
      ))}
      <span class="pit-gauge-line" style={{ insetInlineStart: at(watch.alarm_at) }}>
        <span>{t("alarm_line")}</span>
      </span>
      <span class="pit-gauge-now" style={{ insetInlineStart: at(shown) }} />
    </div>
  );
}

/** The course of the evidence since this page was opened. */
function Spark({ watch, points }: Props) {
  const t = useWords("pit");
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined || last.throws - first.throws < 2) return null;
  const powers = points.map(({ evidence: value }) => Math.log10(Math.max(value, 1e-12)));
  const low = Math.min(...powers) - 0.05;
  const high = Math.max(...powers) + 0.05;
  const x = (throws: number): number => (100 * (throws - first.throws)) / (last.throws - first.throws);
  const y = (power: number): number => 30 - (30 * (power - low)) / (high - low);
  const line = points.map(({ throws }, place) => `${x(throws)},${y(powers[place] ?? low)}`).join(" ");
  const alarm = Math.log10(watch.alarm_at);
  return (
    <div class="pit-spark">
      <svg viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden="true">
        {alarm < high && <line class="pit-spark-alarm" x1="0" x2="100" y1={y(alarm)} y2={y(alarm)} />}
        <polyline class="pit-spark-line" points={line} />
      </svg>
      <p>
        {t("spark", {
          from: number(first.throws),
          to: number(last.throws),
          before: evidence(first.evidence),
          after: evidence(last.evidence),
        })}
      </p>
    </div>
  );
}
