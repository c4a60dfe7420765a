/** One player's game: the views of table and terminal, the slip, the stage, and the layout. */

import { batch, computed, effect, signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";

import type { LayoutView, OddsView, RecalledRound } from "../answers.ts";
import type { Link, LiveTable, LiveTerminal } from "../live/index.ts";
import { language } from "../words/words.ts";
import type { Stakes } from "./slip/draft.ts";
import { Slip } from "./slip/slip.ts";
import { Stage } from "./round/stage.ts";

/** The layout of a pay table, in a language, with its odds. */
export interface Printed {
  readonly layout: LayoutView;
  readonly odds: OddsView;
}

/** Why no bets can be placed now, as a key of the words. */
export type Obstacle =
  | "obstacle_line"
  | "obstacle_suspended"
  | "obstacle_stopped"
  | "obstacle_waiting"
  | "obstacle_in_doubt"
  | "obstacle_failed"
  | "obstacle_barred"
  | "obstacle_locked"
  | "obstacle_closed"
  | "obstacle_not_open";

/** Why a terminal takes no bets until staff have seen to it. */
export type Shut = Extract<Obstacle, "obstacle_failed" | "obstacle_barred" | "obstacle_locked">;

/** Why a terminal pays out no money; a barred terminal does pay out. */
export type Kept = Exclude<Shut, "obstacle_barred">;

export interface Game {
  readonly link: Link;
  readonly table: LiveTable;
  readonly terminal: LiveTerminal;
  readonly slip: Slip;
  readonly stage: Stage;
  readonly printed: ReadonlySignal<Printed | null>;
  readonly obstacle: ReadonlySignal<Obstacle | null>;
  /** Why this terminal takes no bets, whatever the state of the table. */
  readonly shut: ReadonlySignal<Shut | null>;
  /** Why this terminal prints no voucher. */
  readonly kept: ReadonlySignal<Kept | null>;
  /** Whether bets may be taken back: also at a locked or barred terminal, not at a failed one. */
  readonly canTakeBack: ReadonlySignal<boolean>;
  /** The last round with bets of this terminal, requested if its view has lost it. */
  readonly before: ReadonlySignal<RecalledRound | null>;
  /** The server's time, in milliseconds. */
  readonly now: () => number;
  /** The name of a box in the present language. */
  nameOf(box: string): string;
  end(): void;
}

const CLOSED_PHASES: ReadonlySet<string> = new Set(["no-more-bets", "result", "confirmed"]);

/** Requests the last rounds of this terminal, in a language. */
export type ReadRounds = (language: string) => Promise<readonly RecalledRound[]>;

export function openGame(
  link: Link,
  name: string,
  terminal: LiveTerminal,
  printed: ReadonlySignal<Printed | null>,
  readRounds: ReadRounds = async () => [],
): Game {
  const table = link.table(name);
  const stage = new Stage();
  const areas = computed(
    () => new Map(printed.value?.layout.areas.map((area) => [area.box, area] as const)),
  );
  const bets = computed<Stakes>(() => new Map(Object.entries(terminal.view.value?.bets ?? {})));
  const shut = computed(() => shutOf(terminal));
  const slip = new Slip({
    get terminal() {
      return terminal.view.peek()?.terminal ?? "";
    },
    credits: computed(() => terminal.view.value?.credits ?? 0),
    bets,
    last: computed(() => lastBets(terminal)),
    round: computed(() => table.view.value?.round ?? 0),
    limits: computed(() => table.view.value?.limits ?? null),
    held: (box) => bets.peek().get(box) ?? 0,
    kind: (box) => areas.value.get(box)?.kind ?? null,
    isShut: computed(() => shut.value !== null),
    ask: (command) => link.ask(name, command),
  });
  const { before, end: endBefore } = beforeOf(link, terminal, readRounds);
  const ends = [
    endBefore,
    retelling(stage, readRounds),
    table.onEvent((event) => {
      stage.receive(event);
      if (event.type === "BetsClosed") slip.betsClosed();
      if (event.type === "BetsOpened") slip.betsOpened();
    }),
    terminal.onEvent((event) => stage.receiveOwn(event, terminal.view.peek()?.last ?? null)),
    effect(() => {
      if (table.view.value !== null) stage.see(table.view.value);
    }),
  ];
  return {
    link,
    table,
    terminal,
    slip,
    stage,
    printed,
    obstacle: computed(() => obstacleOf(link, table, terminal)),
    shut,
    kept: computed(() => keptOf(terminal)),
    canTakeBack: computed(() => canTakeBack(link, table, terminal)),
    before,
    now: () => link.now(),
    nameOf: (box) => areas.value.get(box)?.name ?? box,
    end: () => {
      for (const end of ends) end();
      stage.end();
      slip.end();
      link.leave(name);
    },
  };
}

/** Request the last round if a terminal's view has none, as after a restart of the venue. */
function beforeOf(
  link: Link,
  terminal: LiveTerminal,
  readRounds: ReadRounds,
): { readonly before: ReadonlySignal<RecalledRound | null>; readonly end: () => void } {
  const before = signal<RecalledRound | null>(null);
  const isLost = computed(() => {
    const view = terminal.view.value;
    return link.status.value === "live" && view?.last === null && view.session_began !== null;
  });
  const end = effect(() => {
    const spoken = language.value;
    if (!isLost.value) {
      if (terminal.view.peek()?.last != null) before.value = null;
      return;
    }
    // If this fails, the player can open the last rounds, which show why.
    readRounds(spoken).then(
      (rounds) => (before.value = rounds.find(({ lines }) => lines.length > 0) ?? null),
      () => undefined,
    );
  });
  return { before, end };
}

/** Request again, in a new language, why a round is void. */
function retelling(stage: Stage, readRounds: ReadRounds): () => void {
  let before = language.peek();
  return effect(() => {
    const spoken = language.value;
    if (spoken === before) return;
    before = spoken;
    const number = stage.voided.peek()?.round;
    if (number === undefined) return;
    readRounds(spoken).then(
      (rounds) => {
        const sentence = rounds.find(({ round }) => round === number)?.sentence ?? null;
        if (sentence !== null && language.peek() === spoken) stage.retell(number, sentence);
      },
      () => undefined,
    );
  });
}

/** The terminal's stakes in the last round it played, settled or void. */
function lastBets(terminal: LiveTerminal): Stakes {
  const lines = terminal.view.value?.last?.lines ?? [];
  const stakes = new Map<string, number>();
  for (const { box, stake } of lines) stakes.set(box, (stakes.get(box) ?? 0) + stake);
  return stakes;
}

function obstacleOf(link: Link, table: LiveTable, terminal: LiveTerminal): Obstacle | null {
  return standstillOf(link, table, terminal) ?? shutOf(terminal) ?? phaseObstacleOf(table);
}

/** Why bets can be neither placed nor taken back, in any phase. */
function standstillOf(link: Link, table: LiveTable, terminal: LiveTerminal): Obstacle | null {
  const view = table.view.value;
  if (link.status.value !== "live" || view === null || terminal.view.value === null) return "obstacle_line";
  if (table.suspended.value) return "obstacle_suspended";
  if (view.stopped !== null) return "obstacle_stopped";
  if (view.waiting) return "obstacle_waiting";
  return view.doubts.length > 0 ? "obstacle_in_doubt" : null;
}

function phaseObstacleOf(table: LiveTable): Obstacle | null {
  const phase = table.view.value?.phase ?? "";
  if (phase === "betting") return null;
  return CLOSED_PHASES.has(phase) ? "obstacle_closed" : "obstacle_not_open";
}

function canTakeBack(link: Link, table: LiveTable, terminal: LiveTerminal): boolean {
  const isFailed = terminal.view.value?.failed === true;
  return !isFailed && (standstillOf(link, table, terminal) ?? phaseObstacleOf(table)) === null;
}

function shutOf(terminal: LiveTerminal): Shut | null {
  const own = terminal.view.value;
  if (own === null) return null;
  if (own.failed) return "obstacle_failed";
  if (own.barred) return "obstacle_barred";
  return own.locked ? "obstacle_locked" : null;
}

function keptOf(terminal: LiveTerminal): Kept | null {
  const own = terminal.view.value;
  if (own?.failed === true) return "obstacle_failed";
  return own?.locked === true ? "obstacle_locked" : null;
}

/** A table's layout and odds, requested again when the rules or the language change. */
export function printedOf(
  table: LiveTable,
  language: ReadonlySignal<string>,
  fetch: (payTable: string, sha256: string) => Promise<Printed>,
  failed: (error: unknown) => void,
): { readonly printed: ReadonlySignal<Printed | null>; readonly end: () => void } {
  const printed = signal<Printed | null>(null);
  const wanted = computed(() => {
    const rulebook = table.view.value?.rulebook;
    return rulebook ? `${rulebook.pay_table} ${rulebook.sha256} ${language.value}` : null;
  });
  const end = effect(() => {
    const address = wanted.value;
    if (address === null) return;
    const [payTable = "", sha256 = ""] = address.split(" ");
    fetch(payTable, sha256).then((found) => {
      // Another layout may have been requested meanwhile; the newest request counts.
      if (wanted.peek() === address) batch(() => (printed.value = found));
    }, failed);
  });
  return { printed, end };
}
