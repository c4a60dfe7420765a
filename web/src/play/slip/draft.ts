/** A player's draft: the stakes on each box before they are sent, with undo and redo. */

/** Stakes by box, in minor units; an empty box has no entry. */
export type Stakes = ReadonlyMap<string, number>;

/** A draft, with older ones to undo to (`past`) and newer to redo to (`future`), nearest last. */
export interface Draft {
  readonly stakes: Stakes;
  readonly past: readonly Stakes[];
  readonly future: readonly Stakes[];
}

/** The most steps that can be undone; the oldest are dropped first. */
export const STEPS_MAX = 200;

export const EMPTY: Draft = { stakes: new Map(), past: [], future: [] };

/** Replace the stakes of a draft, as one step. */
export function change(draft: Draft, stakes: Stakes): Draft {
  const laid = new Map([...stakes].filter(([, stake]) => stake > 0));
  if (same(draft.stakes, laid)) return draft;
  return { stakes: laid, past: [...draft.past, draft.stakes].slice(-STEPS_MAX), future: [] };
}

/** Add an amount to a box. */
export function put(draft: Draft, box: string, amount: number): Draft {
  return change(draft, new Map(draft.stakes).set(box, (draft.stakes.get(box) ?? 0) + amount));
}

/** Remove a box from the draft. */
export function takeOff(draft: Draft, box: string): Draft {
  return change(draft, new Map([...draft.stakes].filter(([other]) => other !== box)));
}

/** Add several amounts to their boxes, as one step. */
export function addAll(draft: Draft, more: Stakes): Draft {
  return change(draft, add(draft.stakes, more));
}

export function clear(draft: Draft): Draft {
  return change(draft, new Map());
}

export function undo(draft: Draft): Draft {
  const before = draft.past.at(-1);
  if (before === undefined) return draft;
  return {
    stakes: before,
    past: draft.past.slice(0, -1),
    future: [...draft.future, draft.stakes],
  };
}

export function redo(draft: Draft): Draft {
  const next = draft.future.at(-1);
  if (next === undefined) return draft;
  return {
    stakes: next,
    past: [...draft.past, draft.stakes].slice(-STEPS_MAX),
    future: draft.future.slice(0, -1),
  };
}

/** The sum of all boxes. */
export function sum(stakes: Stakes): number {
  let all = 0;
  for (const stake of stakes.values()) all += stake;
  return all;
}

export function add(stakes: Stakes, more: Stakes): Stakes {
  const both = new Map(stakes);
  for (const [box, stake] of more) both.set(box, (both.get(box) ?? 0) + stake);
  return both;
}

export function times(stakes: Stakes, factor: number): Stakes {
  return new Map([...stakes].map(([box, stake]) => [box, stake * factor]));
}

function same(one: Stakes, other: Stakes): boolean {
  return one.size === other.size && [...one].every(([box, stake]) => other.get(box) === stake);
}
