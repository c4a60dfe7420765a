import { renderHook } from "@testing-library/preact";
import { expect, test } from "vitest";

import type { Registered } from "../../protocol.ts";
import { clock, useWords } from "../../words/words.ts";
import { AT } from "../fakes.ts";
import { reportedAs } from "./panels.tsx";

const STANDS: Registered = { type: "Registered", id: "1", to: "T1", first: 1, last: 2, at: AT };

test.each([
  ["that stands", STANDS, "Recorded."],
  ["that waits without an end", { ...STANDS, pending: "c0", expires: null }, "Reported. A second person must agree."],
  [
    "that waits for so long",
    { ...STANDS, pending: "c0", expires: AT },
    `It waits for a second person until ${clock(AT)}.`,
  ],
])("a report %s is said to be just that", (_, answer, sentence) => {
  const { result } = renderHook(() => useWords("console"));
  expect(reportedAs(result.current, answer)).toBe(sentence);
});
