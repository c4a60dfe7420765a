/**
 * Prevents a memory leak in Preact: frees the elements of old renderings.
 *
 * An element that was created once, and since then rendered only by its own signals, is still held
 * by its parent, with its first children. If a later rendering skipped one of them because nothing
 * in it had changed, that child refers to the later rendering, and so on: in the end to every
 * rendering ever made (preactjs/preact#4909). So an old element drops its children as soon as the
 * new ones are committed.
 */

import { options, type Component, type VNode } from "preact";

/** Preact's private fields of an element: its component and its rendered children. */
interface Drawn extends VNode {
  __c?: Component | null;
  __k?: unknown;
}

interface Hooks {
  diffed?: (drawn: Drawn) => void;
  /** Called when a rendering is committed. */
  __c?: (drawn: Drawn, queue: unknown) => void;
}

const newest = new WeakMap<Component, Drawn>();
const outdated: Drawn[] = [];

/** Free old renderings from now on. */
export function letGoOfOldTrees(hooks: Hooks = options as Hooks): void {
  const { diffed, __c: committed } = hooks;
  hooks.diffed = (drawn) => {
    const component = drawn.__c;
    if (component != null) {
      const before = newest.get(component);
      if (before !== undefined && before !== drawn) outdated.push(before);
      newest.set(component, drawn);
    }
    diffed?.(drawn);
  };
  hooks.__c = (drawn, queue) => {
    // Preact has compared the old children with the new ones, and does not need them any more.
    for (const old of outdated.splice(0)) old.__k = null;
    committed?.(drawn, queue);
  };
}
