/** What a link is subscribed to: tables, and for staff the cage and the venue. */

import type { ClientMessage, Public, Staff, TableSnapshot } from "../../protocol.ts";
import { steady } from "../clock.ts";
import { Listeners } from "../listeners.ts";
import { Table } from "../live_table.ts";

/** Tables, with cage and venue, that one connection may watch. */
export const WATCHED_MAX = 100;
/** A table that was asked for and did not come for so long is asked for again. */
const WATCH_AGAIN_MS = 5_000;

export type Elsewhere = "cage" | "venue";

export class Subscriptions {
  readonly #tables = new Map<string, Table>();
  readonly #elsewhere = new Set<Elsewhere>();
  /** The newest sequence of each staff channel, which begins with whatever happens next. */
  readonly #newest = new Map<string, number>();
  readonly onStaff = new Listeners<[Staff]>();
  /** Sends a message where there is a connection; on the next one everything is sent again. */
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

  /** Watch everything on a new connection, from where one is. */
  watchAll(): void {
    for (const table of this.#tables.values()) this.#watch(table);
    for (const to of this.#elsewhere) this.#send({ type: "Watch", table: to });
  }

  /** Ask again for tables of the venue that should have come by now. */
  watchOverdue(tables: readonly string[]): void {
    for (const table of this.#tables.values()) {
      const since = table.awaitedSince;
      const overdue = since !== null && steady() - since >= WATCH_AGAIN_MS;
      // A table that is suspended comes when it goes on.
      if (overdue && !table.suspended.peek() && tables.includes(table.name)) this.#watch(table);
    }
  }

  /** Have every table sent anew, with a snapshot, on the next connection. */
  beginAnew(): void {
    for (const table of this.#tables.values()) table.beginAnew();
  }

  receive(message: TableSnapshot | Public): void {
    const table = this.#tables.get(message.table);
    // It was on its way when one stopped watching.
    if (table === undefined) return;
    if (message.type === "TableSnapshot") {
      table.begin(message);
      return;
    }
    // What is missing is asked for once; the answer ends the waiting.
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
