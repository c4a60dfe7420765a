import { afterEach, expect, test, vi } from "vitest";

import { canBeSaidAgain, lasting, noted, said, saidOf, sayAgainBy, type Reason } from "./said.ts";
import { language, loadWords, useWords } from "./words.ts";

const CODE = /\.(test|example)\.tsx?$|\/(fakes|testing|protocol|answers)[.\w]*\.ts$/;
const SOURCES = import.meta.glob<string>("../**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });

afterEach(async () => {
  language.value = "en";
  await loadWords();
});

async function speak(tongue: typeof language.value): Promise<void> {
  language.value = tongue;
  await loadWords("live");
}

test("a reason is asked for once in each language, and several together", async () => {
  const asked: [string, readonly Reason[]][] = [];
  sayAgainBy((tongue, reasons) => {
    asked.push([tongue, reasons]);
    return Promise.resolve(reasons.map(({ code }) => `${tongue} ${code}`));
  });
  const [one, two] = [{ code: "ONE", params: { box: "small" } }, { code: "TWO", params: {} }];
  noted("one is wrong", one);
  noted("two is wrong", two);
  expect(said("one is wrong")).toBe("one is wrong");
  await speak("zh-Hant");
  expect([said("One is wrong"), said("two is wrong")], "until it has come").toEqual(["One is wrong", "two is wrong"]);
  await vi.waitFor(() => expect(said("two is wrong")).toBe("zh-Hant TWO"));
  expect(said("One is wrong"), "which stood there with a capital").toBe("Zh-Hant ONE");
  expect(asked).toEqual([["zh-Hant", [one, two]]]);
  await speak("en");
  expect(said("one is wrong")).toBe("one is wrong");
});

test("a server that does not answer leaves the sentence, and is asked again in the next language", async () => {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const ask = vi.fn(() => Promise.reject(new Error("away")));
  sayAgainBy(ask);
  noted("it is late", { code: "LATE", params: {} });
  await speak("zh-Hans");
  said("it is late");
  await vi.waitFor(() => expect(warned).toHaveBeenCalled());
  expect(said("it is late")).toBe("it is late");
  expect(ask).toHaveBeenCalledTimes(1);
  warned.mockRestore();
});

test("our own words need no server", async () => {
  await loadWords("live");
  const sentence = lasting(() => useWords("live")("not_logged_in"));
  expect(canBeSaidAgain(sentence)).toBe(true);
  await speak("zh-Hans");
  expect(said(sentence)).not.toBe(sentence);
  expect(said(sentence)).toBe(useWords("live")("not_logged_in"));
  expect([saidOf(null), saidOf("of nobody")]).toEqual([null, "of nobody"]);
});

test("only so much is remembered", () => {
  for (let each = 0; each < 400; each += 1) noted(`sentence ${each}`, { code: "X", params: {} });
  expect(canBeSaidAgain("sentence 99")).toBe(false);
  expect(canBeSaidAgain("sentence 100")).toBe(true);
});

/** Code that would leave words of the old language on the page. */
const LEFT_BEHIND: readonly (readonly [string, RegExp])[] = [
  ["a notice of words that are made once: notify(() => t(…))", /\bnotify\(\s*(?:t|words\.current|say|this\.#say\(\))\(/],
  ["words that are kept: lasting(() => t(…))", /(?:fault|refused)\.value = (?:[^;]*\? )?t\(/],
  ["a kept sentence that is shown as it was: said(…)", /[^=]\{(?:fault|refused)\.value\}/],
  ["the message of an error that is shown as it was: said(…)", /\{error\.message\}/],
];

test.each(LEFT_BEHIND)("nowhere is %s", (_, pattern) => {
  const found = Object.entries(SOURCES)
    .filter(([path, text]) => !CODE.test(path) && pattern.test(text))
    .map(([path]) => path);
  expect(found).toEqual([]);
});
