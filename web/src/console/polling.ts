/** Data that the console requests over HTTP, kept fresh, but not requested too often. */

import { signal, type ReadonlySignal } from "@preact/signals";

import { get, Problem, type Query } from "../live/index.ts";

/** The answer, or why there is none. */
export interface Answered<T> {
  readonly value: T | null;
  /** The sentence of the refusal. */
  readonly sentence: string | null;
}

/** Requests its data on `refresh`: at once if the last request is old, otherwise after a delay. */
export class Fresh<T> {
  readonly #answer = signal<Answered<T>>({ value: null, sentence: null });
  readonly #path: string;
  readonly #least: number;
  #query: Query = {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = -Infinity;
  /** Counts requests, so that an older answer does not replace a newer one. */
  #requests = 0;
  #ended = false;

  constructor(path: string, leastMs: number) {
    this.#path = path;
    this.#least = leastMs;
  }

  get answer(): ReadonlySignal<Answered<T>> {
    return this.#answer;
  }

  /** Request the data again soon. */
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
