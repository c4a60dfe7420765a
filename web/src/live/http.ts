/** HTTP requests to the server: adds credentials and language, turns errors into sentences. */

import { noted, sayAgainBy, type Reason } from "../words/said.ts";
import { language, readWords } from "../words/words.ts";
import { serverClock } from "./clock.ts";
import { storeSession, tabSession, terminalKey, writeTerminalKey } from "./credentials.ts";
import { ownSentences } from "./link/sentences.ts";

export { newId } from "./clock.ts";

/** An audit may read a long journal; nobody waits longer than this. */
const ANSWER_MS = 120_000;

/** A request that the server refused or could not carry out; `message` is a sentence to show. */
export class Problem extends Error {
  override readonly name = "Problem";
  /** 0 if the server gave no answer. */
  readonly status: number;
  readonly code: string;
  readonly clause: string | null;

  constructor(status: number, code: string, sentence: string, clause: string | null = null) {
    super(sentence);
    this.status = status;
    this.code = code;
    this.clause = clause;
  }
}

/** Parameters of an address; `language: true` adds the language of the screens. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Options {
  /** Aborts the request, which then fails with the signal's reason. */
  readonly signal?: AbortSignal;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

// The words for an unreachable server must be loaded before it becomes unreachable.
void readWords(["live"]);

interface Sentences {
  readonly sentences: readonly string[];
}

sayAgainBy(async (tongue, reasons) => (await post<Sentences>(`/api/words/${tongue}`, { reasons })).sentences);

export function get<T>(path: string, query: Query = {}, options: Options = {}): Promise<T> {
  return ask<T>("GET", addressOf(path, query), undefined, options);
}

export function post<T>(path: string, body: unknown, options: Options = {}): Promise<T> {
  return ask<T>("POST", path, body, options);
}

export function put<T>(path: string, body: unknown, options: Options = {}): Promise<T> {
  return ask<T>("PUT", path, body, options);
}

export function del<T>(path: string, query: Query = {}, options: Options = {}): Promise<T> {
  return ask<T>("DELETE", addressOf(path, query), undefined, options);
}

/** An address with its parameters; those that are null or undefined are left out. */
export function addressOf(path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue;
    parameters.set(name, name === "language" && value === true ? language.peek() : String(value));
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

async function ask<T>(method: Method, address: string, body: unknown, options: Options): Promise<T> {
  const authorization = authorizationFor(address);
  const answer = await fetchIt(method, address, body, authorization, options);
  const date = Date.parse(answer.headers.get("date") ?? "");
  if (!Number.isNaN(date)) serverClock.setRoughly(date);
  try {
    return await read<T>(answer, options);
  } catch (error) {
    if (!isSessionOver(error) || authorization?.startsWith("Bearer ") !== true) throw error;
    // The tab's session has ended: with its token even public requests would be refused.
    if (authorization === bearer(tabSession.peek())) storeSession(null);
    if (method !== "GET") throw error;
    return ask<T>(method, address, body, options);
  }
}

/** Whether the session has ended; a wrong password has the same status, but ends no session. */
function isSessionOver(error: unknown): boolean {
  return error instanceof Problem && error.status === 401 && error.code === "NOT_LOGGED_IN";
}

function bearer(token: string | null): string | null {
  return token === null ? null : `Bearer ${token}`;
}

/** A terminal's key for its own addresses, else the tab's session; null leaves it to the cookie. */
function authorizationFor(address: string): string | null {
  if (!address.startsWith("/api/terminal/")) return bearer(tabSession.peek());
  const key = terminalKey();
  return key === null ? null : `Terminal ${writeTerminalKey(key)}`;
}

async function fetchIt(
  method: Method,
  address: string,
  body: unknown,
  authorization: string | null,
  options: Options,
): Promise<Response> {
  const headers = new Headers({ Accept: "application/json", "Accept-Language": language.peek() });
  if (authorization !== null) headers.set("Authorization", authorization);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const late = AbortSignal.timeout(ANSWER_MS);
  const signal = options.signal === undefined ? late : AbortSignal.any([options.signal, late]);
  const content = body === undefined ? null : JSON.stringify(body);
  try {
    return await fetch(address, { method, headers, body: content, signal });
  } catch (error) {
    options.signal?.throwIfAborted();
    const problem = late.aborted
      ? new Problem(0, "NO_ANSWER", ownSentences.tooSlow())
      : new Problem(0, "UNREACHABLE", ownSentences.unreachable());
    problem.cause = error;
    throw problem;
  }
}

async function read<T>(answer: Response, options: Options): Promise<T> {
  // An answer without content is undefined; its callers expect nothing.
  if (answer.status === 204) return undefined as T;
  if (!answer.ok) throw await refusalOf(answer, options);
  return (await contentOf(answer, options)) as T;
}

/** Why the server refused a request, from its answer: noted, to be said again in other languages. */
export async function refusalOf(answer: Response, options: Options): Promise<Problem> {
  return problemOf(answer.status, await contentOf(answer, options));
}

async function contentOf(answer: Response, options: Options): Promise<unknown> {
  const text = await answer.text().catch(() => "");
  options.signal?.throwIfAborted();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // A proxy's page, or an incomplete answer.
    throw new Problem(answer.status, "UNREADABLE", ownSentences.unreadable(answer.status));
  }
}

function problemOf(status: number, content: unknown): Problem {
  const { detail, code, clause, params } = (content ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof detail !== "string" || typeof code !== "string") {
    return new Problem(status, "UNREADABLE", ownSentences.unreadable(status));
  }
  const sentence = params === undefined ? detail : noted(detail, { code, params: params as Reason["params"] });
  return new Problem(status, code, sentence, typeof clause === "string" ? clause : null);
}
