import { useSignal } from "@preact/signals";
import { fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, expect, test, vi } from "vitest";

import { KeypadField } from "./keypad.tsx";

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

const field = (): HTMLInputElement => screen.getByLabelText("PIN");
const press = (...names: string[]): void => {
  for (const name of names) fireEvent.click(screen.getByRole("button", { name }));
};

function byHand(coarse: boolean): void {
  vi.stubGlobal("matchMedia", () => ({ matches: coarse }));
}

test("where there are only fingers the keypad is open, and the screen's own keys stay away", () => {
  byHand(true);
  render(<KeypadField label="PIN" name="pin" maxLength={4} />);
  expect(field().inputMode).toBe("none");
  press("1", "0", "9", "Take the last one back", "2", "3", "4");
  expect(field().value, "no more than there is room for").toBe("1023");
  press("Clear");
  expect(field().value).toBe("");
});

test("with a keyboard it is asked for, and the focus goes to the field", () => {
  byHand(false);
  render(<KeypadField label="PIN" name="pin" />);
  expect(screen.queryByRole("group", { name: "Keypad" })).toBeNull();
  press("Show the keypad");
  expect(document.activeElement).toBe(field());
  press("7");
  fireEvent.input(field(), { target: { value: "78" } });
  press("9", "Hide the keypad");
  expect(field().value).toBe("789");
  expect(screen.queryByRole("group", { name: "Keypad" })).toBeNull();
});

test("what is typed is told to whoever keeps it, with a point where one is wanted", () => {
  byHand(true);
  const told: string[] = [];
  function Amount() {
    const value = useSignal("1");
    const keep = (next: string): void => {
      told.push(next);
      value.value = next;
    };
    return <KeypadField label="PIN" point value={value.value} onValue={keep} />;
  }
  render(<Amount />);
  press("Point", "5");
  expect(told).toEqual(["1.", "1.5"]);
  expect(screen.queryByRole("button", { name: "Clear" })).toBeNull();
});
