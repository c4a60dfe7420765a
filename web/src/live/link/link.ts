/** A live link to the server: views of the tables it watches, and answers to its commands. */

import { batch, effect, signal, type ReadonlySignal } from "@preact/signals";

import {
  PROTOCOL,
  type ClearBets,
  type ClientMessage,
  type Done,
  type Fault,
  type Hello,
  type Notice,
  type PlaceBets,
  type Pong,
  type Private,
  type Refused,
  type Registered,
  type ServerMessage,
  type Staff,
  type TerminalKey,
  type Welcome,
  type WireCommand,
  type WithdrawBets,
} from "../../protocol.ts";
import { language, readWords } from "../../words/words.ts";
import { serverClock, steady } from "../clock.ts";
import { compareCheckpoint, noteCheckpoint, seenCheckpoint, type Behind } from "../checkpoint.ts";
import { tabSession } from "../credentials.ts";
import { Connection, type ConnectionOwner, type MakeSocket } from "./connection.ts";
import { Listeners } from "../listeners.ts";
import { atSameHost, socketsOf } from "./gateways.ts";
import { Outbox } from "./outbox.ts";
import { ownSentences } from "./sentences.ts";
import type { LiveTable } from "../live_table.ts";
import { Terminal, type LiveTerminal } from "../live_terminal.ts";
import { Subscriptions, type Elsewhere } from "./subscriptions.ts";
import { ourPage } from "../page.ts";
import { readFrame, writeMessage } from "./wire.ts";

export type Status = "connecting" | "live" | "lost" | "ended";

export interface Link {
  readonly status: ReadonlySignal<Status>;
  /** Why the connection was lost or ended, as the server's sentence, if it gave a reason. */
  readonly why: ReadonlySignal<string | null>;
  readonly welcome: ReadonlySignal<Welcome | null>;
  /** How far the venue ends before the newest checkpoint seen here; null if it does not. */
  readonly behind: ReadonlySignal<Behind | null>;
  /** The server's time in milliseconds. */
  now(): number;
  /** Watch a table from now on; the same name gives the same view until the table is left. */
  table(name: string): LiveTable;
  /** Receive, as staff, the events of the cage or the venue. */
  listen(to: Elsewhere): void;
  leave(name: string): void;
  /** This client's own terminal; null if it is not a terminal. */
  readonly terminal: LiveTerminal | null;
  /** Send a command; it is sent again with the same id until it is answered. */
  ask(to: string, command: WireCommand): Promise<Registered | Refused>;
  /** Approve, as the second person, a pending command. */
  grant(to: string, pending: string, version: number, pin: string): Promise<Registered | Refused>;
  /** Hand a table over to the automatic dealer, or take it over. */
  deal(table: string, automatic: boolean): Promise<Done | Refused>;
  onStaff(listener: (message: Staff) => void): () => void;
  onNotice(listener: (notice: Notice) => void): () => void;
  close(): void;
}

/** The client: a terminal, staff (by the tab's session or the cookie), or else a visitor. */
export interface As {
  readonly terminal?: TerminalKey;
  readonly session?: string;
  readonly staff?: boolean;
}

/** The address and the sockets that the link uses; tests pass their own. */
export interface Ground {
  readonly url: string;
  readonly makeSocket: MakeSocket;
}

/** Close codes after which reconnecting with the same credentials is useless. */
const FOR_GOOD: ReadonlySet<number> = new Set([4000, 4001, 4002, 4004, 1008]);

export function openLink(as: As, ground: Ground = browser()): Link {
  return new ServerLink(as, ground);
}

