/** Announces changes to readers who use a screen reader. */

import { effect, signal } from "@preact/signals";

import { language, spokenLanguage } from "../words/words.ts";

export type Urgency = "polite" | "assertive";

interface Announcement {
  readonly text: string;
  /** A new key for each announcement, so that the same sentence is read out twice. */
  readonly turn: number;
}

const polite = signal<Announcement>({ text: "", turn: 0 });
const assertive = signal<Announcement>({ text: "", turn: 0 });

/** Announce something. Assertive is for "No more bets" and a lost connection only. */
export function announce(text: string, urgency: Urgency = "polite"): void {
  const region = urgency === "polite" ? polite : assertive;
  region.value = { text, turn: region.peek().turn + 1 };
}

/** Remove announcements in the old language, so that a screen reader does not find them. */
effect(() => {
  void language.value;
  // Announcements made while the words were loading are in the old language too.
  void spokenLanguage.value;
  for (const region of [polite, assertive]) region.value = { text: "", turn: region.peek().turn + 1 };
});

/** The two live regions, polite and assertive; the shell has one of this component. */
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
