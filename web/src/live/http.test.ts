import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { language } from "../words/words.ts";
import { ServerClock, serverClock } from "./clock.ts";
import { storeSession, storeTerminal, tabPin, tabSession } from "./credentials.ts";
import { addressOf, del, get, newId, post, Problem, put } from "./http.ts";
import { currentSession, demoSeat, demoStaff, forgetTerminal, logIn, logOut, terminalKey } from "./who.ts";

const fetched = vi.fn<(address: string, init: RequestInit) => Promise<Response>>();

function answers(status: number, content: unknown, headers: Record<string, string> = {}): void {
  const kind = status < 400 ? "application/json" : "application/problem+json";
  const body = status === 204 ? null : JSON.stringify(content);
  fetched.mockResolvedValueOnce(new Response(body, { status, headers: { "content-type": kind, ...headers } }));
}

function lastRequest(): { address: string; method: unknown; body: unknown; headers: Headers } {
  const [address, init] = fetched.mock.lastCall ?? ["", {}];
  const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : null;
  return { address, method: init.method, body, headers: new Headers(init.headers) };
}

const view = { person: "Sue Lim", role: "supervisor", began: 1, expires: 2, idle_at: 3 };

beforeEach(() => {
  vi.stubGlobal("fetch", fetched);
});

afterEach(() => {
  storeSession(null);
  forgetTerminal();
  forgetTerminal();
  language.value = "en";
  fetched.mockReset();
  vi.unstubAllGlobals();
});

test("gets what is answered, with the language where it is asked for", async () => {
  language.value = "zh-Hant";
  answers(200, { name: "The Lantern" });
  expect(await get("/api/tables/T1", { language: true, limit: 5, before: undefined, after: null })).toEqual({
    name: "The Lantern",
  });
  expect(lastRequest()).toMatchObject({ address: "/api/tables/T1?language=zh-Hant&limit=5", method: "GET", body: null });
  expect(lastRequest().headers.get("accept-language")).toBe("zh-Hant");
});

test("an address has its parameters as addresses do", () => {
  expect(addressOf("/api/x", {})).toBe("/api/x");
  expect(addressOf("/api/x", { name: "a b&c" })).toBe("/api/x?name=a+b%26c");
});

test("sends JSON, and nothing is what is answered without content", async () => {
  answers(202, { pending: "hash" });
  expect(await post("/api/staff", { person: "dan" })).toEqual({ pending: "hash" });
  expect(lastRequest()).toMatchObject({ method: "POST", body: { person: "dan" } });
  expect(lastRequest().headers.get("content-type")).toBe("application/json");
  answers(200, {});
  await put("/api/staff/dan/roles", { roles: [] });
  expect(lastRequest().method).toBe("PUT");
  answers(204, null);
  expect(await del("/api/staff/dan", { id: "1-a" })).toBeUndefined();
  expect(lastRequest()).toMatchObject({ address: "/api/staff/dan?id=1-a", method: "DELETE" });
});

test("a problem is an error with the server's sentence, code and clause", async () => {
  answers(409, { type: "x", title: "Conflict", status: 409, detail: "Too late.", code: "BETS_CLOSED", clause: "5.7" });
  const problem: unknown = await get("/api/x").catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(Problem);
  expect(problem).toMatchObject({ message: "Too late.", status: 409, code: "BETS_CLOSED", clause: "5.7" });
});

test("an answer that is none of the server's, and none at all, are sentences too", async () => {
  fetched.mockResolvedValueOnce(new Response("<html>", { status: 502, headers: { "content-type": "text/html" } }));
  await expect(get("/api/x")).rejects.toMatchObject({
    status: 502,
    message: "The server gave an answer that cannot be read (502). Try again.",
  });
  fetched.mockResolvedValueOnce(new Response('{"name": "The Lan', { status: 200 }));
  await expect(get("/api/x")).rejects.toMatchObject({ status: 200, code: "UNREADABLE" });
  answers(200, null);
  expect(await get("/api/x")).toBeNull();
  fetched.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  await expect(get("/api/x")).rejects.toMatchObject({
    status: 0,
    code: "UNREACHABLE",
    message: "The server is out of reach. Look at the network, then try again.",
  });
});

test("whoever stops asking gets their own reason", async () => {
  const stop = new AbortController();
  stop.abort(new Error("gone"));
  fetched.mockRejectedValueOnce(new DOMException("aborted", "AbortError"));
  await expect(get("/api/x", {}, { signal: stop.signal })).rejects.toThrow("gone");
});

test("whoever stops asking while the answer comes gets their own reason too", async () => {
  const stop = new AbortController();
  const begun = new ReadableStream({
    pull(body) {
      stop.abort(new Error("gone"));
      body.error(new DOMException("aborted", "AbortError"));
    },
  });
  fetched.mockResolvedValueOnce(new Response(begun, { status: 200 }));
  await expect(get("/api/x", {}, { signal: stop.signal })).rejects.toThrow("gone");
});

test("the tab's session goes with everything, a terminal's key to its own addresses", async () => {
  storeSession("token");
  storeTerminal({ table: "T1", terminal: "T1-1", key: "k" }, "tab");
  answers(200, {});
  await get("/api/pit");
  expect(lastRequest().headers.get("authorization")).toBe("Bearer token");
  answers(200, []);
  await get("/api/terminal/recall", { language: true });
  expect(lastRequest().headers.get("authorization")).toBe("Terminal T1/T1-1:k");
});

