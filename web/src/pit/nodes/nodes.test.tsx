import { act, fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Nodes as Stand } from "../../answers.ts";
import { AT, floorOf } from "../fakes.ts";
import { Nodes } from "./nodes.tsx";

const STAND: Stand = {
  at: AT,
  several: true,
  nodes: [
    { node: "east", roles: ["owner"], heard: true, silent_ms: 90, draining: false, here: false, streams: 1, address: "10.0.0.2:7001" },
    { node: "gate", roles: ["gateway"], heard: true, silent_ms: 40, draining: false, here: true, streams: 0, address: "" },
    { node: "office", roles: ["office", "owner"], heard: true, silent_ms: 40, draining: true, here: false, streams: 1, address: "" },
    { node: "west", roles: ["owner"], heard: false, silent_ms: 61_230, draining: false, here: false, streams: 0, address: "" },
  ],
  streams: [
    { stream: "table/T1", table: "T1", node: "east", passed: 3, since: AT, wanted: "office", behind: 2, could: ["office", "north"] },
    { stream: "venue", table: null, node: "office", passed: 0, since: AT, wanted: null, behind: 0, could: [] },
  ],
  gateways: [
    { gateway: "gate-a", connected: 1_204, starts: 1 },
    { gateway: "gate-b", connected: 0, starts: 3 },
  ],
  may_ask: true,
};

let stand: Stand = STAND;
let refuses: string | null = null;
const sent: { readonly path: string; readonly body: Record<string, unknown> | null }[] = [];

beforeEach(() => {
  vi.useFakeTimers({ now: AT });
  sent.length = 0;
  [stand, refuses] = [STAND, null];
  vi.stubGlobal("fetch", (address: string, asked?: RequestInit) => {
    const path = new URL(address, "http://venue").pathname;
    const body = asked?.body == null ? null : (JSON.parse(String(asked.body)) as Record<string, unknown>);
    sent.push({ path, body });
    if (body !== null && refuses !== null) {
      return Promise.resolve(new Response(JSON.stringify({ status: 409, code: "NODE_SILENT", detail: refuses }), { status: 409 }));
    }
    return Promise.resolve(new Response(JSON.stringify(path === "/api/pit/nodes" ? stand : {})));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(600)));
const rows = (name: string): string[][] =>
  within(screen.getByRole("region", { name }))
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent));

test("nodes are shown with their roles and beats, and streams with where they are", async () => {
  render(<Nodes floor={floorOf("pit-manager").floor} />);
  await settle();
  expect(rows("Nodes").map((row) => row.slice(0, 5))).toEqual([
    ["east", "owner", "at work", "0.1 s ago", "1"],
    ["gate (this one)", "gateway", "at work", "0.0 s ago", "0"],
    ["office", "office, owner", "leaving its tables", "0.0 s ago", "1"],
    ["west", "owner", "silent", "61.2 s ago", "0"],
  ]);
  const [table, venue] = rows("Tables and streams");
  expect(table?.slice(0, 2)).toEqual(["T1", "east"]);
  expect(table?.slice(3, 6)).toEqual(["3", "2", "to office, once it is at rest"]);
  expect(venue?.slice(0, 2)).toEqual(["The venue's own", "office"]);
  expect(rows("Gateways")).toEqual([
    ["gate-a", "1,204", "1"],
    ["gate-b", "0", "3"],
  ]);
  // A node can be drained only if it has tables, sends heartbeats, and is not leaving already.
  expect(screen.getAllByRole("button", { name: /^Drain/ }).map(({ textContent }) => textContent)).toEqual(["Drain east"]);
});

test("that nobody can connect is said, and no address is shown where there is none", async () => {
  stand = { ...STAND, gateways: [], nodes: STAND.nodes.map((node) => ({ ...node, address: "" })) };
  render(<Nodes floor={floorOf("pit-manager").floor} />);
  await settle();
  expect(screen.getByText("No gateway has called: nobody can connect.")).toBeTruthy();
  expect(screen.queryByRole("columnheader", { name: "Address" })).toBeNull();
});

test("a drain and a move are asked for, and wait for a second person", async () => {
  render(<Nodes floor={floorOf("pit-manager").floor} />);
  await settle();
  screen.getByRole("button", { name: "Drain east" }).click();
  await settle();
  fireEvent.change(screen.getByRole("combobox", { name: "Move T1 to" }), { target: { value: "north" } });
  screen.getByRole("button", { name: "Move" }).click();
  await settle();
  const asked = sent.filter(({ body }) => body !== null);
  expect(asked.map(({ path }) => path)).toEqual(["/api/pit/nodes/east/drain", "/api/pit/nodes/north/move"]);
  expect(asked[1]?.body?.["stream"]).toBe("table/T1");
  expect(asked[0]?.body?.["id"]).not.toBe(asked[1]?.body?.["id"]);
});

test("a refusal is said, and who may ask nothing is offered nothing", async () => {
  refuses = "the node east is not heard of";
  render(<Nodes floor={floorOf("pit-manager").floor} />);
  await settle();
  screen.getByRole("button", { name: "Drain east" }).click();
  await settle();
  expect(screen.getByRole("alert").textContent).toMatch(/the node east is not heard of/i);
  stand = { ...STAND, may_ask: false };
  await act(async () => void (await vi.advanceTimersByTimeAsync(3_000)));
  expect(screen.queryByRole("button", { name: /^Drain|^Move/ })).toBeNull();
});

test("a venue of one process says so", async () => {
  stand = { ...STAND, several: false, nodes: [], streams: [], gateways: [] };
  render(<Nodes floor={floorOf("pit-manager").floor} />);
  await settle();
  expect(screen.getByText("This venue is one process, and has no nodes.")).toBeTruthy();
});
