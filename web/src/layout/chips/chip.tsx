/** Chips: each denomination has its own edge, with the amount printed on the chip. */

import { useWords } from "../../words/words.ts";
import "./chip.css";
import { colourLook } from "./colour_chip.tsx";
import { chipAmount } from "../figures.ts";
import type { ChipMark, ChipState } from "../types.ts";

/** The chips that a tray offers, in minor units. */
export const DENOMINATIONS: readonly number[] = [
  100, 500, 1000, 2500, 10000, 50000, 100000, 500000,
];

/** The spots on the edge: lengths of spot and gap on the rim, which is 270 units around. */
const EDGES: ReadonlyMap<number, string> = new Map([
  [100, "22.5 45"],
  [500, "15 30"],
  [1000, "11.25 22.5"],
  [2500, "45 22.5"],
  [10000, "8 6 8 23"],
  [50000, "6 5 6 5 6 39.5"],
  [100000, "30 6 3 6"],
  [500000, "4.5 4.5"],
]);

/** The style of an amount without a chip of its own: that of the largest chip within it. */
function madeOf(amount: number): number {
  return DENOMINATIONS.findLast((each) => each <= amount) ?? 100;
}

function lookOf(made: number): { readonly look: string; readonly edge: string } {
  return { look: `chip-${made}`, edge: EDGES.get(made) ?? "22.5 45" };
}

interface ChipProps {
  /** In minor units. */
  readonly amount: number;
  readonly state?: ChipState;
  /** The denomination of its edge; without it, the largest one within the amount. */
  readonly denomination?: number;
  /** The seat that it belongs to, marked on it. */
  readonly seat?: string | undefined;
  /** The colour of a non-value chip, which sets its style. */
  readonly colour?: string | null | undefined;
}

/** One chip as a drawing, hidden from screen readers: its parent has the words. */
export function Chip({ amount, state = "registered", denomination, seat, colour }: ChipProps) {
  const { look, edge } = colour == null ? lookOf(denomination ?? madeOf(amount)) : colourLook(colour);
  const text = chipAmount(amount);
  return (
    <svg class={`chip ${look} chip-${state}`} viewBox="0 0 100 100" aria-hidden="true">
      <circle class="chip-body" cx="50" cy="50" r="47" />
      <circle class="chip-edge" cx="50" cy="50" r="42" pathLength="270" stroke-dasharray={edge} />
      <circle class="chip-face" cx="50" cy="50" r="35" />
      <text class={`chip-text chip-long-${Math.min(text.length, 6)}`} x="50" y={seat === undefined ? 50 : 40}>
        {text}
      </text>
      <State state={state} />
      {seat !== undefined && <SeatSign seat={seat} />}
    </svg>
  );
}

/** The seat of the chip, on a plate at its foot. */
function SeatSign({ seat }: { readonly seat: string }) {
  const half = 17 + 10 * (seat.length - 1);
  return (
    <g class="chip-seat">
      <rect x={50 - half} y="62" width={2 * half} height="38" rx="9" />
      <text x="50" y="82">
        {seat}
      </text>
    </g>
  );
}

/** The sign of a state, so that it does not depend on colour: a clock, a cross, a rising mark. */
function State({ state }: { readonly state: ChipState }) {
  switch (state) {
    case "pending":
      return (
        <g class="chip-sign">
          <circle cx="80" cy="20" r="18" />
          <path d="M70 20h0M80 20h0M90 20h0" />
        </g>
      );
    case "refused":
      return <path class="chip-cross" d="M14 14l72 72M86 14l-72 72" />;
    case "won":
      return (
        <g class="chip-sign">
          <circle cx="80" cy="20" r="18" />
          <path d="M71 24l9-9 9 9" />
        </g>
      );
    case "lost":
      return <path class="chip-cross" d="M14 86l72-72" />;
    case "draft":
    case "registered":
      return null;
  }
}

interface StackProps {
  readonly chips: readonly ChipMark[];
  readonly most?: number | undefined;
}

/** Chips on one box, the newest in front; at most three are drawn, unless `most` is set. */
export function ChipStack({ chips, most = 3 }: StackProps) {
  const t = useWords("layout");
  const drawn = chips.slice(-most);
  return (
    <span class={`chip-stack chip-stack-${drawn.length}`}>
      {drawn.map(({ amount, state, seat, colour }, place) => (
        <span key={place} class={`chip-place chip-place-${state}`}>
          <Chip amount={amount} state={state} seat={seat} colour={colour} />
        </span>
      ))}
      {chips.length > drawn.length && (
        <span class="chip-more">{t("more", { count: chips.length - drawn.length })}</span>
      )}
    </span>
  );
}
