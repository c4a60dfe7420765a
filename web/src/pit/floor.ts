/** The pit's data: every table live, its figures, pending commands, and the evidence on dice. */

import { effect, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";

import type { Alert, Awaited, DrawerView, Pit, PitTable, SessionView } from "../answers.ts";
import { SHOWN_EVENTS } from "../declared.ts";
import { type Link, type LiveTable } from "../live/index.ts";
import type { AnyEvent, Refused, Registered, WireCommand } from "../protocol.ts";
import { announce } from "../shell/index.ts";
import { declined, granted } from "./attention/second_person.ts";
import { Polled } from "./polled.ts";

/** How often the figures are requested. */
const EVERY_MS = 5_000;
const LEAST_MS = 1_000;
/** The socket sends events of pending commands; the list is also polled, in case one is missed. */
const APPROVALS_MS = 10_000;
const APPROVALS_LEAST_MS = 150;
const DRAWER_LEAST_MS = 500;
/** One connection may watch a hundred streams; the cage and the venue are two of them. */
export const WATCHED_MAX = 98;
/** How many points are kept of the evidence against a set of dice. */
export const POINTS_MAX = 240;

/** The evidence against a set of dice after a number of throws. */
export interface Point {
  readonly throws: number;
  readonly evidence: number;
}

/** Events that change what the pit shows, apart from the play of rounds. */
const SHOWN: ReadonlySet<AnyEvent["type"]> = new Set(SHOWN_EVENTS);
const OF_APPROVALS: ReadonlySet<AnyEvent["type"]> = new Set<AnyEvent["type"]>([
  ...(["ApprovalRequested", "CommandApproved", "CommandDeclined"] as const),
]);

/** The key of an alert, the same however often it is sent. */
export function nameOf(alert: Alert): string {
  return alert.alert;
}

export class Floor {
  readonly link: Link;
  readonly who: SessionView;
  readonly pit = new Polled<Pit>("/api/pit", EVERY_MS, LEAST_MS);
  readonly approvals = new Polled<readonly Awaited[]>("/api/approvals", APPROVALS_MS, APPROVALS_LEAST_MS);
  /** The cage; requested only while it is shown. */
  readonly drawer = new Polled<DrawerView>("/api/cage/drawer", EVERY_MS, DRAWER_LEAST_MS);
  /** The table shown last, to return the focus to. */
  readonly last = signal<string | null>(null);
  /** Commands given here that wait for a second person, each with its time limit. */
  readonly #ourPending = new Map<string, number>();
  readonly #points = signal<ReadonlyMap<string, readonly Point[]>>(new Map());
  #known: ReadonlySet<string> | null = null;

  constructor(link: Link, who: SessionView) {
    this.link = link;
    this.who = who;
  }

  /** The server's time. */
  readonly now = (): number => this.link.now();

  /** Whether the person logged in may give commands: an auditor only reads. */
  get mayAct(): boolean {
    return this.who.role !== "auditor";
  }

  /** Whether the person logged in is a cashier, who sees only the cage. */
  get isCage(): boolean {
    return this.who.role === "cage";
  }

  /** The live view of a table; null for tables beyond the number one connection may watch. */
  picture(name: string): LiveTable | null {
    const place = (this.pit.answer.value?.tables ?? []).findIndex(({ table }) => table === name);
    return place < WATCHED_MAX ? this.link.table(name) : null;
  }

  /** A table in the newest report. */
  reported(name: string): PitTable | null {
    return this.pit.answer.value?.tables.find(({ table }) => table === name) ?? null;
  }

  /** Pending commands, of all tables or of one. */
  waiting(to?: string): readonly Awaited[] {
    const all = this.approvals.answer.value ?? [];
    return to === undefined ? all : all.filter((each) => each.to === to);
  }

  /** The evidence against a set of dice since this page was opened, the oldest first. */
  points(table: string, diceSet: string): readonly Point[] {
    return this.#points.value.get(`${table} ${diceSet}`) ?? [];
  }

  async ask(table: string, command: WireCommand): Promise<Registered | Refused> {
    const answer = await this.link.ask(table, command);
    if (answer.type === "Registered" && answer.pending != null) {
      this.#ourPending.set(answer.pending, answer.expires ?? Infinity);
    }
    this.approvals.refresh();
    this.pit.refresh();
    this.drawer.refresh();
    return answer;
  }

  /** Follow a pending command that was given over HTTP. */
  expect(pending: string, expires: number | null): void {
    this.#ourPending.set(pending, expires ?? Infinity);
  }

  /** Grant a pending command; returns the sentence of a refusal, or null. */
  readonly grant = (awaited: Awaited, pin: string): Promise<string | null> =>
    granted(this.link, awaited, pin).finally(() => this.approvals.refresh());

  /** Decline a pending command; returns the sentence of a refusal, or null. */
  readonly decline = (awaited: Awaited, note: string): Promise<string | null> =>
    declined(awaited, note).finally(() => this.approvals.refresh());

  /** Listen for commands given here that are declined, and by whom; null if the time ran out. */
  onEnded(listener: (by: string | null) => void): () => void {
    const unsubscribe = this.link.onStaff(({ events }) => {
      for (const event of events) {
        if (event.type !== "CommandApproved" && event.type !== "CommandDeclined") continue;
        const ours = this.#ourPending.delete(event.pending);
        if (ours && event.type === "CommandDeclined") listener(event.by.person);
      }
    });
    const looking = setInterval(() => {
      for (const [pending, expires] of this.#ourPending) {
        if (expires <= this.now() && this.#ourPending.delete(pending)) listener(null);
      }
    }, LEAST_MS);
    return () => {
      unsubscribe();
      clearInterval(looking);
    };
  }

  /** Begin to follow the floor; returns a function that stops. */
  follow(): () => void {
    this.link.listen("cage");
    if (!this.isCage) this.link.listen("venue");
    const ends = [
      // The server does not send the floor to a cashier.
      ...(this.isCage ? [] : [this.pit.follow()]),
      this.approvals.follow(),
      this.link.onStaff(({ events }) => {
        if (events.some(({ type }) => OF_APPROVALS.has(type))) this.approvals.refresh();
        if (!events.some(({ type }) => SHOWN.has(type))) return;
        this.pit.refresh();
        this.drawer.refresh();
      }),
      this.link.onNotice(() => this.pit.refresh()),
      effect(() => {
        if (this.pit.answer.value !== null) this.#take(this.pit.answer.value);
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  /** Receive a report: announce alerts that need action, and keep the evidence. */
  #take(pit: Pit): void {
    const acute = pit.alerts.filter(({ level }) => level === "act");
    for (const alert of acute) {
      if (this.#known !== null && !this.#known.has(nameOf(alert))) announce(alert.sentence);
    }
    this.#known = new Set(acute.map(nameOf));
    const kept = new Map(this.#points.peek());
    for (const { table, fairness } of pit.tables) {
      for (const { dice_set, throws, e_value } of fairness) {
        const name = `${table} ${dice_set}`;
        kept.set(name, extended(kept.get(name) ?? [], { throws, evidence: e_value }));
      }
    }
    this.#points.value = kept;
  }
}

function extended(points: readonly Point[], next: Point): readonly Point[] {
  return points.at(-1)?.throws === next.throws ? points : [...points, next].slice(-POINTS_MAX);
}

/** The floor, followed as long as the pit is shown. */
export function useFloor(link: Link, who: SessionView): Floor {
  const floor = useMemo(() => new Floor(link, who), [link, who]);
  useEffect(() => floor.follow(), [floor]);
  return floor;
}
