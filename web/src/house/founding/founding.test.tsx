import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { VenueView } from "../../answers.ts";
import { loadWords } from "../../words/words.ts";
import Founding from "./founding.tsx";

const VENUE = { name: "The Lantern", currency: "SGD", founded: false } as unknown as VenueView;

beforeEach(() => loadWords("house"));
afterEach(cleanup);

const press = (element: HTMLElement) => act(() => void fireEvent.click(element));

test("a founder without a keyboard keys the PIN on the screen, twice", async () => {
  render(<Founding venue={VENUE} />);
  await press(screen.getByRole("button", { name: "Next" }));
  for (const label of ["PIN", "The PIN once more"]) {
    const field = screen.getByLabelText<HTMLInputElement>(label);
    const around = field.closest<HTMLElement>(".keypad-field");
    if (around === null) throw new Error("It has no keypad.");
    const key = (name: string) => press(within(around).getByRole("button", { name }));
    await key("Show the keypad");
    expect(document.activeElement).toBe(field);
    for (const digit of "246813") await key(digit);
    expect(field.value).toBe("246813");
    expect(field.type).toBe("password");
  }
});
