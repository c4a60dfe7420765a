import { fireEvent, render, screen } from "@testing-library/preact";
import { expect, test, vi } from "vitest";

import { step } from "../fakes.ts";
import type { Taker } from "../keys.ts";
import { StepForm } from "./step_form.tsx";

const AMEND = step("AmendResult", "open", { label: "Amend the result", fields: ["faces"], second: true });

test("an amendment is sent with three dice and not before, from the buttons or the keys", () => {
  const onSend = vi.fn();
  let taker: Taker | null = null;
  render(
    <StepForm step={AMEND} equipment="" onSend={onSend} onClose={() => undefined} takeKeys={(t) => (taker = t)} />,
  );
  const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
  press("Face 6");
  press("Face 5");
  press("Amend the result");
  expect(onSend).not.toHaveBeenCalled();
  press("Face 1");
  (taker as Taker | null)?.enter();
  expect(onSend).toHaveBeenCalledExactlyOnceWith({ type: "AmendResult", faces: [6, 5, 1] });
});

test("an outcome without dice is declared as none", () => {
  const onSend = vi.fn();
  const declare = step("DeclareOutcome", "next", { label: "Declare the outcome", fields: ["faces"] });
  render(<StepForm step={declare} equipment="" onSend={onSend} onClose={() => undefined} takeKeys={() => undefined} />);
  fireEvent.click(screen.getByRole("button", { name: "The dice showed no result" }));
  expect(onSend).toHaveBeenCalledExactlyOnceWith({ type: "DeclareOutcome", faces: null });
});

test("an outcome is declared with what both persons testify to, once there are dice", () => {
  const onSend = vi.fn();
  const fields = ["faces", "testified-closed", "testified-tumbled"];
  const declare = step("DeclareOutcome", "open", { label: "Declare the outcome", fields });
  render(<StepForm step={declare} equipment="" onSend={onSend} onClose={() => undefined} takeKeys={() => undefined} />);
  expect(screen.queryByRole("checkbox")).toBeNull();
  for (const face of [2, 3, 5]) fireEvent.click(screen.getByRole("button", { name: `Face ${face}` }));
  fireEvent.click(screen.getByRole("checkbox", { name: "The bets were closed" }));
  fireEvent.click(screen.getByRole("checkbox", { name: /tumbled/ }));
  fireEvent.click(screen.getByRole("button", { name: "Declare the outcome" }));
  const testified = ["closed", "tumbled"];
  expect(onSend).toHaveBeenCalledExactlyOnceWith({ type: "DeclareOutcome", faces: [2, 3, 5], testified });
});

test("a test run is sent with three faces, and not with two", () => {
  const onSend = vi.fn();
  const run = step("RunTest", "next", { label: "Make a test run", fields: ["faces"] });
  render(<StepForm step={run} equipment="" onSend={onSend} onClose={() => undefined} takeKeys={() => undefined} />);
  for (const face of [2, 2]) fireEvent.click(screen.getByRole("button", { name: `Face ${face}` }));
  fireEvent.click(screen.getByRole("button", { name: "Make a test run" }));
  expect(onSend).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Face 6" }));
  fireEvent.click(screen.getByRole("button", { name: "Make a test run" }));
  expect(onSend).toHaveBeenCalledExactlyOnceWith({ type: "RunTest", faces: [2, 2, 6] });
});
