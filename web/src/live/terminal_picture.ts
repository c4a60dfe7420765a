/** A terminal as it pictures itself: its last snapshot, and what it was told since. */

import { signal, type ReadonlySignal } from "@preact/signals";

import type {
  AnyPrivateEvent,
  BoxStake,
  Private,
  TerminalSnapshot,
  TerminalView,
  VoucherPrinted,
} from "../protocol.ts";
import { BoxAmounts } from "./box_amounts.ts";
import { judge, type Verdict } from "./link/channels.ts";
import { Listeners } from "./listeners.ts";

export interface TerminalPicture {
  /** Credits, bets registered, locks, own limits, the last round; null until the first snapshot. */
  readonly view: ReadonlySignal<TerminalView | null>;
  /** What is registered on a box. */
  bet(box: string): ReadonlySignal<number>;
  /** The newest voucher that was printed for whoever plays here. */
  readonly voucher: ReadonlySignal<VoucherPrinted | null>;
  /** Hear each event in its order, when it is in the picture; a snapshot has none. */
  onEvent(listener: (event: AnyPrivateEvent, message: Private) => void): () => void;
}

type Changes = Partial<TerminalView>;
type Apply<E> = (view: TerminalView, event: E, at: number) => Changes;
type Named<K> = Extract<AnyPrivateEvent, { readonly type: K }>;

/** Money is told beside the events. */
const nothing = (): Changes => ({});
const sessionEnded = (): Changes => ({
  session_began: null,
  loss_limit: null,
  session_seconds: null,
});

function added(view: TerminalView, stakes: readonly BoxStake[], sign: 1 | -1): Changes {
  const bets = new Map(Object.entries(view.bets));
  for (const [box, stake] of stakes) {
    const left = (bets.get(box) ?? 0) + sign * stake;
    if (left > 0) bets.set(box, left);
    else bets.delete(box);
  }
  return { bets: Object.fromEntries(bets) };
}

const APPLY: { readonly [K in AnyPrivateEvent["type"]]: Apply<Named<K>> } = {
  BetsRegistered: (view, event) => added(view, event.bets, 1),
  BetsWithdrawn: (view, event) => added(view, event.bets, -1),
  BetsRejected: (view, event) => added(view, event.bets, -1),
  RoundSettled: (_, event) => ({ bets: {}, last: event }),
  RoundVoided: (_, event) => ({ bets: {}, last: event }),
  RoundsCorrected: nothing,
  CreditsReceived: (view, _, at) => ({ session_began: view.session_began ?? at }),
  CashedOut: (view) => (Object.keys(view.bets).length === 0 ? sessionEnded() : {}),
  SessionEnded: sessionEnded,
  OwnLimitsSet: (_, event) => ({
    loss_limit: event.loss,
    session_seconds: event.session_seconds,
  }),
  TerminalLost: nothing,
  TerminalRestored: nothing,
  TerminalBarred: () => ({ barred: true }),
  BarLifted: () => ({ barred: false }),
  TerminalLocked: () => ({ locked: true }),
  LockCleared: () => ({ locked: false }),
  RulingRecorded: nothing,
};

/** The picture as the link keeps it. */
export class Terminal implements TerminalPicture {
  readonly #view = signal<TerminalView | null>(null);
  readonly #bets = new BoxAmounts();
  readonly #voucher = signal<VoucherPrinted | null>(null);
  readonly #listeners = new Listeners<[AnyPrivateEvent, Private]>();
  #sequence: number | null = null;

  get view(): ReadonlySignal<TerminalView | null> {
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

  /** Have the next thing told be a snapshot; what is pictured stays until then. */
  beginAnew(): void {
    this.#sequence = null;
  }

  begin(snapshot: TerminalSnapshot): void {
    this.#sequence = snapshot.sequence;
    // Vouchers that are still out, and the player's own, are told again after it.
    this.#voucher.value = null;
    this.#show(snapshot.view);
  }

  /** Take in news of the channel; tells what it was to us, or that only a snapshot says enough. */
  take(message: Private): Verdict | "unclear" {
    const verdict = judge(this.#sequence, message);
    if (verdict !== "next") return verdict;
    this.#sequence = message.sequence;
    const view = this.#view.peek();
    if (view !== null) this.#show({ ...view, credits: message.credits, staked: message.staked });
    const clear = message.events.map((event) => this.#apply(event, message));
    return clear.includes(false) ? "unclear" : verdict;
  }

  printed(voucher: VoucherPrinted): void {
    this.#voucher.value = voucher;
  }

  #apply(event: AnyPrivateEvent, message: Private): boolean {
    const view = this.#view.peek();
    // The table above has for each type what takes in an event of that very type.
    const apply = (APPLY as Readonly<Record<string, Apply<AnyPrivateEvent> | undefined>>)[event.type];
    if (view === null || apply === undefined) return false;
    this.#show({ ...view, ...apply(view, event, message.at) });
    // Whoever buys in next is not shown the voucher of whoever played before.
    if (event.type === "CreditsReceived") this.#voucher.value = null;
    this.#listeners.notify(event, message);
    return true;
  }

  #show(view: TerminalView): void {
    this.#bets.replace(view.bets);
    this.#view.value = view;
  }
}
