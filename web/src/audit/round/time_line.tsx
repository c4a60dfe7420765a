/** The steps of a round as a list that keeps the present step in view. */

import { useEffect, useRef } from "preact/hooks";

import { Button } from "../../shell/index.ts";
import { number, useWords } from "../../words/words.ts";
import type { Player } from "./replay.tsx";

/** How many steps are listed around the present one; a round may have thousands. */
const AROUND = 60;

interface TimeLineProps {
  readonly player: Player;
  readonly began: number;
}

export function TimeLine({ player, began }: TimeLineProps) {
  const t = useWords("audit");
  const { steps, at, to } = player;
  const list = useRef<HTMLOListElement>(null);
  const from = Math.max(0, Math.min(at.value - AROUND, steps.length - 2 * AROUND));
  const until = Math.min(steps.length, from + 2 * AROUND);
  useEffect(() => {
    const within = list.current;
    const shown = within?.querySelector<HTMLElement>("[aria-current]");
    // Only the list is scrolled, never the page.
    if (within == null || shown == null) return;
    within.scrollTop = shown.offsetTop - within.clientHeight / 2 + shown.clientHeight / 2;
  }, [at.value]);
  return (
    <div class="time-line">
      <h2 class="replay-title">{t("what_happened")}</h2>
      {from > 0 && (
        <Button kind="quiet" onClick={() => to(from - 1)}>
          {t.count("earlier", from)}
        </Button>
      )}
      <ol class="time-line-steps" ref={list} start={from + 1}>
        {steps.slice(from, until).map(({ event, part }, place) => {
          const step = from + place;
          return (
            <li key={step}>
              <button
                type="button"
                class="time-line-step"
                aria-current={step === at.value ? "step" : undefined}
                onClick={() => to(step)}
              >
                <span class="time-line-at">{t("seconds_in", { seconds: tenths(event.at - began) })}</span>
                <span>
                  {event.summary}
                  {part !== "whole" && ` · ${t(`part_of_settlement_${part}`)}`}
                </span>
                {event.clause !== null && <span class="time-line-clause">{event.clause}</span>}
              </button>
            </li>
          );
        })}
      </ol>
      {until < steps.length && (
        <Button kind="quiet" onClick={() => to(until)}>
          {t.count("later", steps.length - until)}
        </Button>
      )}
    </div>
  );
}

function tenths(ms: number): string {
  return number(Math.round(ms / 100) / 10);
}
