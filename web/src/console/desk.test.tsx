import { fireEvent, render, screen } from "@testing-library/preact";
import { describe, expect, test, vi } from "vitest";

import type { Faces } from "../protocol.ts";
import { Desk, type Unticked } from "./desk.ts";
import { AT, FakeServer, refused, registered, step, steps, view } from "./fakes.ts";
import { NextPanel } from "./steps/next_panel.tsx";
import { StepForm } from "./steps/step_form.tsx";
import { StepList } from "./steps/steps.tsx";
import type { Taker } from "./keys.ts";

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

describe("what is keyed faster than the line", () => {
  const READY = [step("PressFace", "next"), step("EnterResult", "refused", { sentence: "three faces are wanted" })];
  const press = (face: number) => ({ type: "PressFace", face });

  /** A server that answers when the test tells it to, one request after another. */
  function slow(server: FakeServer): () => Promise<void> {
    const waiting: (() => void)[] = [];
    server.link.ask = (_, command) => {
      server.sent.push(command);
      return new Promise((resolve) => waiting.push(() => resolve(server.answer)));
    };
    return async () => {
      await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0));
      waiting.shift()?.();
    };
  }

  test("faces and the entry are asked for in their order, each after the answer before", async () => {
    const server = new FakeServer();
    const answer = slow(server);
    server.steps.value = steps(READY);
    const desk = shown(server);
    for (const face of [1, 3, 5]) desk.press(face);
    expect(desk.isAhead).toBe(true);
    desk.enter();
    expect(server.sent).toEqual([press(1)]);
    for (let many = 2; many <= 4; many += 1) {
      await answer();
      await vi.waitFor(() => expect(server.sent).toHaveLength(many));
    }
    expect(server.sent).toEqual([press(1), press(3), press(5), { type: "EnterResult" }]);
  });

  test("they wait for the step under way, whatever was known before it", async () => {
    const server = new FakeServer();
    const answer = slow(server);
    const lift = step("LiftCover", "next", { give: { type: "LiftCover" } });
    server.steps.value = steps([lift, step("PressFace", "refused", { sentence: "the dice are covered" })]);
    const desk = shown(server);
    desk.takeNamed("LiftCover");
    desk.press(2);
    expect(server.sent).toEqual([{ type: "LiftCover" }]);
    await answer();
    await vi.waitFor(() => expect(server.sent).toEqual([{ type: "LiftCover" }, press(2)]));
  });

  test("what was keyed behind a refusal is not done", async () => {
    const server = new FakeServer();
    const answer = slow(server);
    server.answer = refused("bets are open", "6.2");
    server.steps.value = steps(READY);
    const desk = shown(server);
    for (const face of [1, 3, 5]) desk.press(face);
    desk.enter();
    await answer();
    await screen.findByText(/Bets are open/);
    expect(server.sent).toEqual([press(1)]);
  });

  test("dice that nobody has found flat are not entered, and that is said", async () => {
    const server = new FakeServer();
    server.steps.value = steps(READY);
    server.view.value = view({ round: 7, phase: "no-more-bets" });
    const desk = shown(server);
    desk.rules.value = { procedure: { tumble: { cover: "covered" } } } as Desk["rules"]["value"];
    for (const face of [1, 3, 5]) desk.press(face);
    desk.enter();
    await vi.waitFor(() => expect(desk.reply.value?.tone).toBe("flat-first"));
    expect(server.sent).toEqual([press(1), press(3), press(5)]);
  });

  test("the dice of a form have every face, before any of them is drawn", () => {
    const onSend = vi.fn();
    let taker: Taker | null = null;
    const takeKeys = (taken: Taker | null): void => {
      taker = taken ?? taker;
    };
    const amend = step("AmendResult", "open", { label: "Amend the result", fields: ["faces"] });
    render(<StepForm step={amend} equipment="" takeKeys={takeKeys} onClose={() => undefined} onSend={onSend} />);
    const keys = taker as unknown as Taker;
    for (const face of [2, 2, 6]) keys.face(face);
    keys.enter();
    expect(onSend).toHaveBeenCalledExactlyOnceWith({ type: "AmendResult", faces: [2, 2, 6] });
  });
});

test.each<[string, number[], Faces | null, Faces | null]>([
  ["nothing is entered", [6, 1, 3], null, null],
  ["it is what was pressed, in order", [6, 1, 3], [1, 3, 6], null],
  ["it was amended", [6, 1, 3], [1, 3, 5], [1, 3, 5]],
  ["nothing was pressed, for a device read the dice", [], [1, 3, 5], null],
])("the light shows the result and not what was pressed: %s", (_, pressed, faces, shownInstead) => {
  const server = new FakeServer();
  server.steps.value = steps([], pressed);
  server.view.value = view({ phase: "result", faces });
  expect(new Desk(server.link, "T1").putRight.value).toEqual(shownInstead);
});

describe("lines of the lists that are not ticked off", () => {
  const collectFrom = (box: string): Unticked => ({ about: box, words: `Collect from ${box}` });
  const COLLECT = step("CollectLosers", "next", { label: "Losing bets collected", give: { type: "CollectLosers" } });

  test("are named before the step goes on, and the next press goes on all the same", async () => {
    const server = new FakeServer();
    server.steps.value = steps([COLLECT]);
    const desk = shown(server);
    desk.unticked.value = ["one", "two", "three", "four", "five", "six"].map(collectFrom);
    const go = (): boolean => fireEvent.click(screen.getAllByRole("button", { name: /Losing bets collected/ })[0] as HTMLElement);
    go();
    await screen.findByText("6 lines are not ticked off. Press again to go on all the same:");
    screen.getByText("Collect from four");
    screen.getByText("and 2 more");
    expect(server.sent).toEqual([]);
    // Names in another language may come later than the other words.
    desk.unticked.value = desk.unticked.value.map(({ about }) => ({ about, words: `收取 ${about}` }));
    await screen.findByText("收取 four");
    // A dealer who has ticked off some lines is warned of the others.
    desk.unticked.value = [collectFrom("six")];
    go();
    await screen.findByText(/1 line is not ticked off/);
    expect(server.sent).toEqual([]);
    go();
    expect(server.sent).toEqual([{ type: "CollectLosers" }]);
  });

  test("are no matter for a step that says nothing of them", () => {
    const server = new FakeServer();
    server.steps.value = steps([OPEN]);
    const desk = shown(server);
    desk.unticked.value = [collectFrom("one")];
    desk.takeNamed("OpenBets");
    expect(server.sent).toEqual([{ type: "OpenBets" }]);
  });
});

test("while the keys are in the line, the hint says how to get out of it first", async () => {
  const server = new FakeServer();
  server.steps.value = steps([OPEN]);
  const desk = shown(server);
  expect(screen.queryByText("Esc")).toBeNull();
  desk.typing.value = true;
  await screen.findByText("Esc");
});
