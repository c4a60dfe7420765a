import { render, screen } from "@testing-library/preact";
import { afterEach, expect, test, vi } from "vitest";

import { forgetTerminal, storeTerminal } from "../live/index.ts";
import { UnlessChipTable } from "./unless_chip_table.tsx";

const answer = (status: number, body: object) => {
  const request = vi.fn(() => Promise.resolve(Response.json(body, { status })));
  vi.stubGlobal("fetch", request);
  return request;
};
const open = (table: string | null) => render(<UnlessChipTable table={table}>the terminal</UnlessChipTable>);

afterEach(() => {
  vi.unstubAllGlobals();
  forgetTerminal();
});

test("whoever comes to play at a layout is told why not, and where to watch", async () => {
  const request = answer(200, { form: "chips" });
  open("The Crane");
  expect(await screen.findByRole("heading", { name: "Table The Crane is a chip table" })).toBeTruthy();
  expect(request.mock.calls[0]?.at(0 as never)).toBe("/api/tables/The%20Crane");
  expect(screen.queryByText("the terminal")).toBeNull();
  const watch = screen.getByRole("link", { name: "Watch The Crane" });
  expect(watch.getAttribute("href")).toBe("/display?table=The+Crane");
});

test("at a table with terminals there is nothing to tell", async () => {
  answer(200, { form: "terminals" });
  open("T1");
  expect(await screen.findByText("the terminal")).toBeTruthy();
});

test("what the server does not know is left to who gives seats", async () => {
  answer(404, { status: 404, code: "NO_TABLE", detail: "there is no such table" });
  open("T9");
  expect(await screen.findByText("the terminal")).toBeTruthy();
});

test("who has a terminal there, or names no table, does not ask", () => {
  const request = answer(200, { form: "chips" });
  storeTerminal({ table: "T1", terminal: "T1-1", key: "k" }, "tab");
  open("T1");
  open(null);
  expect(screen.getAllByText("the terminal")).toHaveLength(2);
  expect(request).not.toHaveBeenCalled();
});