function browser(): Ground {
  const url = new URL("/api/live", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return { url: url.href, makeSocket: (address) => new WebSocket(address) };
}

class ServerLink implements Link, ConnectionOwner {
  readonly terminal: Terminal | null;
  readonly #as: As;
  readonly #url: string;
  readonly #status = signal<Status>("connecting");
  readonly #why = signal<string | null>(null);
  readonly #welcome = signal<Welcome | null>(null);
  readonly #behind = signal<Behind | null>(null);
  readonly #notices = new Listeners<[Notice]>();
  readonly #outbox = new Outbox();
  readonly #subscriptions: Subscriptions;
  readonly #connection: Connection;
  readonly #stopFollowing: () => void;
  #fault: Fault | null = null;
  /** The last ping, and when it was sent. */
  #pinged = { number: 0, at: 0 };

  constructor(as: As, ground: Ground) {
    this.#as = as;
    this.#url = ground.url;
    this.terminal = as.terminal === undefined ? null : new Terminal();
    this.#subscriptions = new Subscriptions((message) => {
      this.#send(message);
    });
    this.#connection = new Connection(ground.url, ground.makeSocket, this);
    // The words for a lost connection must be loaded before it is lost.
    void readWords(["live"]);
    let first = true;
    this.#stopFollowing = effect(() => {
      void language.value;
      if (first) this.#connection.open();
      else this.#reopen();
      first = false;
    });
  }

  // --- called by its owner ----------------------------------------------------------------------

  get status(): ReadonlySignal<Status> {
    return this.#status;
  }

  get why(): ReadonlySignal<string | null> {
    return this.#why;
  }

  get welcome(): ReadonlySignal<Welcome | null> {
    return this.#welcome;
  }

  get behind(): ReadonlySignal<Behind | null> {
    return this.#behind;
  }

  now(): number {
    return serverClock.now();
  }

  table(name: string): LiveTable {
    return this.#subscriptions.add(name);
  }

  listen(to: Elsewhere): void {
    this.#subscriptions.listen(to);
  }

  leave(name: string): void {
    this.#subscriptions.leave(name);
  }

  ask(to: string, command: WireCommand): Promise<Registered | Refused> {
    const id = serverClock.newId();
    return this.#outbox.ask({ type: "Ask", to, id, command: this.#inItsRound(to, command) });
  }

  grant(to: string, pending: string, version: number, pin: string): Promise<Registered | Refused> {
    return this.#outbox.ask({ type: "Grant", to, id: serverClock.newId(), pending, version, pin });
  }

  deal(table: string, automatic: boolean): Promise<Done | Refused> {
    return this.#outbox.ask({ type: "Deal", table, id: serverClock.newId(), automatic });
  }

  onStaff(listener: (message: Staff) => void): () => void {
    return this.#subscriptions.onStaff.add(listener);
  }

  onNotice(listener: (notice: Notice) => void): () => void {
    return this.#notices.add(listener);
  }

  close(): void {
    this.#end();
    this.#connection.close();
  }

  // --- called by its connection -----------------------------------------------------------------

  opened(): void {
    const { terminal, session, staff } = this.#as;
    const hello: Hello = {
      type: "Hello",
      protocol: PROTOCOL,
      terminal: terminal ?? null,
      session: session ?? (staff === true ? tabSession.peek() : null),
      language: language.peek(),
      after: this.terminal?.sequence ?? null,
      checkpoint: seenCheckpoint(),
      client: ourPage(),
    };
    this.#connection.send(writeMessage(hello));
  }

  ping(): void {
    this.#pinged = { number: this.#pinged.number + 1, at: steady() };
    this.#send({ type: "Ping", number: this.#pinged.number });
  }

  tick(): void {
    this.#subscriptions.watchOverdue(this.#welcome.peek()?.tables ?? []);
  }

  lost(code: number, reason: string): boolean {
    const comesBack = !FOR_GOOD.has(code) || this.#isVisitorLoggedOut(reason);
    this.#outbox.pause();
    batch(() => {
      // The server closes with the code of the fault that it gave as the reason.
      this.#why.value = this.#fault?.code === reason ? this.#fault.sentence : null;
      if (comesBack) this.#status.value = "lost";
      else this.#end();
    });
    this.#fault = null;
    return comesBack;
  }

  received(data: string): void {
    let messages: ServerMessage[];
    try {
      messages = readFrame(data);
    } catch (error) {
      console.error(error);
      this.#connection.drop();
      return;
    }
    // The screen is drawn once for all messages of a frame.
    batch(() => {
      for (const message of messages) this.#receive(message);
    });
  }

  // --- private ----------------------------------------------------------------------------------

  #send(message: ClientMessage): void {
    if (this.#status.peek() === "live") this.#connection.send(writeMessage(message));
  }

  /**
   * Put into a bet's command the round that the player sees.
   *
   * A command is sent again if its answer is lost; the round keeps it out of any later round.
   */
  #inItsRound(to: string, command: WireCommand): WireCommand {
    if (!isOfARound(command)) return command;
    const view = this.#subscriptions.find(to)?.view.peek();
    return view?.phase === "betting" ? { ...command, round: view.round } : command;
  }

  /** Whether a visitor sent the cookie of an ended session; without it, the visitor may watch. */
  #isVisitorLoggedOut(reason: string): boolean {
    const { terminal, session, staff } = this.#as;
    const visitor = terminal === undefined && session === undefined && staff !== true;
    return visitor && reason === "SESSION_ENDED";
  }

  #isKnownByCookie(): boolean {
    return this.#as.staff === true && this.#as.session === undefined && tabSession.peek() === null;
  }

  #end(): void {
    this.#stopFollowing();
    this.#status.value = "ended";
    this.#outbox.end();
  }

  /** Connect again in another language; snapshots bring every sentence in that language. */
  #reopen(): void {
    this.#outbox.pause();
    this.terminal?.beginAnew();
    this.#subscriptions.beginAnew();
    this.#status.value = "connecting";
    this.#connection.open();
  }

  #receive(message: ServerMessage): void {
    switch (message.type) {
      case "Welcome":
        this.#welcomed(message);
        break;
      case "TableSnapshot":
      case "Public":
        this.#subscriptions.receive(message);
        break;
      case "Suspended":
        if (!message.suspended) this.#outbox.hurry();
        this.#subscriptions.find(message.table)?.note(message);
        break;
      case "Countdown":
      case "Dealer":
      case "Steps":
      case "Exposure":
      case "ChipTableView":
        this.#subscriptions.find(message.table)?.note(message);
        break;
      case "TerminalSnapshot":
        this.terminal?.begin(message);
        break;
      case "Private":
        this.#receivePrivate(message);
        break;
      case "VoucherPrinted":
        this.terminal?.printed(message);
        break;
      case "Registered":
      case "Refused":
      case "Done":
        this.#outbox.receive(message);
        break;
      case "Staff":
        this.#subscriptions.receiveStaff(message);
        break;
      case "Notice":
        this.#notices.notify(message);
        break;
      case "Pong":
        this.#receivePong(message);
        break;
      case "Fault":
        this.#fault = message;
        break;
    }
  }

  #welcomed(welcome: Welcome): void {
    serverClock.set(welcome.at);
    this.#behind.value = compareCheckpoint(welcome.checkpoint ?? 0);
    this.#welcome.value = welcome;
    this.#fault = null;
    if (this.#as.staff === true && welcome.role === "visitor") {
      // The session has ended, so nobody on the staff is logged in.
      this.#why.value = ownSentences.notLoggedIn();
      this.close();
      return;
    }
    this.#why.value = null;
    this.#status.value = "live";
    this.#connection.welcomed();
    const sockets = socketsOf(this.#url, welcome.gateways ?? []);
    this.#connection.isAt(this.#isKnownByCookie() ? atSameHost(this.#url, sockets) : sockets);
    this.#subscriptions.watchAll();
    this.#outbox.resume((frame) => {
      this.#connection.send(frame);
    });
  }

  #receivePrivate(message: Private): void {
    const { id, table, sequence, at } = message;
    if (id != null) {
      // An event of the terminal's own command is the answer to it.
      this.#outbox.receive({ type: "Registered", id, to: table, first: sequence, last: sequence, at });
    }
    // The terminal's channel is resumed by another Hello.
    if (this.terminal?.take(message) === "gap") this.#connection.drop();
  }

  #receivePong({ number, at, checkpoint }: Pong): void {
    noteCheckpoint(checkpoint ?? 0);
    if (number === this.#pinged.number) serverClock.set(at, steady() - this.#pinged.at);
  }
}

function isOfARound(command: WireCommand): command is PlaceBets | WithdrawBets | ClearBets {
  return ["PlaceBets", "WithdrawBets", "ClearBets"].includes(command.type);
}
