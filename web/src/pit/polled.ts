/** Something asked for again and again; what was answered last stays until there is newer. */

import { signal, type ReadonlySignal } from "@preact/signals";

import { get, Problem } from "../live/index.ts";
import { language } from "../words/words.ts";

export class Polled<T> {
  readonly #answer = signal<T | null>(null);
  readonly #fault = signal<string | null>(null);
  readonly #path: string;
  readonly #everyMs: number;
  readonly #leastMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When it is asked next, by the browser's steady time. */
  #due = Infinity;
  #last = -Infinity;
  /** Counts what was asked, so that an older answer does not replace a newer one. */
  #requests = 0;
  #running = false;

  constructor(path: string, everyMs: number, leastMs: number) {
    this.#path = path;
    this.#everyMs = everyMs;
    this.#leastMs = leastMs;
  }

  /** What was answered last. */
  get answer(): ReadonlySignal<T | null> {
    return this.#answer;
  }

  /** Why there is no newer answer, in a sentence; null: there is. */
  get fault(): ReadonlySignal<string | null> {
    return this.#fault;
  }

  /** Begin to ask; gives what ends it. Nobody looks at a page that is hidden, and it asks nothing. */
  follow(): () => void {
    this.#running = true;
    // What the server says it says in a language: another is asked for at once, whatever was before.
    const endTongue = language.subscribe(() => this.#askAt(performance.now()));
    const seen = (): void => {
      if (!document.hidden) this.refresh();
    };
    document.addEventListener("visibilitychange", seen);
    return () => {
      this.#running = false;
      endTongue();
      clearTimeout(this.#timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }

  /** Ask soon: at once if that was long ago, otherwise after the least time between two. */
  refresh(): void {
    this.#askAt(Math.max(performance.now(), this.#last + this.#leastMs));
  }

  #askAt(due: number): void {
    if (!this.#running || (this.#timer !== undefined && this.#due <= due)) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (document.hidden) return;
      this.#last = performance.now();
      this.#ask().catch(reportError);
    }, due - performance.now());
  }

  async #ask(): Promise<void> {
    const turn = ++this.#requests;
    let answer: T | null = null;
    let fault: string | null = null;
    try {
      answer = await get<T>(this.#path, { language: true });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      fault = error.message;
    }
    if (turn !== this.#requests || !this.#running) return;
    this.#fault.value = fault;
    if (answer !== null) this.#answer.value = answer;
    this.#askAt(this.#last + this.#everyMs);
  }
}
