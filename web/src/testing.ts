/** Set-up of every component test: loads all words in English; cleans up after each test. */

import { cleanup } from "@testing-library/preact";
import { afterEach } from "vitest";

import { loadWords, type Area } from "./words/words.ts";

const FILES = import.meta.glob("./words/en/*.json");
const areas = Object.keys(FILES).map((path) => path.replace(/^.*\/(\w+)\.json$/, "$1"));

await loadWords(...(areas as Area[]));

afterEach(cleanup);

// The tests' browser has no such function; here a reported error fails the test.
globalThis.reportError ??= (fault: unknown): void => {
  queueMicrotask(() => {
    throw fault;
  });
};
