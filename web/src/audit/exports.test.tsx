import { act, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { storeSession } from "../live/credentials.ts";
import { language, loadWords } from "../words/words.ts";
import { Exports } from "./exports.tsx";

const REFUSED = {
  ...{ status: 503, code: "JOURNAL_UNREADABLE", params: { detail: "disk" } },
  detail: "the journal cannot be read: disk",
};

beforeEach(() => storeSession("token-1"));
afterEach(async () => {
  storeSession(null);
  vi.unstubAllGlobals();
  language.value = "en";
  await loadWords();
});

test("why an export was refused is said again in another language", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (address: string, { headers, body }: RequestInit) => {
    asked.push(`${address} ${new Headers(headers).get("accept-language") ?? ""}`);
    if (address.startsWith("/api/exports/")) return Promise.resolve(new Response(JSON.stringify(REFUSED), { status: 503 }));
    expect(JSON.parse(String(body))).toEqual({ reasons: [{ code: "JOURNAL_UNREADABLE", params: { detail: "disk" } }] });
    return Promise.resolve(new Response(JSON.stringify({ sentences: ["无法读取账本：disk"] })));
  });
  render(<Exports />);
  fireEvent.click(screen.getByRole("button", { name: "Export" }));
  const shown = await screen.findByRole("alert");
  expect(shown.textContent).toContain("the journal cannot be read: disk");
  expect(asked).toEqual(["/api/exports/rounds?format=csv&language=en en"]);
  await act(async () => {
    language.value = "zh-Hans";
    await loadWords("audit");
  });
  await vi.waitFor(() => expect(screen.getByRole("alert").textContent).toContain("无法读取账本：disk"));
  expect(asked.slice(1)).toEqual(["/api/words/zh-Hans zh-Hans"]);
});

test("an answer that is none of the server's is said in the words of the page", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("<html>", { status: 502 })));
  render(<Exports />);
  fireEvent.click(screen.getByRole("button", { name: "Export" }));
  const shown = await screen.findByRole("alert");
  expect(shown.textContent).toContain("The server gave an answer that cannot be read (502). Try again.");
});
