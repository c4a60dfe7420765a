import { expect, test } from "vitest";

import { another, atSameHost, socketsOf } from "./gateways.ts";

const OWN = "wss://venue.test/api/live";

test("no address is less secure than one's own", () => {
  const told = ["http://plain.test", "https://other.test:8443"];
  expect(socketsOf(OWN, told)).toEqual([OWN, "wss://other.test:8443/api/live"]);
  expect(socketsOf("ws://venue.test/api/live", told)).toHaveLength(3);
});

test("whoever is known by a cookie stays at the host that it is of", () => {
  const sockets = socketsOf(OWN, ["https://other.test", "https://venue.test:8443"]);
  expect(atSameHost(OWN, sockets)).toEqual([OWN, "wss://venue.test:8443/api/live"]);
});

test("another is never the one that was lost, unless there is no other", () => {
  for (let times = 0; times < 20; times += 1) expect(another(["a", "b", "c"], "b")).not.toBe("b");
  expect(another(["a"], "a")).toBe("a");
});
