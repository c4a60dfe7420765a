/** For tests: a fake server, through which a test sends the server's messages. */

import type { ClientMessage, ServerMessage } from "../../protocol.ts";
import { oneServerOfEach } from "../../protocol.examples.ts";
import { openLink, type As, type Ground, type Link } from "./link.ts";
import type { Socket } from "./connection.ts";

/** One fake socket: records what the client sends, and receives what the test sends. */
export class FakeSocket implements Socket {
  onopen: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;
  readyState = 0;
  closed = false;
  readonly frames: string[] = [];

  send(data: string): void {
    if (this.closed) throw new Error("Something was sent over a closed socket.");
    this.frames.push(data);
  }

  close(): void {
    this.closed = true;
    this.readyState = 3;
  }

  get sent(): ClientMessage[] {
    return this.frames.flatMap((frame) => frame.split("\n")).map((line) => JSON.parse(line) as ClientMessage);
  }

  sentOf<K extends ClientMessage["type"]>(type: K): Extract<ClientMessage, { readonly type: K }>[] {
    return this.sent.filter((each): each is Extract<ClientMessage, { readonly type: K }> => each.type === type);
  }

  opens(): void {
    this.readyState = 1;
    this.onopen?.(new Event("open"));
  }

  /** Receive messages, all of them in one frame. */
  receive(...messages: readonly (ServerMessage | object)[]): void {
    this.receiveText(messages.map((each) => JSON.stringify(each)).join("\n"));
  }

  receiveText(data: string): void {
    this.onmessage?.(new MessageEvent("message", { data }));
  }

  closes(code: number, reason = ""): void {
    this.closed = true;
    const event = Object.assign(new Event("close"), { code, reason, wasClean: true });
    this.onclose?.(event as unknown as CloseEvent);
  }
}

export class FakeServer implements Ground {
  readonly url = "ws://venue.test/api/live";
  readonly sockets: FakeSocket[] = [];
  /** Where each of them was opened. */
  readonly urls: string[] = [];
  readonly makeSocket = (url: string): FakeSocket => {
    this.urls.push(url);
    const socket = new FakeSocket();
    this.sockets.push(socket);
    return socket;
  };

  /** The newest socket. */
  get socket(): FakeSocket {
    const newest = this.sockets.at(-1);
    if (newest === undefined) throw new Error("Nobody has come.");
    return newest;
  }

  /** Welcome the client that has sent its Hello. */
  welcome(more: object = {}): FakeSocket {
    this.socket.opens();
    this.socket.receive({ ...oneServerOfEach.Welcome, ...more });
    return this.socket;
  }
}

export const TERMINAL = { table: "T1", terminal: "T1-1", key: "secret" };

/** A welcomed terminal that watches its table and has a snapshot of both. */
export function seated(as: As = { terminal: TERMINAL }): { server: FakeServer; link: Link } {
  const server = new FakeServer();
  const link = openLink(as, server);
  link.table("T1");
  const socket = server.welcome();
  socket.receive(oneServerOfEach.TerminalSnapshot, oneServerOfEach.TableSnapshot);
  return { server, link };
}
