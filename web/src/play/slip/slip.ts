/**
 * The player's slip: owns the draft, sends it as a whole, and follows the bets it has sent.
 *
 * It adds up the player's own stakes and compares them with the limits it was sent; only the server
 * decides whether bets are accepted. Bets are pending until the server has answered; refused bets
 * return to the draft, to be changed.
 */

import { batch, computed, effect, signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";

import type { LimitsAsked, Refused, Registered, WireCommand } from "../../protocol.ts";
import { boundsOf, snagsOf } from "./bounds.ts";
import type { Bounds, Snag } from "./bounds.ts";
import { EMPTY, add, addAll, clear, put, redo, sum, takeOff, times, undo } from "./draft.ts";
import type { Draft, Stakes } from "./draft.ts";

/** The slip's connection to the server; `openGame` makes it from the link, tests make their own. */
export interface Seat {
  readonly terminal: string;
  readonly credits: ReadonlySignal<number>;
  /** This terminal's registered bets on all boxes. */
  readonly bets: ReadonlySignal<Stakes>;
  /** The registered bets of the last finished round. */
  readonly last: ReadonlySignal<Stakes>;
  readonly round: ReadonlySignal<number>;
  readonly limits: ReadonlySignal<LimitsAsked | null>;
  /** Whether this terminal takes no bets until staff have seen to it: then none are drafted. */
  readonly isShut: ReadonlySignal<boolean>;
  /** The stake registered on a box. */
  held(box: string): number;
  /** The kind of a box, or null if the layout has no such box. */
  kind(box: string): string | null;
  ask(command: WireCommand): Promise<Registered | Refused>;
}

/** What a press on a box does: put a chip, put all credits left, or take off. */
export type Tool = number | "rest" | "take-off";

/** A message of the slip; the component that shows it puts it into words. */
export type SlipMessage =
  | { readonly kind: "refused"; readonly sentence: string; readonly clause: string | null }
  | { readonly kind: "failed"; readonly sentence: string }
  | { readonly kind: "not-enough"; readonly wanted: number; readonly left: number }
  | { readonly kind: "nothing-left" | "too-many" | "kept" | "nothing-to-repeat" | "left-out" };

/** Bets that were sent; `target` is the stake of each box once they are registered. */
interface Sent {
  readonly stakes: Stakes;
  readonly target: Stakes;
  readonly round: number;
  readonly before: Draft;
  readonly answered: boolean;
}

/** The most bets that the server accepts in one command. */
export const BETS_MAX = 200;

export class Slip {
  readonly tool = signal<Tool>("rest");
  /** The server's sentences of refusal, by the box they are about. */
  readonly refusals = signal<ReadonlyMap<string, string>>(new Map());
  readonly message = signal<SlipMessage | null>(null);
  /** Whether a command to take bets back waits for its answer. */
  readonly taking = signal(false);

  readonly #seat: Seat;
  readonly #draft = signal<Draft>(EMPTY);
  readonly #sent = signal<Sent | null>(null);
  readonly #stop: () => void;

  constructor(seat: Seat) {
    this.#seat = seat;
    const ends = [
      effect(() => this.#seeRegistered()),
      effect(() => this.#seeCredits()),
      effect(() => this.#seeShut()),
    ];
    this.#stop = () => ends.forEach((end) => end());
  }

  /** Stop following the server. */
  end(): void {
    this.#stop();
  }

  // --- state -----------------------------------------------------------------------------------

  readonly stakes = computed(() => this.#draft.value.stakes);
  readonly total = computed(() => sum(this.stakes.value));
  readonly canUndo = computed(() => this.#draft.value.past.length > 0);
  readonly canRedo = computed(() => this.#draft.value.future.length > 0);
  readonly isSending = computed(() => this.#sent.value !== null);

  /** Stakes that were sent and are not registered yet, by box. */
  readonly pending: ReadonlySignal<Stakes> = computed(() => {
    const sent = this.#sent.value;
    if (sent === null) return new Map();
    const placed = this.#seat.bets.value;
    const missing = [...sent.target].map(
      ([box, target]) => [box, target - (placed.get(box) ?? 0)] as const,
    );
    return new Map(missing.filter(([, amount]) => amount > 0));
  });

  /** Credits that are neither on the table, nor sent, nor in the draft. */
  readonly left = computed(
    () => this.#seat.credits.value - sum(this.pending.value) - this.total.value,
  );

  /** Whether the draft exceeds the credits, which may have fallen since it was made. */
  readonly isBeyond = computed(() => this.total.value > 0 && this.left.value < 0);

  /** Boxes on which the draft is outside the limits that were sent. */
  readonly snags: ReadonlySignal<readonly Snag[]> = computed(() =>
    snagsOf(this.stakes.value, (box) => this.#onBoxSoon(box), (box) => this.boundsOf(box)),
  );

  /** Whether some box is below its minimum: then nothing can be sent yet. */
  readonly isShort = computed(() => this.snags.value.some((snag) => snag.kind === "short"));

  boundsOf(box: string): Bounds | null {
    const limits = this.#seat.limits.value;
    return limits === null ? null : boundsOf(limits, box);
  }

  #onBoxSoon(box: string): number {
    return (this.#seat.bets.value.get(box) ?? 0) + (this.pending.value.get(box) ?? 0);
  }

  // --- drafting --------------------------------------------------------------------------------

  /** Use the chosen tool on a box. */
  press(box: string): void {
    const tool = this.tool.peek();
    if (tool === "take-off") this.takeOff(box);
    else this.put(box, tool);
  }

  /** Put a chip, or all credits left, on a box. */
  put(box: string, worth: number | "rest"): boolean {
    if (this.#seat.isShut.peek()) return false;
    const left = this.left.peek();
    const amount = worth === "rest" ? left : worth;
    if (left <= 0) return this.#show({ kind: "nothing-left" });
    if (amount > left) return this.#show({ kind: "not-enough", wanted: amount, left });
    const draft = put(this.#draft.peek(), box, amount);
    if (draft.stakes.size > BETS_MAX) return this.#show({ kind: "too-many" });
    this.#lay(draft, box);
    return true;
  }

  /** Bring a box up to its minimum, if the credits allow. */
  fillUp(box: string): boolean {
    const snag = this.snags.peek().find((each) => each.box === box && each.kind === "short");
    return snag?.kind === "short" ? this.put(box, snag.by) : false;
  }

  /** Take the draft off a box; without a draft there, take back its registered bet. */
  takeOff(box: string): void {
    if (this.stakes.peek().has(box)) this.#lay(takeOff(this.#draft.peek(), box), box);
    else if (this.#seat.held(box) > 0) void this.takeBack(box);
  }

  undo(): void {
    this.#lay(undo(this.#draft.peek()));
  }

  redo(): void {
    if (this.#seat.isShut.peek()) return;
    const next = redo(this.#draft.peek());
    this.#ifAffordable(next.stakes, () => this.#lay(next));
  }

  clear(): void {
    this.#lay(clear(this.#draft.peek()));
    this.refusals.value = new Map();
  }

  /** Double the draft; without a draft, draft the registered bets once more. */
  double(): void {
    const draft = this.stakes.peek();
    this.addAll(draft.size > 0 ? draft : this.#seat.bets.peek());
  }

  /** Draft the bets of the last round again, or a multiple of them. */
  rebet(factor: 1 | 2 = 1): void {
    this.addAll(times(this.#seat.last.peek(), factor));
  }

  /** Put several amounts on boxes as one step; boxes missing on this layout are left out. */
  addAll(more: Stakes): void {
    if (this.#seat.isShut.peek()) return;
    const there = new Map([...more].filter(([box]) => this.#seat.kind(box) !== null));
    if (there.size === 0) {
      this.#show({ kind: more.size === 0 ? "nothing-to-repeat" : "left-out" });
      return;
    }
    this.#ifAffordable(add(this.stakes.peek(), there), () => {
      this.#lay(addAll(this.#draft.peek(), there));
      if (there.size < more.size) this.#show({ kind: "left-out" });
    });
  }

  #ifAffordable(stakes: Stakes, lay: () => void): void {
    const wanted = sum(stakes) - this.total.peek();
    const left = this.left.peek();
    if (wanted > left) this.#show({ kind: "not-enough", wanted, left: Math.max(0, left) });
    else lay();
  }

  #lay(draft: Draft, touched?: string): void {
    batch(() => {
      this.#draft.value = draft;
      this.message.value = null;
      if (touched !== undefined && this.refusals.peek().has(touched)) {
        this.refusals.value = new Map([...this.refusals.peek()].filter(([box]) => box !== touched));
      }
    });
  }

  /** Show a message; returns false, for a caller that could not do what was asked. */
  #show(message: SlipMessage): false {
    this.message.value = message;
    return false;
  }

  // --- sending ---------------------------------------------------------------------------------

  /** Whether pressing "Place bets" would send something. */
  readonly isReady = computed(
    () =>
      this.stakes.value.size > 0 &&
      !this.isSending.value &&
      !this.isShort.value &&
      !this.isBeyond.value,
  );

  /** Send the whole draft; a second press before the answer does nothing. */
  async place(): Promise<void> {
    if (!this.isReady.peek()) return;
    const draft = this.#draft.peek();
    const held = [...draft.stakes.keys()].map((box) => [box, this.#seat.held(box)] as const);
    batch(() => {
      this.#sent.value = {
        stakes: draft.stakes,
        target: add(new Map(held), draft.stakes),
        round: this.#seat.round.peek(),
        before: draft,
        answered: false,
      };
      this.#draft.value = EMPTY;
      this.refusals.value = new Map();
      this.message.value = null;
    });
    const bets = [...draft.stakes];
    const answer = await this.#ask({ type: "PlaceBets", terminal: this.#seat.terminal, bets });
    if (answer?.type === "Registered") this.#registered();
    else this.#giveBack(answer);
  }

  /** Take back the registered bet on a box. */
  async takeBack(box: string): Promise<void> {
    const held = this.#seat.held(box);
    if (held === 0) return;
    const bets = [[box, held] as const];
    await this.#take({ type: "WithdrawBets", terminal: this.#seat.terminal, bets }, box);
  }

  /** Take back all registered bets. */
  async takeAllBack(): Promise<void> {
    if (this.#seat.bets.peek().size === 0) return;
    await this.#take({ type: "ClearBets", terminal: this.#seat.terminal });
  }

  async #take(command: WireCommand, box?: string): Promise<void> {
    if (this.taking.peek()) return;
    this.taking.value = true;
    try {
      const answer = await this.#ask(command);
      if (answer?.type === "Refused") this.#showRefused(answer, box);
    } finally {
      this.taking.value = false;
    }
  }

  /** The bets are closed: an unsent draft stays for the next round, and the player is told. */
  betsClosed(): void {
    if (this.stakes.peek().size > 0 && !this.#seat.isShut.peek()) this.#show({ kind: "kept" });
  }

  /** Bets may be placed again: remove the message that the draft was kept. */
  betsOpened(): void {
    if (this.message.peek()?.kind === "kept") this.message.value = null;
  }

  async #ask(command: WireCommand): Promise<Registered | Refused | null> {
    try {
      return await this.#seat.ask(command);
    } catch (error) {
      this.#show({ kind: "failed", sentence: error instanceof Error ? error.message : String(error) });
      return null;
    }
  }

  /** Wait for both the answer and the view with the bets, which come in either order. */
  #registered(): void {
    const sent = this.#sent.peek();
    if (sent === null) return;
    const isThere = this.pending.peek().size === 0 || sent.round !== this.#seat.round.peek();
    this.#sent.value = isThere ? null : { ...sent, answered: true };
  }

  #seeRegistered(): void {
    this.#seat.bets.value satisfies Stakes;
    if (this.#sent.peek()?.answered === true) this.#sent.value = null;
  }

  /** Remove the message that credits are short once there are enough. */
  #seeCredits(): void {
    const left = this.left.value;
    const message = this.message.peek();
    const isEnough = message?.kind === "not-enough" ? left >= message.wanted : left > 0;
    if (isEnough && (message?.kind === "nothing-left" || message?.kind === "not-enough")) {
      this.message.value = null;
    }
  }

  /** Remove older messages when the terminal takes no bets: that is more important. */
  #seeShut(): void {
    if (this.#seat.isShut.value) this.message.value = null;
  }

  #giveBack(refused: Refused | null): void {
    const sent = this.#sent.peek();
    if (sent === null) return;
    batch(() => {
      const now = this.#draft.peek();
      const isUntouched = now.stakes.size === 0 && now.past.length === 0;
      this.#draft.value = isUntouched ? sent.before : addAll(now, sent.stakes);
      this.#sent.value = null;
      if (refused !== null) this.#showRefused(refused);
    });
  }

  /** Show the server's sentence on the slip, and next to the box that it is about. */
  #showRefused(refused: Refused, about?: string): void {
    const named = refused.reason.params["box"];
    const box = typeof named === "string" && this.#seat.kind(named) !== null ? named : about;
    const clause = refused.clause ?? null;
    batch(() => {
      this.#show({ kind: "refused", sentence: refused.sentence, clause });
      if (box !== undefined) {
        this.refusals.value = new Map(this.refusals.peek()).set(box, refused.sentence);
      }
    });
  }
}
