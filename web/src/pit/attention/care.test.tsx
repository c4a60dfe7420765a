import { act, fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { alertOf, AT, floorOf, pitOf, TABLE } from "../fakes.ts";
import { FloorMap, placesOf } from "../tables/floor_map.tsx";
import { Alerts } from "./alerts.tsx";
import { PastAlerts } from "./past_alerts.tsx";
import { Rulings } from "./rulings.tsx";

const SEEN = { at: AT, by: "Sunil", note: "a dark tube", person: null };
const GIVEN = { at: AT + 1_000, by: "Petra", note: "", person: "Tomas" };

interface Sent {
  readonly path: string;
  readonly query: string;
  readonly body: Record<string, unknown> | null;
}

/** A fake server that answers by path, and records what was sent to it. */
function serving(answers: Readonly<Record<string, unknown>>): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", (address: string, asked?: RequestInit) => {
    const { pathname: path, search: query } = new URL(address, "http://venue");
    const body = asked?.body == null ? null : (JSON.parse(String(asked.body)) as Record<string, unknown>);
    sent.push({ path, query, body });
    return Promise.resolve(new Response(JSON.stringify(answers[path] ?? {})));
  });
  return sent;
}

/** Wait until a press has been drawn and its requests are answered. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) {
    await act(async () => {
      await vi.advanceTimersByTimeAsync(1_500);
    });
  }
}

beforeEach(() => vi.useFakeTimers({ now: AT }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("an alert is acknowledged with one press, and counts no more as one to act on", async () => {
  const sent = serving({});
  const { floor } = floorOf("supervisor");
  const alert = alertOf({ alert: "a1" });
  const { rerender } = render(<Alerts floor={floor} alerts={[alert]} />);
  expect(screen.getByRole("heading", { name: /Alerts/ }).textContent).toContain("1");
  screen.getByRole("button", { name: "Acknowledge: table T1 is stopped" }).click();
  await settle();
  expect(sent.map(({ path }) => path)).toContain("/api/pit/alerts/a1/acknowledge");
  const care = { acknowledged: SEEN, person: "Tomas", steps: [SEEN, GIVEN] };
  rerender(<Alerts floor={floor} alerts={[{ ...alert, care }]} />);
  expect(screen.getByRole("heading", { name: /Alerts/ }).textContent).not.toContain("1");
  const item = screen.getByRole("list", { name: /Alerts/ });
  expect(item.textContent).toMatch(/Seen by Sunil.*With Tomas/);
  expect(within(item).queryByRole("button", { name: /^Acknowledge/ })).toBeNull();
});

test("a supervisor takes an alert with a note; a manager gives it to somebody, and sees what was done", async () => {
  const staff = [{ person: "Petra" }, { person: "Tomas" }];
  const sent = serving({ "/api/staff": staff });
  const care = { acknowledged: SEEN, person: null, steps: [SEEN] };
  const alert = alertOf({ alert: "a1", care });
  const first = render(<Alerts floor={floorOf("supervisor").floor} alerts={[alert]} />);
  screen.getByRole("button", { name: /^See to it/ }).click();
  await settle();
  expect(screen.getByRole("list", { name: "What was done" }).textContent).toMatch(/Sunil acknowledged it.*a dark tube/);
  expect(screen.queryByLabelText("Give it to")).toBeNull();
  fireEvent.input(screen.getByLabelText(/What you found/), { target: { value: "on my way" } });
  screen.getByRole("button", { name: "Take it" }).click();
  await settle();
  const { body } = sent.find(({ path }) => path === "/api/pit/alerts/a1/assign") ?? { body: null };
  expect(body).toMatchObject({ person: "Petra", note: "on my way" });
  first.unmount();

  sent.length = 0;
  render(<Alerts floor={floorOf("pit-manager").floor} alerts={[alert]} />);
  screen.getByRole("button", { name: /^See to it/ }).click();
  await settle();
  fireEvent.change(screen.getByLabelText("Give it to"), { target: { value: "Tomas" } });
  screen.getByRole("button", { name: "Give" }).click();
  await settle();
  expect(sent.find(({ path }) => path.endsWith("/assign"))?.body).toMatchObject({ person: "Tomas" });
});

test("an auditor sees who did what, and does nothing", () => {
  const care = { acknowledged: SEEN, person: null, steps: [SEEN] };
  render(<Alerts floor={floorOf("auditor").floor} alerts={[alertOf({ care })]} />);
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByText(/Seen by Sunil/)).toBeTruthy();
});

test("what was done about alerts is read page by page", async () => {
  const past = { alert: "a1", table: "T1", sentence: "table T1 is stopped", over: true, acknowledged: SEEN, person: "Tomas", steps: [SEEN, GIVEN] };
  const sent = serving({ "/api/pit/alerts": { alerts: [past], before: "a1" } });
  render(<PastAlerts known={0} />);
  await settle();
  const shown = screen.getByText("table T1 is stopped").closest("li");
  expect(shown?.textContent).toMatch(/Over.*With Tomas.*Sunil acknowledged it.*Petra gave it to Tomas/);
  screen.getByRole("button", { name: /Older/ }).click();
  await settle();
  expect(sent.at(-1)?.query).toContain("before=a1");
  expect(screen.getByRole("button", { name: /Newer/ })).toBeTruthy();
});

const RULING = {
  ...{ code: "ruling", name: "A ruling", clause: null, optional: ["voids_round"], fields: ["note"] },
  ...{ command: { type: "Rule", note: "", voids_round: false }, may: ["shift-manager"], standing: "open", sentence: null },
  ...{ refusal_clause: null, second: true, seconds: ["supervisor"], will: [], agreed: [], voids: false, stops: false, bets: 0, returned: 0 },
};

test("what awaits a ruling is listed by table, and ruled on from here", async () => {
  serving({ "/api/tables/T1/irregularities": { table: "T1", irregularities: [RULING], unruled: { "late-bet": 7 } } });
  const alerts = [
    alertOf({ code: "PIT_UNRULED", sentence: "left to a ruling: a late bet" }),
    alertOf({ code: "PIT_STOPPED", table: "T2", sentence: "table T2 is stopped" }),
    alertOf({ code: "PIT_HOLD_OUTSIDE", table: "T3", sentence: "the win is outside" }),
  ];
  const { floor, server } = floorOf("shift-manager");
  render(<Rulings floor={floor} pit={pitOf([TABLE], alerts)} />);
  const rows = screen.getAllByRole("listitem").map((each) => each.textContent);
  expect(rows).toHaveLength(2);
  expect(rows[1]).toContain("table T2 is stopped");
  screen.getByRole("button", { name: "Rule on it…" }).click();
  await settle();
  const dialog = screen.getByRole("dialog", { name: "Ruling at table T1" });
  fireEvent.input(within(dialog).getByLabelText("In your words"), { target: { value: "it stands" } });
  fireEvent.submit(within(dialog).getByLabelText("In your words").closest("form") as HTMLFormElement);
  await settle();
  expect(server.sent).toMatchObject([{ type: "Rule", note: "it stands" }]);
});

test("a floor without anything to rule on says so", () => {
  render(<Rulings floor={floorOf().floor} pit={pitOf([TABLE])} />);
  expect(screen.getByText("Nothing awaits a ruling.")).toBeTruthy();
});

test("tables are at their places of the plan, the others in rows below", () => {
  const at = (table: string, place: readonly [number, number] | null) => ({ table, place });
  const places = placesOf([at("A", [3, 1]), at("B", null), at("C", [1, 2]), at("D", null)]);
  expect(Object.fromEntries(places)).toEqual({ A: [3, 1], C: [1, 2], B: [1, 3], D: [2, 3] });
  const grid = placesOf(["A", "B", "C", "D", "E"].map((table) => at(table, null)));
  expect(grid.get("D")).toEqual([1, 2]);
  expect(grid.get("E")).toEqual([2, 2]);
});

test("the map says how each table stands, what it may cost and what nobody has seen yet", () => {
  const tables = [
    { ...TABLE, table: "T1", place: [2, 1] as const },
    { ...TABLE, table: "T2", place: [1, 1] as const, stopped: "7.4" },
  ];
  const seen = alertOf({ table: "T2", care: { acknowledged: SEEN, person: null, steps: [SEEN] } });
  const { floor, server } = floorOf();
  server.view.value = null;
  render(<FloorMap floor={floor} pit={pitOf(tables, [alertOf(), seen])} />);
  const [first, second] = within(screen.getByRole("list", { name: "Floor" })).getAllByRole("link");
  expect(first?.textContent).toMatch(/T2.*Staked \$84\.00.*Worst \$351\.00.*Alerts seen.*Stopped, clause 7\.4/);
  expect(second?.textContent).toMatch(/T1.*1 alert/);
  expect(second?.getAttribute("href")).toBe("/pit?table=T1");
});
