import { fireEvent, render, screen, waitFor } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { VenueView, SessionView } from "../../answers.ts";
import { loadWords } from "../../words/words.ts";

/** A fake server that answers only HTTP, as the real one does; its socket never opens. */
class FakeVenue {
  readonly requests: { method: string; path: string; body: unknown; bearer: string | null }[] = [];
  readonly answers = new Map<string, { status: number; body?: unknown }>();

  readonly fetch = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const { method = "GET" } = init;
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : null;
    const bearer = new Headers(init.headers).get("authorization");
    const path = address.split("?")[0] ?? "";
    this.requests.push({ method, path, body, bearer });
    const answer = this.answers.get(`${method} ${path}`);
    if (answer === undefined) return refusal(401, "NOT_LOGGED_IN", "nobody is logged in");
    const headers = { "content-type": "application/json" };
    if (answer.status === 204) return new Response(null, { status: 204 });
    return new Response(JSON.stringify(answer.body), { status: answer.status, headers });
  };
}

function refusal(status: number, code: string, detail: string): Response {
  const headers = { "content-type": "application/problem+json" };
  return new Response(JSON.stringify({ status, code, detail }), { status, headers });
}

class SilentSocket extends EventTarget {
  readonly readyState = 0;
  send(): void {}
  close(): void {}
}

const SESSION: SessionView = { person: "Dan", role: "dealer", began: 1, expires: 9e12, idle_at: 9e12 };
const VENUE: VenueView = {
  name: "The Lantern",
  currency: "SGD",
  demo: false,
  at: 1_794_803_228_232,
  tables: ["T1"],
  protocol: 1,
  languages: ["en"],
  live: "/api/live",
  founded: true,
};

/** The shell with fresh modules, since they hold its state. */
async function shellOf(view: VenueView, server: FakeVenue) {
  server.answers.set("GET /api/venue", { status: 200, body: view });
  vi.resetModules();
  const words = await import("../../words/words.ts");
  await words.loadWords("shell", "live");
  const { fetchVenue, venue: known } = await import("./venue.ts");
  const { NeedsStaff } = await import("./needs_staff.tsx");
  fetchVenue();
  await vi.waitFor(() => expect(known.value).not.toBeNull());
  render(
    <NeedsStaff roles={["dealer", "supervisor"]}>
      {(_, who) => <p>Dealing: {who.person}</p>}
    </NeedsStaff>,
  );
}

let server: FakeVenue;

beforeEach(async () => {
  sessionStorage.clear();
  localStorage.clear();
  await loadWords("shell");
  server = new FakeVenue();
  vi.stubGlobal("fetch", server.fetch);
  vi.stubGlobal("WebSocket", SilentSocket);
});

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

test("in a demo one is somebody by one click, in this tab", async () => {
  server.answers.set("POST /api/demo/staff", { status: 201, body: { session: SESSION, token: "tok" } });
  await shellOf({ ...VENUE, demo: true }, server);
  fireEvent.click(await screen.findByRole("button", { name: "Be the dealer" }));
  await screen.findByText("Dealing: Dan");
  expect(server.requests.at(-1)?.body).toEqual({ role: "dealer" });
  expect(server.requests.some(({ path }) => path === "/api/sessions/current"), "no tab, no session").toBe(false);
});

test("at a real venue one logs in with name, password and role", async () => {
  await shellOf(VENUE, server);
  const name = await screen.findByLabelText("Your name");
  fireEvent.input(name, { target: { value: "Dan" } });
  fireEvent.input(screen.getByLabelText("Password"), { target: { value: "three dice under a bell" } });
  fireEvent.change(screen.getByLabelText("In the role of"), { target: { value: "supervisor" } });
  fireEvent.click(screen.getByRole("button", { name: "Log in" }));
  await screen.findByText("Nobody is logged in");
  server.answers.set("POST /api/sessions", { status: 201, body: { session: SESSION, token: null } });
  fireEvent.submit(screen.getByRole("button", { name: "Log in" }).closest("form") as HTMLFormElement);
  await screen.findByText("Dealing: Dan");
  const body = { person: "Dan", password: "three dice under a bell", role: "supervisor" };
  expect(server.requests.at(-1)).toMatchObject({ method: "POST", path: "/api/sessions", body });
});

test("somebody in another role is told so", async () => {
  const cashier = { ...SESSION, role: "cage" };
  server.answers.set("GET /api/sessions/current", { status: 200, body: cashier });
  await shellOf(VENUE, server);
  await screen.findByText("You are logged in as cashier, and this screen is not for that role.");
});

test("a first password is set with a one-time code", async () => {
  server.answers.set("POST /api/staff/Sue%20Lim/credentials", { status: 204 });
  await shellOf(VENUE, server);
  fireEvent.click(await screen.findByRole("button", { name: /First time here/ }));
  const given = {
    "Your name": "Sue Lim",
    "One-time code": "K7QPM-2XWRB",
    "New password": "three dice under a bell",
    PIN: "27184",
  };
  for (const [label, value] of Object.entries(given))
    fireEvent.input(screen.getByLabelText(label), { target: { value } });
  // Without a keyboard a PIN is entered on the keypad.
  fireEvent.click(screen.getByRole("button", { name: "Show the keypad" }));
  fireEvent.click(await screen.findByRole("button", { name: "5" }));
  fireEvent.click(screen.getByRole("button", { name: "Set password and PIN" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Log in" })).toBeTruthy());
  expect(server.requests.at(-1)?.body).toEqual({
    code: "K7QPM-2XWRB",
    password: "three dice under a bell",
    pin: "271845",
  });
});
