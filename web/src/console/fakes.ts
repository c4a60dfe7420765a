/** A fake server for tests of the console: gives prepared answers, and records what was sent. */

import { signal } from "@preact/signals";

import type { ChipTable, ChipStack, Link, LiveTable } from "../live/index.ts";
import type {
  Exposure,
  ChipSeat,
  Refused,
  Registered,
  Staff,
  Step,
  Steps,
  TableView,
  WireCommand,
} from "../protocol.ts";

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
    sign: [],
    operator: null,
    apart: [],
    put_away: [],
    totals: {},
    terminals: 4,
    tumbled: false,
    uncovered: false,
    faces: null,
    call: null,
    winners: [], tested: null, lit: [],
    notice_given: false,
    stopped: null,
    doubts: [],
    waiting: false,
    commitment: null,
    rounds: {},
    form: "terminals",
    seats: 0,
    taken: [],
    marked: [],
    paying: false,
    interrupted: false,
    ...more,
  };
}

/** A player at a chip table, with pieces of a colour at a dollar each, or without a colour. */
export function player(seat: string, colour: string | null, more: Partial<ChipSeat> = {}): ChipSeat {
  const [value, pieces] = colour === null ? [null, 0] : [100, 100];
  return { seat, away: false, colour, value, pieces, credits: 10_000, staked: 0, session: "", ...more };
}

/** A chip table of eight seats with chips of 1, 5, 25 and 100. */
export function chipTable(seats: readonly ChipSeat[], stacks: readonly ChipStack[] = [], more: Partial<ChipTable> = {}): ChipTable {
  return {
    type: "ChipTableView",
    table: "T1",
    chip_set: { values: [100, 500, 2_500, 10_000], seats: 8, colours: ["red", "blue"], pieces: 300 },
    seats,
    stacks,
    notices: [],
    rack: [
      [10_000, 20],
      [2_500, 20],
      [500, 40],
      [100, 100],
    ],
    rack_value: 280_000,
    colours: { red: 200, blue: 200 },
    paying: false,
    reading: "open",
    next_date: "2026-11-16",
    ...more,
  };
}

export function registered(more: Partial<Registered> = {}): Registered {
  return { type: "Registered", id: "1-a", to: "T1", first: 1, last: 1, at: AT, ...more };
}

export function refused(sentence: string, clause: string | null): Refused {
  return { type: "Refused", id: "1-a", code: "NO", sentence, clause, reason: { code: "NO", params: {} } };
}

export class FakeServer {
  readonly sent: WireCommand[] = [];
  readonly steps = signal<Steps | null>(null);
  readonly view = signal<TableView | null>(view());
  readonly chipTable = signal<ChipTable | null>(null);
  answer: Registered | Refused = registered();
  readonly #staff = new Set<(message: Staff) => void>();

  /** Send staff listeners the events of the cage or the venue. */
  tells(message: Staff): void {
    for (const each of this.#staff) each(message);
  }

  readonly table: LiveTable = {
    name: "T1",
    view: this.view,
    total: () => signal(0),
    totals: signal(new Map<string, number>()),
    closesAt: signal<number | null>(null),
    dealer: signal<"automatic" | "person">("person"),
    suspended: signal(false),
    steps: this.steps,
    exposure: signal<Exposure | null>(null),
    chipTable: this.chipTable,
    onEvent: () => () => undefined,
  };

  readonly link: Link = {
    status: signal("live" as const),
    why: signal(null),
    welcome: signal(null),
    behind: signal(null),
    now: () => AT,
    table: () => this.table,
    listen: () => undefined,
    leave: () => undefined,
    terminal: null,
    ask: (_, command) => {
      this.sent.push(command);
      return Promise.resolve(this.answer);
    },
    grant: () => Promise.resolve(this.answer),
    deal: () => Promise.resolve({ type: "Done", id: "1-a" }),
    onStaff: (listener) => {
      this.#staff.add(listener);
      return () => this.#staff.delete(listener);
    },
    onNotice: () => () => undefined,
    close: () => undefined,
  };
}
