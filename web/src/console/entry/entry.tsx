/**
 * The entry terminal: a button for each face, one entry button, and a light.
 *
 * [div9 3.3, 3.3(a), 3.3(a)(i), 3.3(a)(ii)]
 */

import { DieFace } from "../../layout/dice/dice.tsx";
import { useWords } from "../../words/words.ts";
import { capital } from "../../words/capital.ts";
import { Led } from "./led.tsx";
import "./entry.css";

const FACES = [1, 2, 3, 4, 5, 6] as const;

/** The step of each key: a refused key shows the reason when it is pressed. */
export interface EntryProps {
  readonly echo: readonly number[];
  /** The result, if it differs from the faces pressed. */
  readonly putRight: readonly number[] | null;
  /** Whether faces are to be pressed now, and whether the entry button is. */
  readonly wanted: "faces" | "entry" | null;
  readonly facesOpen: boolean;
  readonly entryOpen: boolean;
  /** A sentence above the keys: that a device reads the dice, or that bets are still open. */
  readonly note: string | null;
  readonly onFace: (face: number) => void;
  readonly onEntry: () => void;
}

export function EntryTerminal(props: EntryProps) {
  const t = useWords("console");
  return (
    <section class="console-entry" aria-label={t("entry_terminal")} data-wanted={props.wanted}>
      <Led faces={props.echo} result={props.putRight} />
      <p class="console-entry-note">{props.note === null ? t("entry_how") : capital(props.note)}</p>
      <div class="console-entry-keys">
        {FACES.map((face) => (
          <button
            key={face}
            type="button"
            class="console-entry-face"
            aria-disabled={!props.facesOpen}
            aria-label={t("face", { face })}
            onClick={() => props.onFace(face)}
          >
            <DieFace face={face} />
            <kbd aria-hidden="true">{face}</kbd>
          </button>
        ))}
      </div>
      <button
        type="button"
        class="console-entry-enter"
        aria-disabled={!props.entryOpen}
        onClick={props.onEntry}
      >
        {t("entry")} <kbd class="console-kbd" aria-hidden="true">Enter</kbd>
      </button>
    </section>
  );
}
