/**
 * The views of this client are those of the server, at every version of simulated worlds.
 *
 * `tests/projections/test_views_in_typescript.py` plays the worlds, writes down what the server sent
 * and what its views were, and runs this file.
 */

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

import { expect, test } from "vitest";

import type { PositionView, TableView } from "../protocol.ts";
import { FakeServer, TERMINAL, type FakeSocket } from "./link/fake_server.ts";
import { openLink, type Link } from "./link/link.ts";
import type { LiveTable } from "./live_table.ts";
import type { LiveTerminal } from "./live_terminal.ts";

/** What the server sent on one channel, frame by frame as it was on the wire. */
interface Conversation {
  readonly table: string;
  /** The owner of this private channel; null for the public one. */
  readonly terminal: string | null;
  readonly moments: readonly Moment[];
}

interface Moment {
  readonly version: number;
  readonly frames: readonly string[];
  /** The server's view at this version. */
  readonly view: TableView | PositionView;
  /** A snapshot of this version, if a new client joins at it. */
  readonly snapshot: string | null;
}

/** A client that joined with a snapshot and has received every frame since. */
interface Follower {
  readonly socket: FakeSocket;
  readonly link: Link;
  view(): TableView | PositionView | null;
}

function follow({ table, terminal }: Conversation, snapshot: string): Follower {
  const server = new FakeServer();
  const link = openLink(terminal === null ? {} : { terminal: { ...TERMINAL, table, terminal } }, server);
  const picture = terminal === null ? link.table(table) : null;
  const socket = server.welcome();
  socket.receiveText(snapshot);
  return {
    socket,
    link,
    view: () => (picture === null ? terminalView(link.terminal) : tableView(picture)),
  };
}

function tableView(table: LiveTable): TableView | null {
  const { value: view } = table.view;
  // The totals have signals of their own.
  return view === null ? null : { ...view, totals: Object.fromEntries(table.totals.value) };
}

function terminalView(terminal: LiveTerminal | null): PositionView | null {
  const view = terminal?.view.value ?? null;
  if (terminal === null || view === null) return null;
  // Each box has a signal of its own beside the view.
  const bets = Object.keys(view.bets).map((box) => [box, terminal.bet(box).value] as const);
  return { ...view, bets: Object.fromEntries(bets) };
}

const file = process.env["TAISAI_CONVERSATIONS"];
if (file === undefined) throw new Error("TAISAI_CONVERSATIONS names the file of the conversations.");

test.each(JSON.parse(readFileSync(file, "utf8")) as Conversation[])(
  "$table, terminal $terminal: snapshot and changes agree at every version",
  (conversation) => {
    const followers: Follower[] = [];
    for (const { version, frames, view, snapshot } of conversation.moments) {
      for (const { socket, view: mine } of followers) {
        for (const frame of frames) socket.receiveText(frame);
        // Far faster than `expect`, which is left for views that differ.
        if (!isDeepStrictEqual(mine(), view)) expect(mine(), `version ${version}`).toStrictEqual(view);
      }
      if (snapshot !== null) {
        const newcomer = follow(conversation, snapshot);
        expect(newcomer.view(), `a snapshot of version ${version}`).toStrictEqual(view);
        followers.push(newcomer);
      }
    }
    expect(followers.length).toBeGreaterThan(0);
    for (const { socket, link } of followers) {
      // No message was taken for a gap: no client asked again, and none left.
      expect(link.status.value).toBe("live");
      expect(socket.sentOf("Watch").length).toBe(conversation.terminal === null ? 1 : 0);
      link.close();
    }
  },
);
