/** Amounts on boxes, one signal per box: ten changes a second render only the changed boxes. */

import { batch, signal, type ReadonlySignal, type Signal } from "@preact/signals";

export class BoxAmounts {
  readonly #all = signal<ReadonlyMap<string, number>>(new Map());
  readonly #each = new Map<string, Signal<number>>();

  /** Every box that has anything on it. */
  get all(): ReadonlySignal<ReadonlyMap<string, number>> {
    return this.#all;
  }

  /** What is on one box, now and from now on. */
  of(box: string): ReadonlySignal<number> {
    let amount = this.#each.get(box);
    if (amount === undefined) {
      amount = signal(this.#all.peek().get(box) ?? 0);
      this.#each.set(box, amount);
    }
    return amount;
  }

  /** Replace all amounts by these. */
  replace(amounts: Readonly<Record<string, number>>): void {
    this.#show(new Map(Object.entries(amounts).filter(([, amount]) => amount > 0)));
  }

  /** Apply changed amounts; null means that all boxes are empty. */
  change(amounts: Readonly<Record<string, number | null>> | null): void {
    const all = new Map(amounts === null ? [] : this.#all.peek());
    for (const [box, amount] of Object.entries(amounts ?? {})) {
      if (amount === null) all.delete(box);
      else all.set(box, amount);
    }
    this.#show(all);
  }

  #show(all: ReadonlyMap<string, number>): void {
    batch(() => {
      this.#all.value = all;
      for (const [box, amount] of this.#each) amount.value = all.get(box) ?? 0;
    });
  }
}
