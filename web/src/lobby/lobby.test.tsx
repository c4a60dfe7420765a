import { signal } from "@preact/signals";
import { act, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Link, LiveTable } from "../live/index.ts";
import type { TableView } from "../protocol.ts";
import type { VenueView } from "../answers.ts";
import { fetchVenue, venue } from "../shell/access/venue.ts";
import { language } from "../words/words.ts";
import { TableCard } from "./table_card.tsx";

const NOW = 1_794_803_228_232;

const VENUE: VenueView = {
  ...{ name: "The Lantern", currency: "SGD", demo: false, at: NOW, tables: ["T1"] },
  ...{ protocol: 1, languages: ["en"], live: "/api/live",
  founded: true },
};

const VIEW: TableView = {
  table: "T1",
  currency: "SGD",
  phase: "betting",
  round: 214,
  tumbler: "simulated",
  rulebook: { key: "etg8", title: "Sic Bo", version: "8", sha256: "c1", pay_table: "etg8/2" },
  limits: { minimum: 100, maximum: 500_000 },
  sign: [],
  operator: null,
  apart: [],
  put_away: [],
  totals: {},
  terminals: 40,
  tumbled: false,
  uncovered: false,
  faces: null,
  call: null,
  winners: [], tested: null, lit: [],
  notice_given: false,
  stopped: null,
  doubts: [],
  waiting: false,
  commitment: null,
  rounds: {
    213: { round: 213, faces: [2, 2, 5], void: false, total: 9, size: "small", parity: "odd" },
  },
  form: "terminals",
  seats: 0,
  taken: [],
  marked: [],
  paying: false,
  interrupted: false,
};

/** A view of a table as the socket would give it, to be changed by hand. */
function tableOf(first: TableView | null) {
  const view = signal(first);
  const suspended = signal(false);
  const closesAt = signal<number | null>(NOW + 9_400);
  const dealer = signal<"automatic" | "person">("automatic");
  const picture = { name: "T1", view, suspended, closesAt, dealer } as unknown as LiveTable;
  const watched = vi.fn(() => picture);
  const link = { now: () => NOW, table: watched } as unknown as Link;
  return { view, suspended, closesAt, dealer, link, watched };
}

/** Answer for the rulebook of the table, with a summary in these languages. */
function rulebook(summary: Readonly<Record<string, string>>) {
  const request = vi.fn<(address: string) => Promise<Response>>(() => Promise.resolve(Response.json({ summary })));
  vi.stubGlobal("fetch", request);
  return request;
}

beforeEach(() => void rulebook({}));

afterEach(() => {
  vi.unstubAllGlobals();
  language.value = "en";
});

test("a card tells the table's state, rules, limits and last dice", () => {
  const { link, watched } = tableOf(VIEW);
  render(<TableCard link={link} name="T1" />);
  expect(watched).toHaveBeenCalledExactlyOnceWith("T1");
  const card = screen.getByRole("article", { name: "T1" });
  expect(card.textContent).toContain("Place your bets");
  expect(within(card).getByText("10 seconds left")).toBeTruthy();
  expect(card.textContent).toContain("Sic Bo, version 8");
  expect(card.textContent).toContain("1 to 5,000");
  expect(card.textContent).toContain("40");
  expect(within(card).getByRole("img", { name: /2, 2, 5/ })).toBeTruthy();
  expect(card.textContent).toContain("total 9");
});

test("what is different about its rules is the rulebook's own sentence, in the reader's language", async () => {
  const request = rulebook({ en: "Made for terminals.", "zh-Hans": "为终端而设。" });
  const { link } = tableOf(VIEW);
  render(<TableCard link={link} name="T1" />);
  expect(await screen.findByText("Made for terminals.")).toBeTruthy();
  expect(request.mock.calls[0]?.[0]).toBe("/api/rulebooks/etg8?sha256=c1");
  act(() => void (language.value = "zh-Hans"));
  expect(screen.getByText("为终端而设。")).toBeTruthy();
  act(() => void (language.value = "zh-Hant"));
  expect(screen.getByText("Made for terminals."), "English where it has no other").toBeTruthy();
});

