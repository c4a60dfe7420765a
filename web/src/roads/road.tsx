/** The frame of all roads: a title, a drawing, the same in words and a table, and the caution. */

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

import { number, useWords, type Words } from "../words/words.ts";
import { OUTCOMES, type By, type Entry, type Outcome } from "./outcome.ts";
import "./roads.css";

const SHAPES: Readonly<Record<Outcome, "disc" | "ring" | "diamond">> = {
  big: "disc",
  odd: "disc",
  small: "ring",
  even: "ring",
  triple: "diamond",
};

interface BeadProps {
  readonly outcome: Outcome;
  readonly triples?: number;
  readonly newest?: boolean;
}

/** A bead: its shape and its letter both show the outcome. */
export function Bead({ outcome, triples = 0, newest = false }: BeadProps) {
  const t = useWords("roads");
  const shape = SHAPES[outcome];
  return (
    <svg
      class={`bead bead-${shape}${newest ? " bead-newest" : ""}`}
      viewBox="0 0 100 100"
      aria-hidden="true"
    >
      {shape === "diamond" && <path d="M50 3l47 47-47 47L3 50z" />}
      {shape !== "diamond" && <circle cx="50" cy="50" r="42" />}
      <text x="50" y="52">
        {t(`letter_${outcome}`)}
      </text>
      {triples > 0 && (
        <g class="bead-mark">
          <path d="M80 0l20 20-20 20-20-20z" />
          {triples > 1 && (
            <text x="80" y="21">
              {triples}
            </text>
          )}
        </g>
      )}
    </svg>
  );
}

interface RoadProps {
  readonly title: string;
  readonly summary: string;
  readonly table: ComponentChildren;
  /** Whether the table is for screen readers only, as on a wall, where nobody can open it. */
  readonly still?: boolean | undefined;
  /** Whether the caution is below the road; leave it out only if it is shown beside it. */
  readonly note?: boolean | undefined;
  readonly children: ComponentChildren;
}

export function Road({ title, summary, table, still = false, note = true, children }: RoadProps) {
  const t = useWords("roads");
  const id = useId();
  return (
    <section class="road" aria-labelledby={id}>
      <h3 id={id} class="road-title">
        {title}
      </h3>
      <p class="unseen">{summary}</p>
      <div class="road-drawing" aria-hidden="true">
        {children}
      </div>
      {note && <RoadNote />}
      {still ? (
        <div class="unseen">{table}</div>
      ) : (
        <details class="road-table">
          <summary>{t("as_table")}</summary>
          {table}
        </details>
      )}
    </section>
  );
}

/** The caution that belongs to every road. */
export function RoadNote() {
  const t = useWords("roads");
  return <p class="road-note">{t("information_only")}</p>;
}

/** A road in words, for screen readers: how often each outcome came, and the latest. */
export function summaryOf(t: Words<"roads">, entries: readonly Entry[], by: By): string {
  const latest = entries.at(-1);
  if (latest === undefined) return t("no_rounds");
  const counts = OUTCOMES[by].map((outcome) => {
    const seen = entries.filter((entry) => entry.outcome === outcome).length;
    return t("outcome_count", { outcome: t(outcome), count: number(seen) });
  });
  return t("summary", {
    rounds: number(entries.length),
    counts: counts.join(t("comma")),
    latest: t(latest.outcome),
  });
}

/** The rounds of a road as a table, the newest first. */
export function RoundsTable({ entries }: { readonly entries: readonly Entry[] }) {
  const t = useWords("roads");
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t("round")}</th>
          <th scope="col">{t("dice")}</th>
          <th scope="col">{t("total")}</th>
          <th scope="col">{t("outcome")}</th>
        </tr>
      </thead>
      <tbody>
        {entries.toReversed().map(({ round, outcome }) => (
          <tr key={round.round}>
            <th scope="row">{round.round}</th>
            <td>{round.faces?.join(" ")}</td>
            <td>{round.total}</td>
            <td>{t(outcome)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
