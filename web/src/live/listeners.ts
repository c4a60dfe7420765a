/** Whoever wants to hear of something, told in the order they came. */

/** Listeners at one place; more are the mistake of a screen that never stops listening. */
const LISTENERS_MAX = 100;

export class Listeners<Told extends readonly unknown[]> {
  #all = new Set<(...told: Told) => void>();

  /** Listen from now on; gives what ends it. */
  add(heard: (...told: Told) => void): () => void {
    if (this.#all.size >= LISTENERS_MAX) {
      throw new Error(`${LISTENERS_MAX} listen here already; each must stop when it is done.`);
    }
    // A function of its own, so that the same one may listen twice and stop once.
    const own = (...told: Told): void => {
      heard(...told);
    };
    this.#all.add(own);
    return () => {
      this.#all.delete(own);
    };
  }

  /** Tell everybody; one that fails is reported, and keeps nothing from the others. */
  tell(...told: Told): void {
    for (const heard of [...this.#all]) {
      try {
        heard(...told);
      } catch (error) {
        console.error(error);
      }
    }
  }
}
