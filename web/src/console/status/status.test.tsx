import { render, screen } from "@testing-library/preact";
import { expect, test } from "vitest";

import { Desk } from "../desk.ts";
import { FakeServer, view } from "../fakes.ts";
import { Status } from "./status.tsx";

function shown(more: Parameters<typeof view>[0], unruled: Readonly<Record<string, number>> = {}): FakeServer {
  const server = new FakeServer();
  server.view.value = view(more);
  render(
    <Status
      desk={new Desk(server.link, "T1")}
      unruled={unruled}
      nameOf={(code) => `called ${code}`}
      onHelp={() => undefined}
    />,
  );
  return server;
}

test("dice that are damaged and put away are told until they are found undamaged", async () => {
  const server = shown({ put_away: ["D-17", "D-18"] });
  expect(screen.getByRole("status").textContent).toBe("Damaged dice, put away: D-17, D-18");
  server.view.value = view({ put_away: ["D-18"] });
  await screen.findByText("Damaged dice, put away: D-18");
  server.view.value = view();
  await expect.poll(() => screen.queryByRole("status")).toBeNull();
});

test("what stops a table, and what is in doubt there, is told by its name", () => {
  shown({ stopped: "7.4", doubts: ["display-error"], notice_given: true });
  const told = screen.getByRole("status").textContent;
  for (const each of ["7.4", "called display-error"]) expect(told).toContain(each);
  expect(screen.getByRole("status").children).toHaveLength(3);
});

test("what is left to a ruling is told by its name and its round", () => {
  shown({}, { "uncovered-tumble": 7 });
  expect(screen.getByRole("status").textContent).toBe(
    "Left to the shift manager’s ruling: called uncovered-tumble, round 7",
  );
});
