/** A house that a console under test talks to: it answers what it is told to, and keeps what it was asked. */

import { signal } from "@preact/signals";

import type { Link, TablePicture } from "../live/index.ts";
import type { Exposure, Refused, Registered, Step, Steps, TableView, WireCommand } from "../protocol.ts";

export const AT = 1_794_803_228_232;

export function step(command: string, standing: Step["standing"], more: Partial<Step> = {}): Step {
  return {
    command,
    label: command,
    standing,
    second: false,
    by: "dealer",
    sentence: null,
    clause: null,
    words: null,
    times: null,
    give: null,
    fields: [],
    ...more,
  };
}

export function steps(all: readonly Step[], pressed: readonly number[] = [], due: string | null = null): Steps {
  return { type: "Steps", table: "T1", due, steps: all, pressed };
}

export function view(more: Partial<TableView> = {}): TableView {
  return {
    table: "T1",
    currency: "SGD",
    phase: "ready",
    round: 7,
    tumbler: "keyed",
    rulebook: null,
    limits: null,
    totals: {},
    terminals: 4,
    faces: null,
    call: null,
    winners: [],
    notice_given: false,
    stopped: null,
    in_doubt: null,
    waiting: false,
    commitment: null,
    rounds: [],
    ...more,
  };
}

export function registered(more: Partial<Registered> = {}): Registered {
  return { type: "Registered", id: "1-a", to: "T1", first: 1, last: 1, at: AT, ...more };
}

export function refused(sentence: string, clause: string | null): Refused {
  return { type: "Refused", id: "1-a", code: "NO", sentence, clause, reason: { code: "NO", params: {} } };
}

export class FakeHouse {
  readonly asked: WireCommand[] = [];
  readonly steps = signal<Steps | null>(null);
  readonly view = signal<TableView | null>(view());
  answer: Registered | Refused = registered();

  readonly table: TablePicture = {
    name: "T1",
    view: this.view,
    total: () => signal(0),
    totals: signal(new Map<string, number>()),
    closesAt: signal<number | null>(null),
    dealer: signal<"automatic" | "person">("person"),
    suspended: signal(false),
    steps: this.steps,
    exposure: signal<Exposure | null>(null),
    onEvent: () => () => undefined,
  };

  readonly link: Link = {
    status: signal("live" as const),
    why: signal(null),
    welcome: signal(null),
    now: () => AT,
    table: () => this.table,
    listen: () => undefined,
    leave: () => undefined,
    terminal: null,
    ask: (_, command) => {
      this.asked.push(command);
      return Promise.resolve(this.answer);
    },
    grant: () => Promise.resolve(this.answer),
    deal: () => Promise.resolve({ type: "Done", id: "1-a" }),
    onStaff: () => () => undefined,
    onNotice: () => () => undefined,
    close: () => undefined,
  };
}
