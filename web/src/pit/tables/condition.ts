/** The state of a table: its flags in words and shapes, and how tables are filtered and sorted. */

import type { Alert, PitTable } from "../../answers.ts";
import type { LiveTable } from "../../live/index.ts";
import { cited, type Words } from "../../words/words.ts";

export type Level = Alert["level"];

/** Each level has its own shape, besides its colour and its word. */
export const SHAPES: Readonly<Record<Level, string>> = { act: "▲", watch: "◆", info: "●" };

/** An unusual condition of a table. */
export interface Flag {
  readonly code: string;
  readonly level: Level;
  readonly words: string;
}

/** The state of a table, from its live view or else from the newest report. */
export interface Condition {
  readonly phase: string;
  readonly suspended: boolean;
  readonly stopped: string | null;
  readonly inDoubt: boolean;
  readonly waiting: boolean;
  readonly noticeGiven: boolean;
  readonly automatic: boolean;
  readonly round: number;
}

export function conditionOf(reported: PitTable, live: LiveTable | null): Condition {
  const view = live?.view.value ?? null;
  const suspended = live === null || view === null ? reported.suspended : live.suspended.value;
  const dealer = live === null || view === null ? reported.dealer : live.dealer.value;
  return {
    phase: suspended ? "suspended" : view?.paying === true ? "paying" : (view?.phase ?? reported.phase),
    suspended,
    stopped: view === null ? reported.stopped : view.stopped,
    inDoubt: view === null ? reported.in_doubt !== null : view.doubts.length > 0,
    waiting: view === null ? reported.waiting : view.waiting,
    noticeGiven: view === null ? reported.notice_given : view.notice_given,
    automatic: dealer === "automatic",
    round: view?.round ?? reported.round,
  };
}

/** Whether a table's state is unknown: a suspended table sends nothing but its suspension. */
export function isUnreported({ reported, live }: Pick<Seen, "reported" | "live">): boolean {
  return reported.suspended && (live === null || live.view.value === null);
}

/** The stakes on a table now, and the most they can cost the house. */
export interface AtStake {
  readonly staked: number;
  readonly worst: number;
}

/** Live, since it changes twice a second; a component that reads it is drawn as often. */
export function atStake(reported: PitTable, live: LiveTable | null): AtStake {
  const exposure = live?.exposure.value ?? null;
  if (exposure === null) return reported;
  // If the house gains on every result, the worst one costs nothing.
  return { staked: exposure.staked, worst: Math.max(0, exposure.worst) };
}

/** Alerts that a table's card shows as flags; other flags come from the table's state. */
const FLAGGED = {
  PIT_TERMINALS_LOCKED: "flag_locked",
  PIT_TERMINALS_FAILED: "flag_failed",
  PIT_HOLD_OUTSIDE: "flag_outside",
  PIT_DICE_ALARM: "flag_dice",
  PIT_OPENING_DIFFERS: "flag_count",
  PIT_DROP_DIFFERS: "flag_count",
  PIT_CLOSING_DIFFERS: "flag_count",
  PIT_FILL_LATE: "flag_fill",
  PIT_CREDIT_LATE: "flag_credit",
} as const;

function isFlagged(code: string): code is keyof typeof FLAGGED {
  return Object.hasOwn(FLAGGED, code);
}

/** The flags of a table, the most serious first. */
export function flagsOf(
  t: Words<"pit">,
  condition: Condition,
  pending: boolean,
  alerts: readonly Alert[],
): readonly Flag[] {
  const flags: Flag[] = [];
  const add = (is: boolean, code: string, level: Level, words: string): void => {
    if (is) flags.push({ code, level, words });
  };
  add(condition.suspended, "suspended", "act", t("flag_suspended"));
  add(condition.stopped !== null, "stopped", "act", t("flag_stopped", { ground: cited(t, condition.stopped ?? "") }));
  add(condition.inDoubt, "in-doubt", "act", t("flag_in_doubt"));
  add(condition.waiting, "waiting", "act", t("flag_waiting"));
  add(pending, "pending", "act", t("flag_pending"));
  for (const { code, level } of alerts) {
    // Several counts may differ: one flag is enough, and the alerts say which.
    if (isFlagged(code)) add(!flags.some((each) => each.code === FLAGGED[code]), FLAGGED[code], level, t(FLAGGED[code]));
  }
  // At a closed table the notice is over.
  add(condition.noticeGiven && isOpen(condition), "notice", "info", t("flag_notice"));
  const order: Readonly<Record<Level, number>> = { act: 0, watch: 1, info: 2 };
  return flags.toSorted((one, other) => order[one.level] - order[other.level]);
}

/** Whether a table needs attention. */
export function wantsAttention(flags: readonly Flag[]): boolean {
  return flags.some(({ level }) => level !== "info");
}

/** Whether a table is open to play. */
export function isOpen({ phase }: Pick<Condition, "phase">): boolean {
  return phase !== "new" && phase !== "closed" && phase !== "suspended";
}

export const FILTERS = ["all", "open", "closed", "attention"] as const;
export type Filter = (typeof FILTERS)[number];

export function isIn(filter: Filter, condition: Condition, flags: readonly Flag[]): boolean {
  switch (filter) {
    case "all":
      return true;
    case "open":
      return isOpen(condition);
    case "closed":
      return !isOpen(condition) && !condition.suspended;
    case "attention":
      return wantsAttention(flags);
  }
}

export const ORDERS = ["name", "attention", "staked", "worst", "win", "deviation"] as const;
export type Order = (typeof ORDERS)[number];

/** A table with all values that are shown or sorted by. */
export interface Seen {
  readonly reported: PitTable;
  readonly live: LiveTable | null;
  readonly condition: Condition;
  readonly flags: readonly Flag[];
}

/** Sort keys of tables, the largest first; equal tables stay in the server's order. */
const KEYS: Readonly<Record<Exclude<Order, "name">, (seen: Seen) => number>> = {
  attention: ({ flags }) => flags.reduce((sum, { level }) => sum + { act: 100, watch: 10, info: 1 }[level], 0),
  // From the report, not live: cards that change places with every bet could not be read.
  staked: ({ reported }) => reported.staked,
  worst: ({ reported }) => reported.worst,
  win: ({ reported }) => reported.figures?.win ?? -Infinity,
  deviation: ({ reported }) => Math.abs(reported.figures?.deviation ?? 0),
};

export function sorted(tables: readonly Seen[], order: Order): readonly Seen[] {
  if (order === "name") return tables;
  const key = KEYS[order];
  return tables.toSorted((one, other) => key(other) - key(one));
}
