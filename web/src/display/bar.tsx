/** The bar with the phase of the round, across the whole screen. */

import { useCountdown } from "../play/clock.ts";
import { number, useWords } from "../words/words.ts";
import { headingOf, signOf } from "./sentences.ts";
import type { Watched } from "./table_feed.ts";

export function Bar({ watched }: { readonly watched: Watched }) {
  const t = useWords("display");
  const { table, matter, now } = watched;
  const { seconds, part } = useCountdown(table.closesAt, now);
  const view = table.view.value;
  return (
    <div class="wall-bar">
      <h2 class="wall-phase">
        <span aria-hidden="true">{signOf(matter.value)}</span> {headingOf(t, matter.value, seconds.value)}
      </h2>
      {view?.notice_given === true && <p class="wall-notice">{t("notice")}</p>}
      {view !== null && view.round > 0 && (
        <p class="wall-round">{t("round", { round: number(view.round) })}</p>
      )}
      {matter.value === "betting" && seconds.value !== null && (
        <span class="wall-drain" aria-hidden="true" style={{ transform: `scaleX(${part.value})` }} />
      )}
    </div>
  );
}
