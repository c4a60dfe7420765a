/**
 * Lets go of what was drawn before.
 *
 * An element that was written once, and drawn again by its own signals ever since, stays with whoever
 * wrote it, and keeps what it first drew. Where a part of that was passed over in a later drawing,
 * because nothing in it had changed, the same part leads on to that later drawing, and from there to
 * the next: in the end to all that were ever made (preactjs/preact#4909). So whatever has been drawn
 * again gives up its parts as soon as the new ones stand.
 */

import { options, type Component, type VNode } from "preact";

/** What Preact keeps of an element: its component, and the parts that were drawn for it. */
interface Drawn extends VNode {
  __c?: Component | null;
  __k?: unknown;
}

interface Hooks {
  diffed?: (drawn: Drawn) => void;
  /** Everything is drawn. */
  __c?: (drawn: Drawn, queue: unknown) => void;
}

const newest = new WeakMap<Component, Drawn>();
const outdated: Drawn[] = [];

/** Let go of old drawings from now on. */
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
    // Until now the old parts were compared with the new ones; nobody asks for them any more.
    for (const old of outdated.splice(0)) old.__k = null;
    committed?.(drawn, queue);
  };
}
