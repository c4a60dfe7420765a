/** The data of a table on a wall screen: its present state, scene by scene, and past rounds. */

import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";

import { roundsOf, type Link, type LiveTable } from "../live/index.ts";
import { Stage, type Scene } from "../play/round/stage.ts";
import type { RoundSummary } from "../protocol.ts";

/** Scenes between two rounds. */
const BETWEEN: ReadonlySet<Scene> = new Set(["idle", "over", "void"]);

/** Conditions that stop play: the first that holds is shown, a round's own before a stopped table's. */
const TROUBLES = {
  suspended: ({ suspended }: LiveTable) => suspended.value,
  waiting: ({ view }: LiveTable) => view.value?.waiting ?? false,
  in_doubt: ({ view }: LiveTable) => (view.value?.doubts ?? []).length > 0,
  // A table stops after the round, so the result is still shown.
  stopped: ({ view }: LiveTable, scene: Scene) => (view.value?.stopped ?? null) !== null && BETWEEN.has(scene),
} as const;

type Trouble = keyof typeof TROUBLES;
const IN_ORDER = Object.keys(TROUBLES) as readonly Trouble[];

/** What the screen shows now; `paying` is a chip table whose losing bets are collected. */
export type Matter = Trouble | "shut" | "paying" | Scene;

export interface Watched {
  readonly table: LiveTable;
  readonly stage: Stage;
  readonly matter: ReadonlySignal<Matter>;
  /** Whether a tumble that was just recorded is drawn. */
  readonly rolling: ReadonlySignal<boolean>;
  /** Finished rounds, oldest first, without a round whose dice are still to be shown. */
  readonly rounds: ReadonlySignal<readonly RoundSummary[]>;
  readonly now: () => number;
  end(): void;
}

/** Scenes with the dice of a round; the roads must not show them earlier. */
const SHOWING: ReadonlySet<Scene> = new Set(["closed", "result", "lit", "collect", "pay"]);

function matterOf(table: LiveTable, scene: Scene): Matter {
  const trouble = IN_ORDER.find((each) => TROUBLES[each](table, scene));
  if (trouble !== undefined) return trouble;
  if (table.view.value?.paying === true && scene === "lit") return "paying";
  const phase = table.view.value?.phase;
  const isShut = phase === "closed" || phase === "new";
  return isShut && scene === "idle" ? "shut" : scene;
}

/** Follow a table; call `end` when it is no longer shown. */
export function watch(link: Link, name: string): Watched {
  const table = link.table(name);
  const stage = new Stage();
  const rounds = signal<readonly RoundSummary[]>([]);
  const ends = [
    table.onEvent((event) => stage.receive(event)),
    effect(() => {
      if (table.view.value !== null) stage.see(table.view.value);
    }),
    effect(() => {
      const known = roundsOf(table.view.value);
      if (!SHOWING.has(stage.scene.value)) rounds.value = known;
    }),
  ];
  return {
    table,
    stage,
    rounds,
    matter: computed(() => matterOf(table, stage.scene.value)),
    rolling: computed(() => stage.rolling.value && !table.suspended.value),
    now: () => link.now(),
    end: () => {
      for (const end of ends) end();
      stage.end();
      link.leave(name);
    },
  };
}
