/** Polls an address: requests it again and again, and keeps the last answer until a newer one. */

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
  /** When the next request is due, by the browser's steady time. */
  #due = Infinity;
  #last = -Infinity;
  /** Counts requests, so that an older answer does not replace a newer one. */
  #requests = 0;
  #running = false;

  constructor(path: string, everyMs: number, leastMs: number) {
    this.#path = path;
    this.#everyMs = everyMs;
    this.#leastMs = leastMs;
  }

  /** The last answer. */
  get answer(): ReadonlySignal<T | null> {
    return this.#answer;
  }

  /** Why the last request failed, in a sentence; null if it did not. */
  get fault(): ReadonlySignal<string | null> {
    return this.#fault;
  }

  /** Begin to poll, except while the page is hidden; returns a function that stops. */
  follow(): () => void {
    this.#running = true;
    // Answers contain sentences: in another language they are requested again at once.
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

  /** Request soon: at once if the last request is old, otherwise after the least interval. */
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
