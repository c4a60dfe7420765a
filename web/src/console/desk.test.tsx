import { fireEvent, render, screen } from "@testing-library/preact";
import { expect, test } from "vitest";

import { Desk } from "./desk.ts";
import { AT, FakeServer, refused, registered, step, steps, view } from "./fakes.ts";
import { NextPanel } from "./steps/next_panel.tsx";
import { StepList } from "./steps/steps.tsx";

function shown(server: FakeServer): Desk {
  const desk = new Desk(server.link, "T1");
  render(
    <>
      <NextPanel desk={desk} walk={null} waiting={false} onNotFlat={() => undefined} />
      <StepList desk={desk} />
    </>,
  );
  return desk;
}

const OPEN = step("OpenBets", "next", {
  label: "Open the bets",
  words: "Place your bets",
  clause: "6.1",
  give: { type: "OpenBets" },
});
const CLOSE = step("CloseBets", "refused", {
  label: "Close the bets",
  sentence: "bets are not open",
  clause: "6.2",
});

test("the large button is the next step, with what the dealer says and the clause", async () => {
  const server = new FakeServer();
  server.steps.value = steps([OPEN, CLOSE]);
  shown(server);
  screen.getByText("“Place your bets”");
  const go = screen.getByRole("button", { name: /Open the bets.*6\.1/ });
  fireEvent.click(go);
  await Promise.resolve();
  expect(server.sent).toEqual([{ type: "OpenBets" }]);
});

test("a refused step is there, says why with its clause, and asks for nothing", async () => {
  const server = new FakeServer();
  server.steps.value = steps([OPEN, CLOSE]);
  shown(server);
  const close = screen.getByRole("button", { name: /Close the bets/ });
  expect(close.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(close);
  expect((await screen.findByRole("status")).textContent).toContain("Bets are not open");
  expect(screen.getByRole("status").textContent).toContain("6.2");
  expect(server.sent).toEqual([]);
});

test("what the server itself refuses is shown with its clause", async () => {
  const server = new FakeServer();
  server.steps.value = steps([OPEN]);
  server.answer = refused("the table is closed", "5.0");
  shown(server);
  fireEvent.click(screen.getByRole("button", { name: /Open the bets.*6\.1/ }));
  await screen.findByText(/The table is closed/);
  screen.getByText("clause 5.0");
});

test("closing the bets rings the bell, whatever the rulebook asks for", () => {
  const server = new FakeServer();
  server.steps.value = steps([step("CloseBets", "next", { give: { type: "CloseBets", bell: false } })]);
  const desk = shown(server);
  desk.takeNamed("CloseBets");
  expect(server.sent).toEqual([{ type: "CloseBets", bell: true }]);
});

test("three tumbles are counted one by one and recorded as three", async () => {
  const server = new FakeServer();
  server.steps.value = steps([step("RecordTumble", "next", { label: "Tumble the dice", times: 3 })]);
  const desk = shown(server);
  const go = () => screen.getByRole("button", { name: /^Tumble .*of 3/ });
  for (const count of [0, 1, 2]) {
    await screen.findByText(`${count} of 3`);
    fireEvent.click(go());
  }
  fireEvent.click(await screen.findByRole("button", { name: /Tumbled 3 times, all dice flat/ }));
  await expect.poll(() => server.sent).toEqual([{ type: "RecordTumble", times: 3, flat: true, concealed: false }]);
  await expect.poll(() => desk.tumbles.value).toBe(0);
});

test("a die that is not flat is reported with the tumble", async () => {
  const server = new FakeServer();
  server.steps.value = steps([step("RecordTumble", "next", { times: 1 })]);
  const desk = shown(server);
  desk.tumbles.value = 1;
  fireEvent.click(await screen.findByRole("button", { name: "A die is not flat" }));
  expect(server.sent).toEqual([{ type: "RecordTumble", times: 1, flat: false, concealed: false }]);
});

test("what waits for a second person says until when", async () => {
  const server = new FakeServer();
  server.steps.value = steps([OPEN]);
  server.answer = registered({ pending: "hash", expires: AT + 60_000 });
  const desk = shown(server);
  await desk.ask({ type: "AmendResult", faces: [1, 2, 3] });
  await screen.findByText(/Waits for a second person until .*\(60 s\)/);
});

test("dice that were found flat are those of one round", () => {
  const server = new FakeServer();
  server.steps.value = steps([step("PressFace", "next")]);
  server.view.value = view({ round: 7, phase: "no-more-bets" });
  const desk = shown(server);
  desk.rules.value = { procedure: { tumble: { cover: "covered" } } } as Desk["rules"]["value"];
  desk.seenFlat();
  expect(desk.action.value.kind).toBe("faces");
  server.view.value = view({ round: 8, phase: "no-more-bets" });
  expect(desk.action.value.kind).toBe("flat");
});

test("winners that the rack cannot pay are waited for with the reason", () => {
  const server = new FakeServer();
  server.view.value = view({ form: "chips", phase: "confirmed" });
  server.steps.value = steps([step("Settle", "refused", { sentence: "the rack is 180.00 short" })]);
  shown(server);
  screen.getByText("The rack is 180.00 short");
});
