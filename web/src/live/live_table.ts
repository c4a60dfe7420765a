/** The live view of a table: its last snapshot, and every change since. */

import { signal, type ReadonlySignal } from "@preact/signals";

import { TABLE_MAPS } from "../protocol.ts";
import type {
  AnyPublicEvent,
  Countdown,
  Dealer,
  Exposure,
  ChipTableView as ChipTableView,
  Public,
  Steps,
  Suspended,
  TableSnapshot,
  TableView,
} from "../protocol.ts";
import { BoxAmounts } from "./box_amounts.ts";
import { applied } from "./changes.ts";
import { judge, type Verdict } from "./link/channels.ts";
import { readChipTable, type ChipTable } from "./chip_table.ts";
import { Listeners } from "./listeners.ts";

export interface LiveTable {
  readonly name: string;
  /** Everything but the totals, which have signals of their own; null until the first snapshot. */
  readonly view: ReadonlySignal<TableView | null>;
  /** The total on a box. */
  total(box: string): ReadonlySignal<number>;
  /** The totals of all boxes that have bets. */
  readonly totals: ReadonlySignal<ReadonlyMap<string, number>>;
  /** When the automatic dealer will close the bets, by the server's time. */
  readonly closesAt: ReadonlySignal<number | null>;
  readonly dealer: ReadonlySignal<"automatic" | "person">;
  readonly suspended: ReadonlySignal<boolean>;
  /** The state of each step of the Game Console; null for clients that are not staff. */
  readonly steps: ReadonlySignal<Steps | null>;
  /** What each result would cost the house; null for clients that are not staff. */
  readonly exposure: ReadonlySignal<Exposure | null>;
  /** Seats, chips and the gaming day; null for clients that are not staff, and at other tables. */
  readonly chipTable: ReadonlySignal<ChipTable | null>;
  /** Receive each event in order, after its changes are in the view; a snapshot has no events. */
  onEvent(listener: (event: AnyPublicEvent, message: Public) => void): () => void;
}

/** The view as the link keeps it up to date. */
export class Table implements LiveTable {
  readonly name: string;
  readonly #view = signal<TableView | null>(null);
  readonly #totals = new BoxAmounts();
  readonly #closesAt = signal<number | null>(null);
  readonly #dealer = signal<"automatic" | "person">("person");
  readonly #suspended = signal(false);
  readonly #steps = signal<Steps | null>(null);
  readonly #exposure = signal<Exposure | null>(null);
  readonly #chipTable = signal<ChipTable | null>(null);
  readonly #listeners = new Listeners<[AnyPublicEvent, Public]>();
  #sequence: number | null = null;
  /** When the server was asked for missing messages; null if none are missing. */
  awaitedSince: number | null = null;

  constructor(name: string) {
    this.name = name;
  }

  get view(): ReadonlySignal<TableView | null> {
    return this.#view;
  }

  get totals(): ReadonlySignal<ReadonlyMap<string, number>> {
    return this.#totals.all;
  }

  get closesAt(): ReadonlySignal<number | null> {
    return this.#closesAt;
  }

  get dealer(): ReadonlySignal<"automatic" | "person"> {
    return this.#dealer;
  }

  get suspended(): ReadonlySignal<boolean> {
    return this.#suspended;
  }

  get steps(): ReadonlySignal<Steps | null> {
    return this.#steps;
  }

  get exposure(): ReadonlySignal<Exposure | null> {
    return this.#exposure;
  }

  get chipTable(): ReadonlySignal<ChipTable | null> {
    return this.#chipTable;
  }

  /** The newest sequence of the public channel. */
  get sequence(): number | null {
    return this.#sequence;
  }

  total(box: string): ReadonlySignal<number> {
    return this.#totals.of(box);
  }

  onEvent(listener: (event: AnyPublicEvent, message: Public) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Ask for a snapshot next; the present view stays until it is received. */
  beginAnew(): void {
    this.#sequence = null;
  }

  begin(snapshot: TableSnapshot): void {
    this.#sequence = snapshot.sequence;
    this.awaitedSince = null;
    this.#totals.replace(snapshot.view.totals);
    // The totals change ten times a second, so they are kept out of the view.
    this.#view.value = { ...snapshot.view, totals: {} };
    this.#closesAt.value = snapshot.closes_at ?? null;
    this.#dealer.value = snapshot.dealer ?? "person";
    this.#suspended.value = snapshot.suspended ?? false;
  }

  /** Apply a message of the channel; returns whether it was the next one, an old one, or a gap. */
  take(message: Public): Verdict {
    const verdict = judge(this.#sequence, message);
    if (verdict !== "next") return verdict;
    this.#sequence = message.sequence;
    const { totals, ...changes } = message.changes ?? {};
    if (totals !== undefined) this.#totals.change(totals);
    const view = this.#view.peek();
    if (view !== null && Object.keys(changes).length > 0) {
      this.#view.value = applied(view, changes, TABLE_MAPS);
    }
    for (const event of message.events ?? []) this.#listeners.notify(event, message);
    return verdict;
  }

  /** Apply a message without a sequence: the newest counts. */
  note(message: Countdown | Dealer | Suspended | Steps | Exposure | ChipTableView): void {
    switch (message.type) {
      case "Countdown":
        this.#closesAt.value = message.closes_at ?? null;
        // It is sent after all missed messages, even if there were none.
        if (this.#sequence !== null) this.awaitedSince = null;
        break;
      case "Dealer":
        this.#dealer.value = message.dealer;
        break;
      case "Suspended":
        this.#suspended.value = message.suspended;
        break;
      case "Steps":
        this.#steps.value = message;
        break;
      case "Exposure":
        this.#exposure.value = message;
        break;
      case "ChipTableView":
        this.#chipTable.value = readChipTable(message);
        break;
    }
  }
}
