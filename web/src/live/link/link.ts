/** A live link to the server: pictures of what is watched, and answers to what is asked. */

import { batch, effect, signal, type ReadonlySignal } from "@preact/signals";

import {
  PROTOCOL,
  type ClientMessage,
  type Done,
  type Fault,
  type Hello,
  type Notice,
  type Pong,
  type Private,
  type Refused,
  type Registered,
  type ServerMessage,
  type Staff,
  type TerminalKey,
  type Welcome,
  type WireCommand,
} from "../../protocol.ts";
import { language, loadWords } from "../../words/words.ts";
import { Asking, type Askable } from "./commands.ts";
import { serverClock, steady } from "../clock.ts";
import { tabSession } from "../credentials.ts";
import { Line, type LineOwner, type MakeSocket } from "./socket.ts";
import { Listeners } from "../listeners.ts";
import { ownSentences } from "./sentences.ts";
import type { Table, TablePicture } from "../table_picture.ts";
import { Terminal, type TerminalPicture } from "../terminal_picture.ts";
import { Watched, type Elsewhere } from "./subscriptions.ts";
import { readFrame, writeMessage } from "./wire.ts";

export type Status = "connecting" | "live" | "lost" | "ended";

export interface Link {
  readonly status: ReadonlySignal<Status>;
  /** Why the line was lost or ended, in the server's words, where it said so. */
  readonly why: ReadonlySignal<string | null>;
  readonly welcome: ReadonlySignal<Welcome | null>;
  /** The server's time in milliseconds. */
  now(): number;
  /** Watch a table from now on; for the same name it is the same picture until it is left. */
  table(name: string): TablePicture;
  /** Hear, as staff, what happens in the cage or the venue. */
  listen(to: Elsewhere): void;
  leave(name: string): void;
  /** One's own terminal; null for anybody else. */
  readonly terminal: TerminalPicture | null;
  /** Ask for something: with one id, sent again until it is answered. */
  ask(to: string, command: WireCommand): Promise<Registered | Refused>;
  /** Approve, as the second person, what waits for one. */
  grant(to: string, pending: string, version: number, pin: string): Promise<Registered | Refused>;
  /** Hand a table over to the automatic dealer, or take it. */
  deal(table: string, automatic: boolean): Promise<Done | Refused>;
  onStaff(listener: (message: Staff) => void): () => void;
  onNotice(listener: (notice: Notice) => void): () => void;
  close(): void;
}

/** Who one is: a terminal, staff by a session of the tab or by the cookie, or with nothing a visitor. */
export interface As {
  readonly terminal?: TerminalKey;
  readonly session?: string;
  readonly staff?: boolean;
}

/** What the link stands on; another in tests. */
export interface Ground {
  readonly url: string;
  readonly makeSocket: MakeSocket;
}

/** Close codes after which coming back as one is would help nobody. */
const FOR_GOOD: ReadonlySet<number> = new Set([4000, 4001, 4002, 4004, 1008]);

export function openLink(as: As, ground: Ground = browser()): Link {
  return new HouseLink(as, ground);
}

