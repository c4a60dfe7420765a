import { DieFace } from "../layout/dice/dice.tsx";
import { useWords } from "../words/words.ts";
import type { RoadRound } from "./outcome.ts";
import { Bead } from "./road.tsx";
import "./roads.css";

interface DiceStripProps {
  /** Finished rounds, the oldest first. */
  readonly rounds: readonly RoadRound[];
  /** How many of the last rounds are shown, newest first. */
  readonly count?: number;
}

/** The dice of the last rounds with their total, the newest first; a void round says so. */
export function DiceStrip({ rounds, count = 10 }: DiceStripProps) {
  const t = useWords("roads");
  const shown = rounds.slice(-count).reverse();
  return (
    <ol class="strip" aria-label={t("dice_strip")}>
      {shown.map((round) => (
        <li key={round.round} class={round.void ? "strip-round strip-void" : "strip-round"}>
          <span class="unseen">{spoken(t, round)}</span>
          <span class="strip-drawing" aria-hidden="true">
            <span class="strip-dice">
              {round.faces?.map((face, place) => <DieFace key={place} face={face} />)}
            </span>
            {round.void ? (
              <span class="strip-word">{t("void")}</span>
            ) : (
              <>
                <span class="strip-total">{round.total}</span>
                {round.size !== null && (
                  <span class="strip-bead">
                    <Bead outcome={round.size} />
                  </span>
                )}
              </>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

function spoken(t: ReturnType<typeof useWords<"roads">>, round: RoadRound): string {
  if (round.void || round.faces === null) return t("strip_void", { round: round.round });
  const shown = { dice: round.faces.join(", "), total: round.total ?? "" };
  const call = round.call ?? t("strip_call", shown);
  return t("strip_round", { round: round.round, call });
}
