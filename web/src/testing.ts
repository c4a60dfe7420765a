/** What every component test begins with, the words of all areas in English; nothing is left after one. */

import { cleanup } from "@testing-library/preact";
import { afterEach } from "vitest";

import { loadWords, type Area } from "./words/words.ts";

const FILES = import.meta.glob("./words/en/*.json");
const areas = Object.keys(FILES).map((path) => path.replace(/^.*\/(\w+)\.json$/, "$1"));

await loadWords(...(areas as Area[]));

afterEach(cleanup);

// The browser of these tests has no such function; here a fault that is reported fails the test.
globalThis.reportError ??= (fault: unknown): void => {
  queueMicrotask(() => {
    throw fault;
  });
};
