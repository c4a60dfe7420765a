/** What the console asks for over HTTP, kept fresh, and never more often than it is worth. */

import { signal, type ReadonlySignal } from "@preact/signals";

import { get, Problem, type Query } from "../live/index.ts";

/** What was answered, or why nothing was. */
export interface Answered<T> {
  readonly value: T | null;
  /** The sentence of the refusal. */
  readonly sentence: string | null;
}

/** Asks again on request: at once if that was long ago, otherwise after a while. */
export class Fresh<T> {
  readonly #answer = signal<Answered<T>>({ value: null, sentence: null });
  readonly #path: string;
  readonly #least: number;
  #query: Query = {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = -Infinity;
  /** Counts what was asked, so that an older answer does not replace a newer one. */
  #requests = 0;
  #ended = false;

  constructor(path: string, leastMs: number) {
    this.#path = path;
    this.#least = leastMs;
  }

  get answer(): ReadonlySignal<Answered<T>> {
    return this.#answer;
  }

  /** Ask again, soon. */
  refresh(query: Query = this.#query): void {
    this.#query = query;
    if (this.#timer !== undefined || this.#ended) return;
    const wait = Math.max(0, this.#last + this.#least - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#last = performance.now();
      void this.#ask();
    }, wait);
  }

  async #ask(): Promise<void> {
    const turn = ++this.#requests;
    let answer: Answered<T>;
    try {
      answer = { value: await get<T>(this.#path, { language: true, ...this.#query }), sentence: null };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      answer = { value: null, sentence: error.message };
    }
    if (turn === this.#requests && !this.#ended) this.#answer.value = answer;
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }
}
