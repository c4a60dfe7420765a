/** Gauges of the totals on boxes against their limits, and of each Differential. */

import type { BoxGauge, Gauges as GaugesView, PairGauge } from "../../answers.ts";
import { cited, money, useWords } from "../../words/words.ts";
import { capital } from "../../words/capital.ts";
import "./gauges.css";

/** How many boxes are listed, those nearest to their limits first. */
const BOXES_MAX = 30;

/** The used part of a limit, from 0 to 1. */
function share(part: number, whole: number): number {
  return whole <= 0 ? 1 : Math.min(1, part / whole);
}

export function Gauges({ gauges, sentence }: { readonly gauges: GaugesView | null; readonly sentence: string | null }) {
  const t = useWords("console");
  if (gauges === null) return <p class="console-hint">{sentence ?? t("gauges_none")}</p>;
  const fullest = [...gauges.boxes]
    .sort((a, b) => share(b.staked, b.maximum) - share(a.staked, a.maximum))
    .slice(0, BOXES_MAX);
  return (
    <section class="console-gauges" aria-label={t("limits")}>
      {gauges.pairs.map((pair) => (
        <Pair key={pair.sides[0].box} pair={pair} />
      ))}
      {fullest.length === 0 ? (
        <p class="console-hint">{t("no_bets")}</p>
      ) : (
        <>
          <p class="console-hint">{gauges.scope === "box" ? t("limits_of_box") : t("limits_of_player")}</p>
          <ul class="console-gauge-list">
            {fullest.map((box) => (
              <Box key={box.box} box={box} shared={gauges.scope === "box"} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Box({ box, shared }: { readonly box: BoxGauge; readonly shared: boolean }) {
  const t = useWords("console");
  const sentence = box.room === null ? t("lies", { amount: money(box.staked) }) : t("room", {
    amount: money(box.staked),
    room: money(box.room),
  });
  return (
    <li class="console-gauge" data-full={box.room === 0}>
      <span class="console-gauge-name">{box.name}</span>
      <span class="console-gauge-sentence">{sentence}</span>
      {shared && <Bar of={share(box.staked, box.maximum)} />}
    </li>
  );
}

function Bar({ of }: { readonly of: number }) {
  return (
    <span class="console-gauge-bar" aria-hidden="true">
      <span style={{ transform: `scaleX(${of.toFixed(3)})` }} />
    </span>
  );
}

/** Two sides of a Differential: the limit is how far the needle may go from the middle. */
function Pair({ pair }: { readonly pair: PairGauge }) {
  const t = useWords("console");
  const [one, other] = pair.sides;
  const most = Math.max(one.staked, other.staked, 1);
  return (
    <article class="console-pair" data-over={pair.over > 0}>
      <p class="console-pair-sides">
        <span>
          {one.name} <strong>{money(one.staked)}</strong>
        </span>
        <span>
          <strong>{money(other.staked)}</strong> {other.name}
        </span>
      </p>
      <span class="console-pair-bars" aria-hidden="true">
        <span style={{ transform: `scaleX(${share(one.staked, most).toFixed(3)})` }} />
        <span style={{ transform: `scaleX(${share(other.staked, most).toFixed(3)})` }} />
      </span>
      <p class="console-pair-sentence">
        {pair.limit === null
          ? t("apart", { apart: money(pair.apart) })
          : t("apart_of", { apart: money(pair.apart), limit: money(pair.limit) })}
        . {capital(pair.sentence)}
        {" "}
        {pair.clause !== null && <span class="console-clause">{cited(t, pair.clause)}</span>}
      </p>
    </article>
  );
}
