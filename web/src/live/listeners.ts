/** Listeners to something, called in the order they came. */

/** Listeners at one place; more are the mistake of a screen that never stops listening. */
const LISTENERS_MAX = 100;

export class Listeners<News extends readonly unknown[]> {
  #all = new Set<(...news: News) => void>();

  /** Listen from now on; gives what ends it. */
  add(listener: (...news: News) => void): () => void {
    if (this.#all.size >= LISTENERS_MAX) {
      throw new Error(`${LISTENERS_MAX} listen here already; each must stop when it is done.`);
    }
    // A function of its own, so that the same one may listen twice and stop once.
    const own = (...news: News): void => {
      listener(...news);
    };
    this.#all.add(own);
    return () => {
      this.#all.delete(own);
    };
  }

  /** Call everybody; one that fails is reported, and keeps nothing from the others. */
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