test("its links lead to the table, and say which in their names", () => {
  const { link } = tableOf(VIEW);
  render(<TableCard link={link} name="T1" />);
  expect(screen.getByRole("link", { name: "Play at T1" }).getAttribute("href")).toBe("/play?table=T1");
  expect(screen.getByRole("link", { name: "Watch T1" }).getAttribute("href")).toBe("/display?table=T1");
  expect(screen.queryByRole("link", { name: "Deal at T1" }), "for the staff").toBeNull();
});

const CHIP_TABLE = { form: "chips", seats: 9, taken: ["2", "5"], terminals: 0 } as const;

test("a chip table says what it is, and is watched or dealt, not played on a screen", () => {
  const { link } = tableOf({ ...VIEW, ...CHIP_TABLE });
  render(<TableCard link={link} name="T1" />);
  const card = screen.getByRole("article", { name: "T1" });
  expect(card.textContent).toContain("a dealer records what they bet");
  expect(card.textContent).toContain("2 of 9 taken");
  expect(card.textContent).not.toContain("Terminals");
  expect(screen.queryByRole("link", { name: "Play at T1" })).toBeNull();
  expect(screen.getByRole("link", { name: "Watch T1" }).getAttribute("href")).toBe("/display?table=T1");
});

test("a chip table that is being paid says so", () => {
  const { link } = tableOf({ ...VIEW, ...CHIP_TABLE, phase: "ready", paying: true });
  render(<TableCard link={link} name="T1" />);
  expect(screen.getByText(/Winners are being paid/)).toBeTruthy();
});

test("whoever may deal is offered the console of a layout", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ ...VENUE, demo: true })));
  const end = fetchVenue();
  await vi.waitFor(() => expect(venue.value?.demo).toBe(true));
  const { link } = tableOf({ ...VIEW, ...CHIP_TABLE });
  render(<TableCard link={link} name="T1" />);
  expect(screen.getAllByRole("link").map((each) => each.textContent)).toEqual(["Watch", "Deal"]);
  end();
  vi.unstubAllGlobals();
});

test("it follows the table", () => {
  const { link, view, suspended } = tableOf(null);
  render(<TableCard link={link} name="T1" />);
  expect(screen.getByText("No round yet")).toBeTruthy();
  act(() => {
    view.value = { ...VIEW, phase: "confirmed", faces: [1, 3, 6], call: "1, 3, 6, total 10" };
  });
  expect(screen.getByRole("img", { name: "1, 3, 6, total 10" })).toBeTruthy();
  expect(screen.getByText("This round")).toBeTruthy();
  act(() => {
    suspended.value = true;
  });
  expect(screen.getByText(/Suspended/)).toBeTruthy();
});

test("a void round shows no dice, and no countdown runs where a person deals", () => {
  const { link, view, closesAt } = tableOf(VIEW);
  closesAt.value = null;
  view.value = {
    ...VIEW,
    rounds: { 213: { round: 213, faces: null, void: true, total: null, size: null, parity: null } },
  };
  render(<TableCard link={link} name="T1" />);
  expect(screen.getByText("Round 213 was void")).toBeTruthy();
  expect(screen.queryByText(/seconds? left/)).toBeNull();
});

test("rules of a table's own are known by their title", () => {
  const { link, view } = tableOf(VIEW);
  const book = { key: "own", title: "Venue rules", version: null, sha256: "c2", pay_table: "own/1" };
  view.value = { ...VIEW, rulebook: book, limits: null };
  render(<TableCard link={link} name="T1" />);
  expect(screen.getByText("Venue rules")).toBeTruthy();
  expect(screen.getByText("not set yet")).toBeTruthy();
});
