/** Chips as they are handed over: each kind drawn, from the bottom of the stack up, and counted. */

import { Chip, ColourChip, colourName } from "../../../layout/index.ts";
import type { Pieces } from "../../../protocol.ts";
import { money, number, useWords, type Words } from "../../../words/words.ts";
import type { Marked } from "../../money/counts/chips.ts";
import "./chips_drawn.css";

/** The most pieces of one kind that are drawn; the number beside them is the real count. */
const DRAWN_MAX = 4;

interface Props {
  readonly chips: readonly Pieces[];
  readonly marked: Marked;
  /** Whether the name of a colour is written beside its chip, which shows its value and edge. */
  readonly named?: boolean;
}

export function ChipsDrawn({ chips, marked, named = true }: Props) {
  const t = useWords("recording");
  const names = useWords("layout");
  return (
    <span class="rec-chips" role="img" aria-label={chipsSentence(t, names, chips)}>
      {chips.map(([chip, count]) => (
        <span key={chip} class="rec-chips-kind">
          <span class="rec-chips-pile">
            {Array.from({ length: Math.min(count, DRAWN_MAX) }, (_, place) => (
              <span key={place} class="rec-chips-piece">
                {typeof chip === "number" ? (
                  <Chip amount={chip} denomination={chip} />
                ) : (
                  <ColourChip colour={chip} value={marked.get(chip) ?? null} />
                )}
              </span>
            ))}
          </span>
          <span class="rec-chips-count">
            {t("times", { count: number(count) })}
            {named && typeof chip === "string" && ` ${colourName(names, chip)}`}
          </span>
        </span>
      ))}
    </span>
  );
}

/** Chips in words: 2 of $100.00, 3 red. */
export function chipsSentence(t: Words<"recording">, names: Words<"layout">, chips: readonly Pieces[]): string {
  return chips
    .map(([chip, count]) =>
      typeof chip === "number"
        ? t("pieces_of", { count: number(count), value: money(chip) })
        : t("pieces_coloured", { count: number(count), colour: colourName(names, chip) }),
    )
    .join(names("comma"));
}