function browser(): Ground {
  const url = new URL("/api/live", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return { url: url.href, makeSocket: (address) => new WebSocket(address) };
}

class HouseLink implements Link, LineOwner, Askable {
  readonly terminal: Terminal | null;
  readonly #as: As;
  readonly #status = signal<Status>("connecting");
  readonly #why = signal<string | null>(null);
  readonly #welcome = signal<Welcome | null>(null);
  readonly #notices = new Listeners<[Notice]>();
  readonly #asking = new Asking(this);
  readonly #watched: Watched;
  readonly #line: Line;
  readonly #stopFollowing: () => void;
  #fault: Fault | null = null;
  /** The last ping, and when it was said. */
  #pinged = { number: 0, at: 0 };

  constructor(as: As, ground: Ground) {
    this.#as = as;
    this.terminal = as.terminal === undefined ? null : new Terminal();
    this.#watched = new Watched((message) => {
      this.#say(message);
    });
    this.#line = new Line(ground.url, ground.makeSocket, this);
    // What we say when the line is lost must be there before it is.
    loadWords("live").catch(console.error);
    let first = true;
    this.#stopFollowing = effect(() => {
      void language.value;
      if (first) this.#line.open();
      else this.#speakAnew();
      first = false;
    });
  }

  // --- what its owner does ----------------------------------------------------------------------

  get status(): ReadonlySignal<Status> {
    return this.#status;
  }

  get why(): ReadonlySignal<string | null> {
    return this.#why;
  }

  get welcome(): ReadonlySignal<Welcome | null> {
    return this.#welcome;
  }

  now(): number {
    return serverClock.now();
  }

  table(name: string): TablePicture {
    return this.#watched.add(name);
  }

  listen(to: Elsewhere): void {
    this.#watched.listen(to);
  }

  leave(name: string): void {
    this.#watched.leave(name);
  }

  ask(to: string, command: WireCommand): Promise<Registered | Refused> {
    return this.#asking.ask(to, command);
  }

  grant(to: string, pending: string, version: number, pin: string): Promise<Registered | Refused> {
    return this.#asking.grant(to, pending, version, pin);
  }

  deal(table: string, automatic: boolean): Promise<Done | Refused> {
    return this.#asking.deal(table, automatic);
  }

  onStaff(listener: (message: Staff) => void): () => void {
    return this.#watched.onStaff.add(listener);
  }

  onNotice(listener: (notice: Notice) => void): () => void {
    return this.#notices.add(listener);
  }

  close(): void {
    this.#end();
    this.#line.close();
  }

  // --- what asking needs ------------------------------------------------------------------------

  get live(): boolean {
    return this.#status.peek() === "live";
  }

  get ended(): boolean {
    return this.#status.peek() === "ended";
  }

  find(table: string): Table | undefined {
    return this.#watched.find(table);
  }

  send(frame: string): void {
    this.#line.send(frame);
  }

  // --- what the line tells ----------------------------------------------------------------------

  opened(): void {
    const { terminal, session, staff } = this.#as;
    const hello: Hello = {
      type: "Hello",
      protocol: PROTOCOL,
      terminal: terminal ?? null,
      session: session ?? (staff === true ? tabSession.peek() : null),
      language: language.peek(),
      after: this.terminal?.sequence ?? null,
    };
    this.#line.send(writeMessage(hello));
  }

  ping(): void {
    this.#pinged = { number: this.#pinged.number + 1, at: steady() };
    this.#say({ type: "Ping", number: this.#pinged.number });
  }

  tick(): void {
    this.#watched.watchOverdue(this.#welcome.peek()?.tables ?? []);
  }

  lost(code: number, reason: string): boolean {
    const comesBack = !FOR_GOOD.has(code) || this.#isVisitorLoggedOut(reason);
    this.#asking.rest();
    batch(() => {
      // The server closes with the code of the fault that it gave as the reason.
      this.#why.value = this.#fault?.code === reason ? this.#fault.sentence : null;
      if (comesBack) this.#status.value = "lost";
      else this.#end();
    });
    this.#fault = null;
    return comesBack;
  }

  heard(data: string): void {
    let messages: ServerMessage[];
    try {
      messages = readFrame(data);
    } catch (error) {
      console.error(error);
      this.#line.drop();
      return;
    }
    // The screen is drawn once for all that came together.
    batch(() => {
      for (const message of messages) this.#hear(message);
    });
    this.#asking.sendDue();
  }

  // --- its own ----------------------------------------------------------------------------------

  #say(message: ClientMessage): void {
    if (this.live) this.#line.send(writeMessage(message));
  }

  /** A visitor came with the cookie of whoever was logged in here; without it, it may watch again. */
  #isVisitorLoggedOut(reason: string): boolean {
    const { terminal, session, staff } = this.#as;
    const visitor = terminal === undefined && session === undefined && staff !== true;
    return visitor && reason === "SESSION_ENDED";
  }

  #end(): void {
    this.#stopFollowing();
    this.#status.value = "ended";
    this.#asking.giveUp();
  }

  /** Come back in another language, with snapshots: every sentence is told anew. */
  #speakAnew(): void {
    this.#asking.rest();
    this.terminal?.beginAnew();
    this.#watched.beginAnew();
    this.#status.value = "connecting";
    this.#line.open();
  }

  #hear(message: ServerMessage): void {
    switch (message.type) {
      case "Welcome":
        this.#comeIn(message);
        break;
      case "TableSnapshot":
      case "Public":
        this.#watched.hear(message);
        break;
      case "Countdown":
      case "Dealer":
      case "Suspended":
      case "Steps":
      case "Exposure":
      case "Felt":
        this.find(message.table)?.note(message);
        break;
      case "TerminalSnapshot":
        this.terminal?.begin(message);
        break;
      case "Private":
        this.#hearPrivate(message);
        break;
      case "VoucherPrinted":
        this.terminal?.printed(message);
        break;
      case "Registered":
      case "Refused":
      case "Done":
        this.#asking.answer(message);
        break;
      case "Staff":
        this.#watched.hearStaff(message);
        break;
      case "Notice":
        this.#notices.notify(message);
        break;
      case "Pong":
        this.#hearPong(message);
        break;
      case "Fault":
        this.#fault = message;
        break;
    }
  }

  #comeIn(welcome: Welcome): void {
    serverClock.set(welcome.at);
    this.#welcome.value = welcome;
    this.#fault = null;
    if (this.#as.staff === true && welcome.role === "visitor") {
      // There is no session any more, and so nobody on the staff.
      this.#why.value = ownSentences.notLoggedIn();
      this.close();
      return;
    }
    this.#why.value = null;
    this.#status.value = "live";
    this.#line.welcomed();
    this.#watched.watchAll();
    this.#asking.startOver();
  }

  #hearPrivate(message: Private): void {
    // One's own channel is resumed by saying hello again.
    if (this.terminal?.take(message) === "gap") this.#line.drop();
  }

  #hearPong({ number, at }: Pong): void {
    if (number === this.#pinged.number) serverClock.set(at, steady() - this.#pinged.at);
  }
}
