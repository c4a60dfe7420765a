/** Short notices: something was done, or was refused. They stay long enough to be read. */

import { signal } from "@preact/signals";

import { useWords } from "../words/words.ts";
import { announce } from "./announcer.tsx";
import { Button } from "./controls/button.tsx";
import "./toasts.css";

export type Kind = "done" | "waits" | "refused";

interface Shown {
  readonly number: number;
  readonly text: string;
  readonly kind: Kind;
}

/** Notices that are shown at a time; the oldest makes room. */
const SHOWN_MAX = 4;
/** A slow reader takes 60 ms a letter; nobody takes less than five seconds to look up. */
const LEAST_MS = 5_000;
const LETTER_MS = 60;
const MARKS: Readonly<Record<Kind, string>> = { done: "✓", waits: "◷", refused: "✕" };

const shown = signal<readonly Shown[]>([]);
let count = 0;

/** Show a notice, and say it. A refusal stays until it is closed. */
export function notify(text: string, kind: Kind = "done"): void {
  const number = ++count;
  shown.value = [...shown.peek(), { number, text, kind }].slice(-SHOWN_MAX);
  announce(text);
  if (kind !== "refused") setTimeout(() => dismiss(number), LEAST_MS + LETTER_MS * text.length);
}

function dismiss(number: number): void {
  shown.value = shown.peek().filter((each) => each.number !== number);
}

/** Where notices are shown; there is one of it, in the shell. */
export function Toasts() {
  const t = useWords("shell");
  if (shown.value.length === 0) return null;
  return (
    <section class="toasts" aria-label={t("toasts")}>
      <ul>
        {shown.value.map(({ number, text, kind }) => (
          <li key={number} class={`toast toast-${kind}`}>
            <span aria-hidden="true">{MARKS[kind]}</span>
            <span class="toast-text">{text}</span>
            <Button kind="quiet" aria-label={t("close")} onClick={() => dismiss(number)}>
              ✕
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
