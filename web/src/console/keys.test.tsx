import { fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, expect, test, vi } from "vitest";

import { keys, useKeys } from "./keys.ts";

const does = { next: vi.fn(), entry: vi.fn(), face: vi.fn(), bell: vi.fn(), help: vi.fn(), cancel: vi.fn() };

function Keyed() {
  useKeys(does);
  return (
    <>
      <input aria-label="note" />
      <button type="button">key</button>
    </>
  );
}

afterEach(() => {
  vi.clearAllMocks();
  keys.value = "on";
});

test("space is the next step, figures are faces, B the bell", () => {
  render(<Keyed />);
  fireEvent.keyDown(document.body, { key: " " });
  fireEvent.keyDown(document.body, { key: "4" });
  fireEvent.keyDown(document.body, { key: "b" });
  fireEvent.keyDown(document.body, { key: "7" });
  expect(does.next).toHaveBeenCalledOnce();
  expect(does.face.mock.calls).toEqual([[4]]);
  expect(does.bell).toHaveBeenCalledOnce();
});

test("a key held down acts once", () => {
  render(<Keyed />);
  fireEvent.keyDown(document.body, { key: "1" });
  fireEvent.keyDown(document.body, { key: "1", repeat: true });
  expect(does.face).toHaveBeenCalledOnce();
});

test("whoever types in a field types", () => {
  render(<Keyed />);
  fireEvent.keyDown(screen.getByLabelText("note"), { key: "1" });
  expect(does.face).not.toHaveBeenCalled();
});

test("a button that was reached with the keyboard keeps its space bar", () => {
  render(<Keyed />);
  fireEvent.keyDown(document.body, { key: "Tab" });
  fireEvent.keyDown(screen.getByRole("button"), { key: " " });
  expect(does.next).not.toHaveBeenCalled();
});

test("a button that a finger touched does not: the space bar is the next step", () => {
  render(<Keyed />);
  fireEvent.keyDown(document.body, { key: "Tab" });
  const button = screen.getByRole("button");
  fireEvent.pointerDown(button);
  button.focus();
  fireEvent.keyDown(button, { key: " " });
  expect(does.next).toHaveBeenCalledOnce();
  expect(document.activeElement).not.toBe(button);
});

test("switched off, no key acts", () => {
  render(<Keyed />);
  keys.value = "off";
  fireEvent.keyDown(document.body, { key: " " });
  expect(does.next).not.toHaveBeenCalled();
});
