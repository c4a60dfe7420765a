/** Keyboard commands for the whole slip; single keys can be switched off [WCAG 2.1.4]. */

import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { chipsFor } from "./slip/bounds.ts";
import type { Game } from "./game.ts";
import { letters } from "./preferences.ts";
import type { WindowName } from "./windows/windows.tsx";

/** Elements in which keys are for typing or have another meaning. */
const WRITING = "input, textarea, select, [contenteditable], dialog, [role=dialog]";

function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return true;
  return event.target instanceof Element && event.target.closest(WRITING) !== null;
}

/** Carry out a key pressed with Control or Command; returns whether it is a command. */
function withControl(game: Game, key: string, isShifted: boolean): boolean {
  if (key === "z" && !isShifted) game.slip.undo();
  else if (key === "y" || (key === "z" && isShifted)) game.slip.redo();
  else return false;
  return true;
}

function chooseChip(game: Game, number: number): void {
  const limits = game.table.view.peek()?.limits;
  const chips = limits ? chipsFor(limits) : [];
  const chip = chips[number - 1];
  if (chip !== undefined) game.slip.tool.value = chip;
  else if (number === chips.length + 1) game.slip.tool.value = "rest";
}

/** Carry out a single key; returns whether it is a command. */
function alone(game: Game, opened: Signal<WindowName | null>, event: KeyboardEvent): boolean {
  const { slip } = game;
  if (/^[1-8]$/.test(event.key)) chooseChip(game, Number(event.key));
  else if (event.key === "?") opened.value = "help";
  else if (event.key === "R") slip.rebet(2);
  else if (event.key === "r") slip.rebet();
  else if (event.key.toLowerCase() === "d") slip.double();
  else if (event.key.toLowerCase() === "c") slip.clear();
  else if (event.key.toLowerCase() === "p") placeIfOpen(game);
  else return false;
  return true;
}

function placeIfOpen(game: Game): void {
  if (game.obstacle.peek() === null) void game.slip.place();
}

/** Carry out a key that is pressed while no control has the focus. */
function nowhere(game: Game, event: KeyboardEvent): boolean {
  const isOnControl = event.target instanceof Element && event.target.closest("button, a") !== null;
  if (event.key === "Enter" && !isOnControl) placeIfOpen(game);
  // On a box the layout handles this key: it takes off that box's chips.
  else if (event.key === "Backspace" && !isOnBox(event)) game.slip.undo();
  else return false;
  return true;
}

function isOnBox(event: KeyboardEvent): boolean {
  return event.target instanceof Element && event.target.closest("[data-box]") !== null;
}

export function useKeys(game: Game, opened: Signal<WindowName | null>): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (isTaken(event) || event.altKey) return;
      const isMeant =
        event.ctrlKey || event.metaKey
          ? withControl(game, event.key.toLowerCase(), event.shiftKey)
          : nowhere(game, event) || (letters.peek() === "on" && alone(game, opened, event));
      if (isMeant) event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [game, opened]);
}
