import { useWords } from "../../words/words.ts";
import { DieFace } from "./dice.tsx";

interface TumblerProps {
  /** Whether a tumble is drawn. */
  readonly rolling?: boolean;
  /** The dice, once they may be shown. */
  readonly faces?: readonly number[] | null;
  /** Whether the cover is down. */
  readonly covered?: boolean;
  /** The dealer's call, read out instead of the faces. */
  readonly call?: string | null;
  /** Its width, a CSS length. */
  readonly size?: string;
}

const UNKNOWN = [null, null, null] as const;

/** The dice tumbler: a plate, three dice, a glass dome, and the cover that hides them. */
export function Tumbler(props: TumblerProps) {
  const { rolling = false, faces = null, covered = false, call, size } = props;
  const t = useWords("layout");
  const shown = rolling || covered ? null : faces;
  const label = shown === null ? t(covered ? "tumbler_covered" : "tumbler_still") : (call ?? t("dice", { faces: shown.join(", ") }));
  // Tumbling dice have no result yet, so they are drawn blank.
  const dice = shown ?? UNKNOWN;
  return (
    <span
      class={`tumbler${rolling ? " tumbler-rolling" : ""}${covered ? " tumbler-covered" : ""}`}
      role="img"
      aria-label={label}
      style={size === undefined ? {} : { "--tumbler-size": size }}
    >
      <svg class="tumbler-drawing" viewBox="0 0 200 180" aria-hidden="true">
        <path class="tumbler-glass" d="M24 150V96a76 76 0 0 1 152 0v54" />
        <rect class="tumbler-plate" x="10" y="150" width="180" height="22" rx="11" />
      </svg>
      <span class="tumbler-dice">
        {dice.map((face, place) => (
          <span key={place}>
            <DieFace face={face} />
          </span>
        ))}
      </span>
      <svg
        class={`tumbler-drawing tumbler-lid${covered ? "" : " tumbler-lifted"}`}
        viewBox="0 0 200 180"
        aria-hidden="true"
      >
        <path class="tumbler-lid-body" d="M24 150V96a76 76 0 0 1 152 0v54z" />
        <circle class="tumbler-lid-body" cx="100" cy="14" r="7" />
        <path class="tumbler-lid-seal" d="M38 136V96a62 62 0 0 1 124 0v40z" />
        <path class="tumbler-lid-seal" d="M100 72l26 26-26 26-26-26z" />
      </svg>
    </span>
  );
}
