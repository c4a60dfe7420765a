/** The phase of a table's round, and the time left to bet. */

import { useSecondsUntil } from "../../shell/countdown.ts";
import type { LiveTable } from "../../live/index.ts";
import { number, useWords, type Words } from "../../words/words.ts";
import type { Floor } from "../floor.ts";
import "./phase.css";

/** The sign of each phase, besides its word and its colour. */
const MARKS = {
  new: "○",
  closed: "✕",
  ready: "○",
  tumbled: "○",
  betting: "●",
  "no-more-bets": "■",
  result: "◇",
  confirmed: "◆",
  paying: "■",
} as const;

function isPhase(phase: string): phase is keyof typeof MARKS {
  return Object.hasOwn(MARKS, phase);
}

function phaseWords(t: Words<"console">, phase: string): string {
  return isPhase(phase) && phase !== "paying" ? t(`phase_${phase}`) : phase;
}

interface PhaseProps {
  readonly floor: Floor;
  readonly live: LiveTable | null;
  readonly phase: string;
}

export function Phase({ floor, live, phase }: PhaseProps) {
  const t = useWords("console");
  const own = useWords("pit");
  const words = phase === "suspended" ? own("flag_suspended") : phase === "paying" ? own("paying") : phaseWords(t, phase);
  return (
    <span class="pit-phase" data-phase={phase}>
      <span aria-hidden="true">{isPhase(phase) ? MARKS[phase] : "✕"}</span> {words}
      {phase === "betting" && live !== null && (
        <>
          {" "}
          <Left floor={floor} live={live} />
        </>
      )}
    </span>
  );
}

function Left({ floor, live }: { readonly floor: Floor; readonly live: LiveTable }) {
  const t = useWords("pit");
  const left = useSecondsUntil(live.closesAt.value, floor.now);
  if (left.value === null) return null;
  return (
    <>
      {/* Hidden from screen readers, which would read a new number every second. */}
      <span class="pit-phase-left" aria-hidden="true">
        {number(left.value)}
      </span>
      <span class="unseen">{t.count("closes_in", left.value)}</span>
    </>
  );
}
