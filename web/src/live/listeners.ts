/** A list of listeners, called in the order in which they were added. */

/** The most listeners of one list; more mean a screen with a bug that never stops listening. */
const LISTENERS_MAX = 100;

export class Listeners<News extends readonly unknown[]> {
  #all = new Set<(...news: News) => void>();

  /** Add a listener; returns a function that removes it. */
  add(listener: (...news: News) => void): () => void {
    if (this.#all.size >= LISTENERS_MAX) {
      throw new Error(`${LISTENERS_MAX} listen here already; each must stop when it is done.`);
    }
    // Wrapped, so that the same function may be added twice and removed once.
    const own = (...news: News): void => {
      listener(...news);
    };
    this.#all.add(own);
    return () => {
      this.#all.delete(own);
    };
  }

  /** Call every listener; one that throws is reported, and the others are still called. */
  notify(...news: News): void {
    for (const listener of [...this.#all]) {
      try {
        listener(...news);
      } catch (error) {
        console.error(error);
      }
    }
  }
}
