import { signal } from "@preact/signals";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Recall as Recalled, RecalledRound, RoundReceipt } from "../../answers.ts";
import { language, loadWords } from "../../words/words.ts";
import type { Game } from "../game.ts";
import { Recall } from "./recall.tsx";

const LINE = { box: "small", name: "Small", stake: 500, odds: "1", won: 500, back: 1_000, clause: "4.1.2", reason: "Small wins" };
const SETTLED: RecalledRound = {
  ...{ round: 7, void: false, faces: [1, 2, 3], call: "1, 2, 3, total 6", lines: [LINE], lit: ["small"] },
  ...{ clause: null, sentence: null },
};
const VOID: RecalledRound = {
  ...{ round: 8, void: true, faces: null, call: null, lines: [{ ...LINE, odds: null, won: 0, back: 500 }], lit: [] },
  ...{ clause: "7.1(a)", sentence: "Round 8 is void" },
};
const RECALLED: Recalled = { table: "T1", terminal: "T1-1", rounds: [SETTLED, VOID], session: null };
const RECEIPT: RoundReceipt = {
  ...{ stream: "table/T1", version: 40, hash: "ab", round: 7, session: "T1-1@1", faces: [1, 2, 3], void: false },
  ...{ bets: [{ box: "small", stake: 500, won: 500, back: 1_000 }], at: 1, key: "k", signature: "s" },
};
const NAMES = { language: "en", boxes: { small: "Small" }, kinds: {}, irregularities: {} };
const NONE = { type: "about:blank", title: "Not Found", status: 404, code: "NO_RECEIPT", detail: "there is no receipt" };

let answers: Record<string, object>;
beforeEach(() => {
  answers = { "/api/terminal/recall": RECALLED, "/api/terminal/receipts/7": RECEIPT, "/api/words/en": NAMES };
  vi.stubGlobal("fetch", (address: string) => {
    const answer = answers[new URL(address, "http://venue").pathname] ?? {};
    return Promise.resolve(new Response(JSON.stringify(answer), { status: "detail" in answer ? 404 : 200 }));
  });
});
afterEach(async () => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  language.value = "en";
  await loadWords();
});

const opened = async (): Promise<void> => {
  const game = { printed: signal(null) } as unknown as Game;
  await loadWords("play");
  render(<Recall game={game} onClose={() => undefined} />);
  await screen.findByRole("table");
};
const press = (name: string | RegExp) => act(() => void fireEvent.click(screen.getByRole("button", { name })));

test("a settled round has a receipt, to be printed and saved just as it was signed", async () => {
  await opened();
  expect(screen.getByText("What the round came to, signed by the house.")).toBeTruthy();
  await press("Receipt of round 7");
  const receipt = await screen.findByRole("dialog", { name: "Receipt" });
  expect(receipt.textContent).toContain("1 · 2 · 3");
  expect(document.querySelector(".sheet-page .receipt-text")?.textContent).toBe(JSON.stringify(RECEIPT));
  const files: Blob[] = [];
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: (file: Blob) => (files.push(file), "blob:x") }));
  const named: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    named.push(this.download);
  });
  await press("Save as a file");
  expect(named).toEqual(["receipt-T1-7.json"]);
  expect(JSON.parse((await files[0]?.text()) ?? "")).toEqual(RECEIPT);
  await press("Done");
  expect(screen.queryByRole("dialog", { name: "Receipt" })).toBeNull();
  expect(document.querySelector(".sheet-page"), "nothing is left to be printed").toBeNull();
});

test("a round without a receipt says so", async () => {
  answers["/api/terminal/receipts/7"] = NONE;
  await opened();
  await press("Receipt of round 7");
  expect((await screen.findByText("There is no receipt")).closest("[role=alert]")).toBeTruthy();
});

test("of a round in which nothing was settled there is none, in words", async () => {
  await opened();
  await press(/^Round 8/);
  expect(screen.getByText(/nothing of yours was settled/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: /Receipt/ })).toBeNull();
  language.value = "zh-Hant";
  await act(() => loadWords());
  expect(screen.getByText(/沒有收據/)).toBeTruthy();
});
