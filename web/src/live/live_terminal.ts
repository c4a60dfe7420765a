/** A terminal as the server shows it: its last snapshot, and every change since. */

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
  /** What is registered on a box. */
  bet(box: string): ReadonlySignal<number>;
  /** The newest voucher that was printed for whoever plays here. */
  readonly voucher: ReadonlySignal<VoucherPrinted | null>;
  /** Hear each event in its order, once its changes are in the view; a snapshot has none. */
  onEvent(listener: (event: AnyPrivateEvent, message: Private) => void): () => void;
}

/** The picture as the link keeps it. */
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

  /** Have the next thing sent be a snapshot; what is shown stays until then. */
  beginAnew(): void {
    this.#sequence = null;
  }

  begin(snapshot: TerminalSnapshot): void {
    this.#sequence = snapshot.sequence;
    // Vouchers that are still out, and the player's own, are shown again after it.
    this.#voucher.value = null;
    this.#show(snapshot.view);
  }

  /** Take in a message of the channel; gives what it was to us. */
  take(message: Private): Verdict {
    const verdict = judge(this.#sequence, message);
    if (verdict !== "next") return verdict;
    this.#sequence = message.sequence;
    const view = this.#view.peek();
    if (view !== null) this.#show(applied(view, message.changes ?? {}, POSITION_MAPS));
    for (const event of message.events ?? []) {
      // Whoever buys in next is not shown the voucher of whoever played before.
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
