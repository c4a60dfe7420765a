import { useMemo } from "preact/hooks";

import type { Link, LiveTable } from "../live/index.ts";
import { useSecondsUntil } from "../shell/index.ts";
import { number, useWords } from "../words/words.ts";

/** The sign of each phase, besides its word and its colour. */
const MARKS = {
  new: "○",
  closed: "✕",
  ready: "○",
  tumbled: "○",
  betting: "●",
  "no-more-bets": "■",
  result: "○",
  confirmed: "◆",
  paying: "■",
  suspended: "✕",
} as const;

function isPhase(phase: string): phase is keyof typeof MARKS {
  return Object.hasOwn(MARKS, phase);
}

/** The phase of a table; a chip table is paid between two rounds, and takes no bets then. */
function phaseOf({ suspended, view }: LiveTable): string | undefined {
  if (suspended.value) return "suspended";
  return view.value?.paying === true ? "paying" : view.value?.phase;
}

interface PhaseProps {
  readonly link: Link;
  readonly table: LiveTable;
}

/** Shows the phase of a table's round, and the time left to bet. */
export function Phase({ link, table }: PhaseProps) {
  const t = useWords("shell");
  const phase = phaseOf(table);
  if (phase === undefined || !isPhase(phase)) return <p class="phase">{t("loading")}</p>;
  return (
    <p class={`phase phase-${phase}`}>
      <span aria-hidden="true">{MARKS[phase]}</span> {t(`phase_${phase}`)}
      {phase === "betting" && <Left link={link} table={table} />}
    </p>
  );
}

function Left({ link, table }: PhaseProps) {
  const t = useWords("lobby");
  const now = useMemo(() => () => link.now(), [link]);
  const seconds = useSecondsUntil(table.closesAt.value, now);
  if (seconds.value === null) return null;
  return (
    <>
      {/* Hidden from screen readers, which would read a new number every second. */}
      <span class="phase-left" aria-hidden="true">
        {number(seconds.value)}
      </span>
      <span class="unseen">{t.count("closes_in", seconds.value)}</span>
    </>
  );
}
