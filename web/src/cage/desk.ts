/** The cashier's desk: owns the presented voucher, the last slip sold, and pending requests. */

import { signal } from "@preact/signals";

import type { FoundVoucher, IssuedVoucher, OutstandingVouchers, PaidVoucher, Waiting } from "../answers.ts";
import { get, newId, post, Problem } from "../live/index.ts";
import type { Staff } from "../protocol.ts";
import { notify } from "../shell/index.ts";
import { money, number, type Words } from "../words/words.ts";
import type { Floor } from "../pit/floor.ts";
import { Polled } from "../pit/polled.ts";

/** A voucher presented to the cashier: its number is stored here, and nowhere else. */
export interface Presented extends FoundVoucher {
  readonly number: string;
}

const EVERY_MS = 30_000;
const LEAST_MS = 500;

export class Desk {
  readonly presented = signal<Presented | null>(null);
  readonly slip = signal<IssuedVoucher | null>(null);
  /** The order id of the last sale: its number can be shown again for a while [D40]. */
  readonly lastSale = signal<string | null>(null);
  readonly out = new Polled<OutstandingVouchers>("/api/vouchers", EVERY_MS, LEAST_MS);
  readonly #floor: Floor;
  readonly #say: () => Words<"cage">;
  /** Order ids of sales that wait for a second person, by pending id. */
  readonly #sales = new Map<string, string>();
  /** Pending ids of all requests of this desk. */
  readonly #asked = new Set<string>();

  constructor(floor: Floor, say: () => Words<"cage">) {
    this.#floor = floor;
    this.#say = say;
  }

  /** Begin to follow pending requests; returns a function that stops. */
  follow(): () => void {
    const ends = [this.out.follow(), this.#floor.link.onStaff((message) => this.#hear(message))];
    return () => {
      for (const end of ends) end();
    };
  }

  /** Look up a voucher; throws if it cannot be found or used. */
  async present(digits: string): Promise<void> {
    this.presented.value = null;
    const found = await post<FoundVoucher>("/api/vouchers/find", { number: digits });
    this.presented.value = { number: digits, ...found };
  }

  async sell(value: number): Promise<void> {
    const id = newId();
    const answer = await post<IssuedVoucher | Waiting>("/api/vouchers", { id, value });
    if ("pending" in answer) {
      this.#sales.set(answer.pending, id);
      this.#waits(answer);
    } else this.#sold(answer);
  }

  async pay(voucher: Presented): Promise<void> {
    const body = { id: newId(), number: voucher.number };
    const answer = await post<PaidVoucher | Waiting>("/api/vouchers/pay", body);
    this.presented.value = null;
    if ("pending" in answer) this.#waits(answer);
    else this.#paid("paid", answer);
    this.#refresh();
  }

  async void(voucher: Presented, note: string): Promise<void> {
    const answer = await post<Waiting>("/api/vouchers/void", { id: newId(), number: voucher.number, note });
    this.presented.value = null;
    this.#waits(answer);
  }

  /** Show the slip of a sale again, as long as the server allows it. */
  async showAgain(id: string): Promise<void> {
    this.#sold(await get<IssuedVoucher>(`/api/vouchers/orders/${encodeURIComponent(id)}`));
  }

  #sold(voucher: IssuedVoucher): void {
    this.slip.value = voucher;
    this.lastSale.value = voucher.id;
    this.#refresh();
  }

  #waits({ pending, expires }: Waiting): void {
    this.#asked.add(pending);
    this.#floor.expect(pending, expires);
    notify(() => this.#say()("waits"), "waits");
    this.#refresh();
  }

  #paid(what: "paid" | "voided", { serial, value }: { readonly serial: number; readonly value: number }): void {
    notify(() => this.#say()(what, { serial: number(serial), amount: money(value) }));
  }

  #refresh(): void {
    this.out.refresh();
    this.#floor.drawer.refresh();
    this.#floor.approvals.refresh();
  }

  #hear({ events }: Staff): void {
    const granted = events.find((event) => event.type === "CommandApproved");
    if (granted?.type !== "CommandApproved" || !this.#asked.delete(granted.pending)) return;
    const sale = this.#sales.get(granted.pending);
    this.#sales.delete(granted.pending);
    if (sale !== undefined) this.showAgain(sale).catch(told);
    for (const event of events) {
      if (event.type === "VoucherPaid") this.#paid("paid", event);
      if (event.type === "VoucherVoided") this.#paid("voided", event);
    }
    this.#refresh();
  }
}

/** Show a notice if a slip that nobody pressed a button for cannot be shown. */
function told(error: unknown): void {
  if (!(error instanceof Problem)) throw error;
  notify(error.message, "refused");
}
