import { beforeEach, describe, expect, it, vi } from "vitest";

import {
  FAVOURITES_MAX,
  deleted,
  storeFavourites,
  readFavourites,
  renamed,
  saved,
} from "./favourites.ts";

const BETS = new Map([["small", 500], ["total-10", 100]]);

beforeEach(() => localStorage.clear());

describe("favourites", () => {
  it("are kept by name, apart for each pay table", () => {
    storeFavourites("ts6/2", saved([], "  My   usual ", BETS) ?? []);
    expect(readFavourites("ts6/2")).toEqual([
      { name: "My usual", bets: [["small", 500], ["total-10", 100]] },
    ]);
    expect(readFavourites("ts6/1")).toEqual([]);
  });

  it("are replaced under the same name, and renamed only to a free one", () => {
    const two = saved(saved([], "one", BETS) ?? [], "two", BETS) ?? [];
    expect(saved(two, "one", new Map([["big", 100]]))).toHaveLength(2);
    expect(renamed(two, "one", "two")).toBeNull();
    expect(renamed(two, "one", "  ")).toBeNull();
    expect(renamed(two, "one", "three")?.map((each) => each.name)).toEqual(["three", "two"]);
    expect(deleted(two, "one").map((each) => each.name)).toEqual(["two"]);
  });

  it("are twenty at most, and none without a name or without bets", () => {
    let list = saved([], "0", BETS) ?? [];
    for (let each = 1; each < FAVOURITES_MAX; each += 1) list = saved(list, String(each), BETS) ?? [];
    expect(list).toHaveLength(FAVOURITES_MAX);
    expect(saved(list, "one more", BETS)).toBeNull();
    expect(saved([], " ", BETS)).toBeNull();
    expect(saved([], "empty", new Map())).toBeNull();
  });

  it("leave out what is none", () => {
    const odd = [{ name: "a", bets: [["small", -5]] }, { name: "", bets: [] }, 7, null, { name: "b" }];
    localStorage.setItem("taisai.favourites.ts6/2", JSON.stringify(odd));
    expect(readFavourites("ts6/2")).toEqual([]);
    localStorage.setItem("taisai.favourites.ts6/2", "{");
    expect(readFavourites("ts6/2")).toEqual([]);
  });

  it("say so where the browser keeps nothing", () => {
    const full = (): never => {
      throw new DOMException("full", "QuotaExceededError");
    };
    vi.stubGlobal("localStorage", { setItem: full, getItem: full });
    expect(readFavourites("ts6/2")).toEqual([]);
    expect(storeFavourites("ts6/2", [])).toBe(false);
    vi.unstubAllGlobals();
  });
});
