/** The live view of a terminal: its last snapshot, and every change since. */

import { signal, type ReadonlySignal } from "@preact/signals";

import { POSITION_MAPS } from "../protocol.ts";
import type {
  AnyPrivateEvent,
  Private,
  TerminalSnapshot,
  PositionView,
  VoucherPrinted,
} from "../protocol.ts";
import { BoxAmounts } from "./box_amounts.ts";
import { applied } from "./changes.ts";
import { judge, type Verdict } from "./link/channels.ts";
import { Listeners } from "./listeners.ts";

export interface LiveTerminal {
  /** Credits, bets registered, locks, own limits, the last round; null until the first snapshot. */
  readonly view: ReadonlySignal<PositionView | null>;
  /** The stake registered on a box. */
  bet(box: string): ReadonlySignal<number>;
  /** The newest voucher that was printed for the present player. */
  readonly voucher: ReadonlySignal<VoucherPrinted | null>;
  /** Receive each event in order, after its changes are in the view; a snapshot has no events. */
  onEvent(listener: (event: AnyPrivateEvent, message: Private) => void): () => void;
}

/** The view as the link keeps it up to date. */
export class Terminal implements LiveTerminal {
  readonly #view = signal<PositionView | null>(null);
  readonly #bets = new BoxAmounts();
  readonly #voucher = signal<VoucherPrinted | null>(null);
  readonly #listeners = new Listeners<[AnyPrivateEvent, Private]>();
  #sequence: number | null = null;

  get view(): ReadonlySignal<PositionView | null> {
    return this.#view;
  }

  get voucher(): ReadonlySignal<VoucherPrinted | null> {
    return this.#voucher;
  }

  /** The newest sequence of the private channel. */
  get sequence(): number | null {
    return this.#sequence;
  }

  bet(box: string): ReadonlySignal<number> {
    return this.#bets.of(box);
  }

  onEvent(listener: (event: AnyPrivateEvent, message: Private) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Ask for a snapshot next; the present view stays until it is received. */
  beginAnew(): void {
    this.#sequence = null;
  }

  begin(snapshot: TerminalSnapshot): void {
    this.#sequence = snapshot.sequence;
    // The server sends this player's unpaid vouchers again after the snapshot.
    this.#voucher.value = null;
    this.#show(snapshot.view);
  }

  /** Apply a message of the channel; returns whether it was the next one, an old one, or a gap. */
  take(message: Private): Verdict {
    const verdict = judge(this.#sequence, message);
    if (verdict !== "next") return verdict;
    this.#sequence = message.sequence;
    const view = this.#view.peek();
    if (view !== null) this.#show(applied(view, message.changes ?? {}, POSITION_MAPS));
    for (const event of message.events ?? []) {
      // The next player must not see the voucher of the one before.
      if (event.type === "CreditsReceived") this.#voucher.value = null;
      this.#listeners.notify(event, message);
    }
    return verdict;
  }

  printed(voucher: VoucherPrinted): void {
    this.#voucher.value = voucher;
  }

  #show(view: PositionView): void {
    this.#bets.replace(view.bets);
    this.#view.value = view;
  }
}
