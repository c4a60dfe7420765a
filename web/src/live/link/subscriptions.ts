/** The subscriptions of a link: tables, and for staff the cage and the venue. */

import type { ClientMessage, Public, Staff, TableSnapshot } from "../../protocol.ts";
import { steady } from "../clock.ts";
import { Listeners } from "../listeners.ts";
import { Table } from "../live_table.ts";

/** How many tables, with cage and venue, one connection may watch. */
export const WATCHED_MAX = 100;
/** A table is asked for again if it was not received for this long. */
const WATCH_AGAIN_MS = 5_000;

export type Elsewhere = "cage" | "venue";

export class Subscriptions {
  readonly #tables = new Map<string, Table>();
  readonly #elsewhere = new Set<Elsewhere>();
  /** The newest sequence of each staff channel, which begins with the next event. */
  readonly #newest = new Map<string, number>();
  readonly onStaff = new Listeners<[Staff]>();
  /** Sends a message if connected; a new connection watches everything again anyway. */
  readonly #send: (message: ClientMessage) => void;

  constructor(send: (message: ClientMessage) => void) {
    this.#send = send;
  }

  find(name: string): Table | undefined {
    return this.#tables.get(name);
  }

  add(name: string): Table {
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    this.#checkCount();
    const table = new Table(name);
    this.#tables.set(name, table);
    this.#watch(table);
    return table;
  }

  listen(to: Elsewhere): void {
    if (this.#elsewhere.has(to)) return;
    this.#checkCount();
    this.#elsewhere.add(to);
    this.#send({ type: "Watch", table: to });
  }

  leave(name: string): void {
    const listened = (name === "cage" || name === "venue") && this.#elsewhere.delete(name);
    if (this.#tables.delete(name) || listened) this.#send({ type: "Unwatch", table: name });
    this.#newest.delete(name);
  }

  /** Watch everything on a new connection, each table from its newest sequence. */
  watchAll(): void {
    for (const table of this.#tables.values()) this.#watch(table);
    for (const to of this.#elsewhere) this.#send({ type: "Watch", table: to });
  }

  /** Ask again for tables of the venue that are overdue. */
  watchOverdue(tables: readonly string[]): void {
    for (const table of this.#tables.values()) {
      const since = table.awaitedSince;
      const overdue = since !== null && steady() - since >= WATCH_AGAIN_MS;
      // A suspended table is sent when it resumes.
      if (overdue && !table.suspended.peek() && tables.includes(table.name)) this.#watch(table);
    }
  }

  /** Ask for a snapshot of every table on the next connection. */
  beginAnew(): void {
    for (const table of this.#tables.values()) table.beginAnew();
  }

  receive(message: TableSnapshot | Public): void {
    const table = this.#tables.get(message.table);
    // The message was sent before the server received Unwatch.
    if (table === undefined) return;
    if (message.type === "TableSnapshot") {
      table.begin(message);
      return;
    }
    // Missing messages are requested once; `awaitedSince` is cleared when they have come.
    if (table.take(message) === "gap" && table.awaitedSince === null) this.#watch(table);
  }

  receiveStaff(message: Staff): void {
    if (message.sequence <= (this.#newest.get(message.to) ?? -1)) return;
    this.#newest.set(message.to, message.sequence);
    this.onStaff.notify(message);
  }

  #watch(table: Table): void {
    table.awaitedSince = steady();
    this.#send({ type: "Watch", table: table.name, after: table.sequence });
  }

  #checkCount(): void {
    if (this.#tables.size + this.#elsewhere.size >= WATCHED_MAX) {
      throw new Error(`At most ${WATCHED_MAX} tables are watched at a time; leave one first.`);
    }
  }
}
