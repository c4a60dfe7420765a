/** What a link watches: tables with their pictures, and for staff the cage and the venue. */

import type { ClientMessage, Public, Staff, TableSnapshot } from "../../protocol.ts";
import { StaffChannels } from "./channels.ts";
import { steady } from "../clock.ts";
import { Listeners } from "../listeners.ts";
import { Table } from "../table_picture.ts";

/** Tables, with cage and venue, that one connection may watch. */
export const WATCHED_MAX = 100;
/** A table that was asked for and not told for so long is asked for again. */
const WATCH_AGAIN_MS = 5_000;

export type Elsewhere = "cage" | "house";

export class Watched {
  readonly #tables = new Map<string, Table>();
  readonly #elsewhere = new Set<Elsewhere>();
  readonly #channels = new StaffChannels();
  readonly onStaff = new Listeners<[Staff]>();
  /** Says something if there is anybody to hear it; what is lost is said again on the next line. */
  readonly #say: (message: ClientMessage) => void;

  constructor(say: (message: ClientMessage) => void) {
    this.#say = say;
  }

  find(name: string): Table | undefined {
    return this.#tables.get(name);
  }

  add(name: string): Table {
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    this.#roomForOneMore();
    const table = new Table(name);
    this.#tables.set(name, table);
    this.#watch(table);
    return table;
  }

  listen(to: Elsewhere): void {
    if (this.#elsewhere.has(to)) return;
    this.#roomForOneMore();
    this.#elsewhere.add(to);
    this.#say({ type: "Watch", table: to });
  }

  leave(name: string): void {
    const listened = (name === "cage" || name === "house") && this.#elsewhere.delete(name);
    if (this.#tables.delete(name) || listened) this.#say({ type: "Unwatch", table: name });
    this.#channels.leave(name);
  }

  /** Watch everything on a new line, from where one is. */
  watchAll(): void {
    for (const table of this.#tables.values()) this.#watch(table);
    for (const to of this.#elsewhere) this.#say({ type: "Watch", table: to });
  }

  /** Ask again for tables of the venue that should have been told by now. */
  watchOverdue(tables: readonly string[]): void {
    for (const table of this.#tables.values()) {
      const since = table.awaitedSince;
      const overdue = since !== null && steady() - since >= WATCH_AGAIN_MS;
      // A table that is suspended is told when it goes on.
      if (overdue && !table.suspended.peek() && tables.includes(table.name)) this.#watch(table);
    }
  }

  /** Have every table told anew, with a snapshot, on the next line. */
  beginAnew(): void {
    for (const table of this.#tables.values()) table.beginAnew();
  }

  hear(message: TableSnapshot | Public): void {
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

  hearStaff(message: Staff): void {
    if (this.#channels.isNews(message)) this.onStaff.notify(message);
  }

  #watch(table: Table): void {
    table.awaitedSince = steady();
    this.#say({ type: "Watch", table: table.name, after: table.sequence });
  }

  #roomForOneMore(): void {
    if (this.#tables.size + this.#elsewhere.size >= WATCHED_MAX) {
      throw new Error(`At most ${WATCHED_MAX} tables are watched at a time; leave one first.`);
    }
  }
}
