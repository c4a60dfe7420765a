/** A table as the server shows it: its last snapshot, and every change since. */

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
  /** What lies on a box in all. */
  total(box: string): ReadonlySignal<number>;
  /** What lies on every box that has anything. */
  readonly totals: ReadonlySignal<ReadonlyMap<string, number>>;
  /** When the automatic dealer will close the bets, by the server's time. */
  readonly closesAt: ReadonlySignal<number | null>;
  readonly dealer: ReadonlySignal<"automatic" | "person">;
  readonly suspended: ReadonlySignal<boolean>;
  /** How each step of the Game Console stands; null for who is not on the staff. */
  readonly steps: ReadonlySignal<Steps | null>;
  /** What each result would cost the house; null for who is not on the staff. */
  readonly exposure: ReadonlySignal<Exposure | null>;
  /** Seats, chips and the gaming day; null for who is not on the staff, and where no layout is. */
  readonly chipTable: ReadonlySignal<ChipTable | null>;
  /** Hear each event in its order, once its changes are in the view; a snapshot has none. */
  onEvent(listener: (event: AnyPublicEvent, message: Public) => void): () => void;
}

/** The picture as the link keeps it. */
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
  /** Since when the server has been asked for what is missing; null: nothing is. */
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

  /** Have the next thing sent be a snapshot; what is shown stays until then. */
  beginAnew(): void {
    this.#sequence = null;
  }

  begin(snapshot: TableSnapshot): void {
    this.#sequence = snapshot.sequence;
    this.awaitedSince = null;
    this.#totals.replace(snapshot.view.totals);
    // What lies on the boxes changes ten times a second, and is not in the view for that.
    this.#view.value = { ...snapshot.view, totals: {} };
    this.#closesAt.value = snapshot.closes_at ?? null;
    this.#dealer.value = snapshot.dealer ?? "person";
    this.#suspended.value = snapshot.suspended ?? false;
  }

  /** Take in a message of the channel; gives what it was to us. */
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

  /** Take in what has no sequence: the newest counts. */
  note(message: Countdown | Dealer | Suspended | Steps | Exposure | ChipTableView): void {
    switch (message.type) {
      case "Countdown":
        this.#closesAt.value = message.closes_at ?? null;
        // It ends what was missed, also where that was nothing.
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