test("a session that is over is forgotten, and what is for everybody still gotten", async () => {
  storeSession("old");
  answers(401, { detail: "Log in first.", code: "NOT_LOGGED_IN" });
  answers(200, ["T1"]);
  expect(await get("/api/tables")).toEqual(["T1"]);
  expect(lastRequest().headers.get("authorization")).toBeNull();
  expect(tabSession.value).toBeNull();
});

test("nothing is changed in another's name when the tab's session is over", async () => {
  storeSession("old");
  answers(401, { detail: "Log in first.", code: "NOT_LOGGED_IN" });
  await expect(post("/api/staff", {})).rejects.toMatchObject({ code: "NOT_LOGGED_IN" });
  expect(fetched).toHaveBeenCalledOnce();
});

test("an id begins with the server's time, of an answer where no line has given it", async () => {
  answers(200, {}, { date: "Mon, 16 Nov 2026 10:26:55 GMT" });
  await get("/api/venue");
  expect(Number(newId().split("-")[0])).toBeGreaterThanOrEqual(Date.UTC(2026, 10, 16, 10, 26, 55));
  expect(Number(newId().split("-")[0])).toBeLessThan(Date.UTC(2026, 10, 16, 10, 26, 56));
  serverClock.set(1_000_000);
  answers(200, {}, { date: "Mon, 16 Nov 2026 10:26:55 GMT" });
  await get("/api/venue");
  expect(newId()).toMatch(/^1000\d{3}-/);
  expect(newId()).not.toBe(newId());
});

test("an answer out of the browser's own cache does not set the clock back", async () => {
  const clock = new ServerClock();
  clock.setRoughly(Date.UTC(2026, 10, 16, 10, 26, 55));
  // The answer was cached yesterday, so its date is yesterday's.
  clock.setRoughly(Date.UTC(2026, 10, 15, 9, 0, 0));
  expect(clock.now()).toBeGreaterThanOrEqual(Date.UTC(2026, 10, 16, 10, 26, 55));
  clock.setRoughly(Date.UTC(2026, 10, 16, 10, 27, 30));
  expect(clock.now()).toBeGreaterThanOrEqual(Date.UTC(2026, 10, 16, 10, 27, 30));
  clock.set(1_000_000);
  expect(clock.now()).toBeLessThan(2_000_000);
});

test("a password that is wrong ends no session", async () => {
  storeSession("of the demo");
  answers(401, { detail: "That is not right.", code: "LOG_IN_REFUSED" });
  await expect(logIn("Sue Lim", "three", "supervisor")).rejects.toMatchObject({ code: "LOG_IN_REFUSED" });
  expect(tabSession.value).toBe("of the demo");
});

test("being on the staff of a demo is the tab's own", async () => {
  answers(201, { session: view, token: "t", pin: "246810" });
  expect(await demoStaff("supervisor")).toEqual(view);
  expect(lastRequest()).toMatchObject({ address: "/api/demo/staff", body: { role: "supervisor" } });
  expect([tabSession.value, tabPin.value]).toEqual(["t", "246810"]);
  expect(sessionStorage.getItem("taisai.session")).toBe("t");
  expect(localStorage.getItem("taisai.session")).toBeNull();
});

test("logging in to a server leaves a cookie, and nothing that a script could read", async () => {
  storeSession("of the demo");
  answers(201, { session: view, token: null, pin: null });
  await logIn("Sue Lim", "three dice", "supervisor");
  expect(lastRequest().body).toEqual({ person: "Sue Lim", password: "three dice", role: "supervisor" });
  expect(tabSession.value).toBeNull();
});

test("logging out ends the session, also one that is over", async () => {
  storeSession("t", "246810");
  answers(204, null);
  await logOut();
  expect([tabSession.value, tabPin.value]).toEqual([null, null]);
  answers(401, { detail: "Log in first.", code: "NOT_LOGGED_IN" });
  await logOut();
});

test("nobody is logged in, or somebody is, or the server is in trouble", async () => {
  answers(401, { detail: "Log in first.", code: "NOT_LOGGED_IN" });
  expect(await currentSession()).toBeNull();
  answers(200, view);
  expect(await currentSession()).toEqual(view);
  answers(503, { detail: "The venue is stopping.", code: "VENUE_STOPPING" });
  await expect(currentSession()).rejects.toThrow("The venue is stopping.");
});

test("a seat of a demo is the tab's own", async () => {
  answers(201, { table: "sic-bo", terminal: "sic-bo-1", key: "k", credits: 100_000 });
  const key = { table: "sic-bo", terminal: "sic-bo-1", key: "k" };
  expect(await demoSeat("sic-bo")).toEqual(key);
  expect(lastRequest()).toMatchObject({ address: "/api/demo/terminals", body: { table: "sic-bo" } });
  expect(terminalKey()).toEqual(key);
  expect(localStorage.getItem("taisai.terminal")).toBeNull();
  forgetTerminal();
  expect(terminalKey()).toBeNull();
});

test("a real terminal's key comes in the fragment once, stays, and is not seen again", () => {
  history.replaceState(null, "", "/play?table=T1#terminal=T1/Pit%202/seat%201:s3cret_-k");
  expect(terminalKey()).toEqual({ table: "T1", terminal: "Pit 2/seat 1", key: "s3cret_-k" });
  expect(location.href).toMatch(/\/play\?table=T1$/);
  expect(localStorage.getItem("taisai.terminal")).toBe("T1/Pit 2/seat 1:s3cret_-k");
  expect(terminalKey()).not.toBeNull();
});

test.each(["T1", "T1/x", "T1:k", "/x:k", "T1/x:", "%E0%A4%A"])("%s in the fragment is no key", (text) => {
  history.replaceState(null, "", `/play#terminal=${text}`);
  expect(terminalKey()).toBeNull();
  expect(location.hash).toBe("");
});
