import { act, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Awaited } from "../../answers.ts";
import { Approvals, type ApprovalsProps } from "./approvals.tsx";

const AT = 1_794_803_228_232;
const AWAITED: Awaited = {
  to: "T1",
  pending: "hash",
  version: 41,
  person: "Dana",
  role: "dealer",
  sentence: "amend the result to 2 3 5",
  command: { type: "AmendResult", faces: [2, 3, 5] },
  at: AT,
  expires: AT + 60_000,
  approved_by: ["pit-manager", "shift-manager", "supervisor"],
};

beforeEach(() => {
  vi.useFakeTimers({ now: AT });
});
afterEach(() => {
  vi.useRealTimers();
});

function shown(more: Partial<ApprovalsProps> = {}): void {
  render(
    <Approvals
      waiting={[AWAITED]}
      me={{ person: "Sunil", role: "supervisor" }}
      now={() => Date.now()}
      pin={null}
      onGrant={() => Promise.resolve(null)}
      onDecline={() => Promise.resolve(null)}
      {...more}
    />,
  );
}

test("it says who asks for what and counts down to its end, then goes", () => {
  shown();
  screen.getByText("Dana asks: amend the result to 2 3 5");
  screen.getByText(/\(60 s\)/);
  act(() => {
    vi.advanceTimersByTime(18_000);
  });
  screen.getByText(/\(42 s\)/);
  act(() => {
    vi.advanceTimersByTime(42_000);
  });
  expect(screen.queryByText(/Dana asks/)).toBeNull();
});

test("who asked cannot grant it, and is told so", () => {
  shown({ me: { person: "Dana", role: "dealer" } });
  expect(screen.queryByRole("button", { name: "Grant…" })).toBeNull();
  screen.getByText(/Somebody else grants this/);
});

test("a role that may not grant is offered nothing", () => {
  shown({ me: { person: "Deng", role: "dealer" } });
  expect(screen.queryByRole("button")).toBeNull();
});

test("the second person grants with their own PIN, and a wrong one is answered by a sentence", async () => {
  const onGrant = vi.fn(() => Promise.resolve("the PIN is wrong"));
  shown({ onGrant });
  fireEvent.click(screen.getByRole("button", { name: "Grant…" }));
  const pin = screen.getByLabelText("PIN of Sunil");
  // Without a keyboard it is entered on the keypad.
  for (const name of ["Show the keypad", ..."271845"]) fireEvent.click(screen.getByRole("button", { name }));
  const form = pin.closest("form");
  if (form !== null) fireEvent.submit(form);
  await act(async () => {
    await vi.advanceTimersByTimeAsync(0);
  });
  expect(onGrant).toHaveBeenCalledWith(AWAITED, "271845");
  screen.getByText("The PIN is wrong");
});

const REPORT: Awaited = {
  ...AWAITED,
  sentence: "reported: a die does not lie flat. “it leans”",
  command: { type: "ReportIrregularity", code: "die-not-flat", note: "it leans" },
  expires: null,
};

test("a report of the dice waits without an end, for a supervisor who did not make it", () => {
  shown({ waiting: [REPORT], me: { person: "Deng", role: "dealer" } });
  screen.getByText(/Dana reported: a die does not lie flat. “it leans”/);
  act(() => {
    vi.advanceTimersByTime(3_600_000);
  });
  screen.getByText(/A supervisor or above who did not report it answers, on their own screen/);
  expect(screen.queryByRole("button")).toBeNull();
});

test("who agrees to a report agrees in the window too, which says it as a sentence", () => {
  shown({ waiting: [REPORT] });
  fireEvent.click(screen.getByRole("button", { name: "Agree: void…" }));
  screen.getByText("Reported: a die does not lie flat. “it leans”");
  screen.getByRole("button", { name: "Agree" });
});

test("a report is declined with a reason, and not without", async () => {
  const onDecline = vi.fn(() => Promise.resolve(null));
  shown({ waiting: [REPORT], onDecline });
  fireEvent.click(screen.getByRole("button", { name: "Decline…" }));
  const send = screen.getByRole<HTMLButtonElement>("button", { name: "It did not happen" });
  expect(send.disabled).toBe(true);
  const why = screen.getByLabelText(/Why it did not happen/);
  fireEvent.input(why, { target: { value: "the camera shows it flat" } });
  const form = why.closest("form");
  if (form !== null) fireEvent.submit(form);
  await act(async () => {
    await vi.advanceTimersByTimeAsync(0);
  });
  expect(onDecline).toHaveBeenCalledWith(REPORT, "the camera shows it flat");
});
