import { fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, expect, test, vi } from "vitest";

import { Dialog } from "./dialog.tsx";

afterEach(() => document.body.replaceChildren());

function opener(): HTMLButtonElement {
  const button = document.createElement("button");
  document.body.append(button);
  button.focus();
  return button;
}

test("it is a modal window with a name, and what is in it", () => {
  const shown = vi.spyOn(HTMLDialogElement.prototype, "showModal");
  render(
    <Dialog title="Cash out" onClose={() => undefined}>
      <p>Everything?</p>
    </Dialog>,
  );
  expect(shown).toHaveBeenCalledOnce();
  const dialog = screen.getByRole("dialog", { name: "Cash out" });
  expect(dialog.textContent).toContain("Everything?");
});

test("the focus goes back to where it came from", () => {
  const button = opener();
  const { unmount } = render(
    <Dialog title="Cash out" onClose={() => undefined}>
      <input aria-label="amount" />
    </Dialog>,
  );
  screen.getByLabelText("amount").focus();
  expect(document.activeElement).not.toBe(button);
  unmount();
  expect(document.activeElement).toBe(button);
});

test("it is closed by its button, by Escape, and by the ground around it", () => {
  const onClose = vi.fn();
  render(
    <Dialog title="Cash out" onClose={onClose}>
      <p>Everything?</p>
    </Dialog>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  const dialog = screen.getByRole("dialog");
  const cancel = new Event("cancel", { cancelable: true });
  dialog.dispatchEvent(cancel);
  expect(cancel.defaultPrevented, "whoever shows it closes it").toBe(true);
  fireEvent.click(dialog);
  expect(onClose).toHaveBeenCalledTimes(3);
  fireEvent.click(screen.getByText("Everything?"));
  expect(onClose).toHaveBeenCalledTimes(3);
});

test("one that asks a question is not closed by the ground around it", () => {
  const onClose = vi.fn();
  render(
    <Dialog title="Void the round?" closable={false} onClose={onClose}>
      <p>All bets are returned.</p>
    </Dialog>,
  );
  fireEvent.click(screen.getByRole("dialog"));
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.queryByRole("button")).toBeNull();
});
