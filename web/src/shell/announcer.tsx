/** What changed, said to whoever listens instead of looking. */

import { effect, signal } from "@preact/signals";

import { language, spokenLanguage } from "../words/words.ts";

export type Urgency = "polite" | "assertive";

interface Announcement {
  readonly text: string;
  /** The same sentence twice is news twice: each time it is another element. */
  readonly turn: number;
}

const polite = signal<Announcement>({ text: "", turn: 0 });
const assertive = signal<Announcement>({ text: "", turn: 0 });

/** Say something. Assertive is for "No more bets" and a lost connection alone. */
export function announce(text: string, urgency: Urgency = "polite"): void {
  const region = urgency === "polite" ? polite : assertive;
  region.value = { text, turn: region.peek().turn + 1 };
}

/** What was announced in another language is over, and is not there to be found. */
effect(() => {
  void language.value;
  // What was announced while the words were still being read is of the old language too.
  void spokenLanguage.value;
  for (const region of [polite, assertive]) region.value = { text: "", turn: region.peek().turn + 1 };
});

/** The two places where it is said; there is one of them, in the shell. */
export function Announcer() {
  return (
    <div class="unseen">
      <div role="status" aria-live="polite" aria-atomic="true">
        <span key={polite.value.turn}>{polite.value.text}</span>
      </div>
      <div role="alert" aria-live="assertive" aria-atomic="true">
        <span key={assertive.value.turn}>{assertive.value.text}</span>
      </div>
    </div>
  );
}
