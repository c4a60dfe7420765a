import { expect, test } from "vitest";

import { addressIn, partOf, partsFor, roundOf } from "./address.ts";

test("supervisors look at rounds and meters alone, whatever the address says", () => {
  expect(partsFor("supervisor")).toEqual(["rounds", "meters"]);
  expect(partOf(new URLSearchParams("view=journal"), "supervisor")).toBe("rounds");
  expect(partOf(new URLSearchParams("view=journal"), "auditor")).toBe("journal");
});

test("an address names a round, or none", () => {
  const address = new URL(addressIn("rounds", { table: "T 1", round: 12 }), "http://venue");
  expect(roundOf(address.searchParams)).toEqual({ table: "T 1", round: 12 });
  for (const query of ["", "table=T1", "table=T1&round=x", "table=T1&round=0", "table=T1&round=1.5"])
    expect(roundOf(new URLSearchParams(query)), query).toBeNull();
});
