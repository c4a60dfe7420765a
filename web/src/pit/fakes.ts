/** Fakes for the tests of the pit: a server, a table, its figures, and a floor. */

import type { Alert, Awaited, FiguresView, Opening, Pit, PitTable, SessionView, Wanted } from "../answers.ts";
import { FakeServer } from "../console/fakes.ts";
import type { Role, Step } from "../protocol.ts";
import { Floor } from "./floor.ts";
import { conditionOf, type Seen } from "./tables/condition.ts";

export const AT = 1_794_803_228_232;

export const FIGURES: FiguresView = {
  rounds: 1_204,
  void: 2,
  reversed: 0,
  bets: 9_630,
  turnover: 4_815_000,
  win: 124_000,
  theory: 98_000,
  sigma: 61_050,
  band: { low: -21_658, high: 217_658, lowest: -59_509, highest: 255_509 },
  deviation: 0.43,
  standing: "within",
  hold_percent: 2.58,
  theory_percent: 2.04,
  amendments: 1,
  irregularities: 2,
  first_at: AT - 100_000,
  last_at: AT,
  rounds_per_hour: 58.4,
};

export const TABLE: PitTable = {
  table: "T1",
  phase: "betting",
  round: 1_207,
  suspended: false,
  dealer: "person",
  place: null,
  dealt_by: "Dan Ong",
  why: null,
  title: "Tai Sai",
  pay_table: "ts6/2",
  publisher: "Resorts World at Sentosa",
  version: "6",
  layout: "Appendix C",
  boxes: 104,
  tumbler: "simulated",
  limits: { minimum: 100, maximum: 1_000_000, step: 100 },
  notice_given: false,
  stopped: null,
  in_doubt: null,
  waiting: false,
  pending: false,
  terminals: 12,
  connected: 9,
  locked: 0,
  barred: 0,
  staked: 8_400,
  worst: 35_100,
  last: null,
  form: "terminals",
  day: null,
  today: null,
  drop: 900_000,
  out: 610_000,
  figures: FIGURES,
  fairness: [],
  kinds: [],
};

export function pitOf(tables: readonly PitTable[], alerts: readonly Alert[] = []): Pit {
  return { at: AT, currency: "SGD", date: "2026-11-16", tables, dealers: [], kinds: [], alerts, catching_up: null, clock: null };
}

/** An alert that nobody has handled. */
export function alertOf(more: Partial<Alert> = {}): Alert {
  const said = { at: null, table: "T1", code: "PIT_STOPPED", level: "act", sentence: "table T1 is stopped" } as const;
  return { ...said, alert: `${more.code ?? said.code} ${more.table ?? ""} ${more.at ?? ""}`, since: AT, care: null, ...more };
}

export function whoIs(role: Role, person = "Petra"): SessionView {
  return { person, role, began: AT, expires: AT + 1, idle_at: AT + 1 };
}

/** A floor with one table, whose server gives prepared answers. */
export function floorOf(role: Role = "pit-manager"): { readonly server: FakeServer; readonly floor: Floor } {
  const server = new FakeServer();
  return { server, floor: new Floor(server.link, whoIs(role)) };
}

export function seenOf(reported: PitTable, server: FakeServer | null = null): Seen {
  const live = server?.table ?? null;
  return { reported, live, condition: conditionOf(reported, live), flags: [] };
}

export function stepOf(command: string, more: Partial<Step> = {}): Step {
  return {
    command,
    label: command,
    standing: "open",
    second: false,
    by: "pit",
    sentence: null,
    clause: null,
    words: null,
    times: null,
    give: null,
    fields: [],
    ...more,
  };
}

export function wanted(code: string, done: boolean, step: Step, more: Partial<Wanted> = {}): Wanted {
  return { code, name: `The ${code}`, done, value: null, clause: null, step, withdraw: null, ...more };
}

export function openingOf(all: readonly Wanted[]): Opening {
  const lacking = all.filter(({ done }) => !done);
  return {
    table: "T1",
    phase: "closed",
    open: false,
    ready: lacking.length === 1 && lacking[0]?.code === "open",
    checked_by: "Casino Supervisor",
    wanted: all,
  };
}

export const AWAITED: Awaited = {
  to: "T1",
  pending: "hash",
  version: 41,
  person: "Petra",
  role: "pit-manager",
  sentence: "change the limits",
  command: { type: "SetLimits", limits: { minimum: 500, maximum: 500_000, boxes: {} } },
  at: AT,
  expires: AT + 60_000,
  approved_by: ["pit-manager", "shift-manager", "supervisor"],
};
