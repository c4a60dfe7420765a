/** The layout panel of a chip table's console: seats, the keyed line, bets outside the limits. */

import { effect, untracked } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { Role } from "../../protocol.ts";
import { useWords } from "../../words/words.ts";
import type { Board } from "../board.ts";
import { markedOf } from "../money/counts/chips.ts";
import { Notices } from "./limits/limit_warnings.tsx";
import { Paying, linesNow } from "./payout/payout_lists.tsx";
import { Reading, RecordLine, stakedSentence } from "./record/record_line.tsx";
import { MixedStacks, ToRule } from "./limits/to_rule.tsx";
import { SeatStrip } from "./seat_strip.tsx";
import { ChipTray, TapLayout } from "./record/tap_layout.tsx";
import "./chips.css";

interface Of {
  readonly board: Board;
  readonly role: Role;
}

export function LayoutPanel({ board, role }: Of) {
  const t = useWords("recording");
  const { recorder } = board;
  const reading = recorder.chipTable.value?.reading ?? null;
  const isOpen = reading !== null;
  if (recorder.chipTable.value === null) return <p class="console-hint">{t("layout_unknown")}</p>;
  return (
    <div class="rec">
      {role === "shift-manager" && <ToRule board={board} role={role} />}
      <SeatStrip recorder={recorder} />
      {isOpen && <RecordLine recorder={recorder} />}
      <Reading recorder={recorder} />
      <Notices recorder={recorder} />
      <MixedStacks recorder={recorder} />
      {role !== "shift-manager" && <ToRule board={board} role={role} />}
      <div class="rec-over">
        {isOpen && <ChipTray recorder={recorder} />}
        <p class="rec-lies">{stakedSentence(t, recorder)}</p>
      </div>
      <TapLayout recorder={recorder} layout={board.layout.value} odds={board.odds.value} />
    </div>
  );
}

export function PayingPanel({ board, role }: Of) {
  const { recorder, desk, walked } = board;
  const table = recorder.chipTable.value;
  return (
    <>
      <ToRule board={board} role={role} />
      <Paying
        guide={table?.guide ?? null}
        nameOf={recorder.nameOf}
        playerAt={(seat) => recorder.playerAt(seat)}
        marked={table === null ? new Map<string, number>() : markedOf(table)}
        done={walked.value}
        onDone={(done) => (walked.value = done)}
        walking={desk.walking.value}
        onWalk={(walking) => (desk.walking.value = walking)}
      />
    </>
  );
}

/** Tick off the next line of the lists, or remove the last tick. */
export function tick(board: Board, by: 1 | -1): void {
  const guide = board.recorder.chipTable.value?.guide ?? null;
  if (guide === null) return;
  board.panel.value = "paying";
  const done = board.walked.value + by;
  board.walked.value = Math.min(Math.max(done, 0), linesNow(guide).length);
}

/**
 * The keys of a chip table, before those that every console has.
 *
 * A bet that is keyed while the line has no focus goes into the line; so a letter that rings the
 * bell at other tables never closes the bets by mistake.
 */
export function chipKey(board: Board, key: string): (() => void) | null {
  const { recorder } = board;
  const isBetting = board.desk.table.view.value?.phase === "betting";
  if (isBetting && recorder.beginsLine(key)) {
    return () => showLine(board, () => recorder.key(recorder.line.value + key));
  }
  switch (key) {
    case "/":
      return () => showLine(board);
    case "n":
    case "N":
      return () => {
        board.panel.value = "layout";
        requestAnimationFrame(() => document.querySelector<HTMLElement>(".rec-notice")?.focus());
      };
    case "b":
    case "B":
      // This letter is the code of a box here; the next step, by the space bar, rings the bell.
      return () => undefined;
    case "t":
      return () => tick(board, 1);
    case "T":
      return () => tick(board, -1);
    default:
      return null;
  }
}

/** Focus the line, which may only just have been opened. */
function showLine(board: Board, then?: () => void): void {
  board.panel.value = "layout";
  then?.();
  // After the keyed text is drawn.
  queueMicrotask(() => board.recorder.takeKeys());
}

/**
 * Show the panel that fits the game: the layout while bets are open, the lists while they are paid.
 *
 * The line gets the focus when bets open, unless another field has it, and loses it when they
 * close: then digits are faces of the dice.
 */
export function useChipPhase(board: Board): void {
  useEffect(() => {
    let before: string | null = null;
    return effect(() => {
      const view = board.desk.table.view.value;
      if (view === null || view.form !== "chips") return;
      const now = board.recorder.chipTable.value?.guide != null ? "paying" : view.phase;
      if (now === before) return;
      // A console opened during a round shows the layout, at a closed table the gaming day.
      if (before === null) board.panel.value = now === "new" || now === "closed" ? "money" : "layout";
      before = now;
      untracked(() => enter(board, now));
    });
  }, [board]);
}

function enter(board: Board, now: string): void {
  if (now !== "betting") board.recorder.leaveKeys();
  // A report that is being written stays open.
  if (board.panel.value === "irregularities" && board.irregularity.value !== null) return;
  if (now === "betting") enterBetting(board);
  if (now === "paying") board.panel.value = "paying";
  // When the winners are paid, the lists are empty.
  else if (board.panel.value === "paying") board.panel.value = "layout";
}

function enterBetting(board: Board): void {
  board.panel.value = "layout";
  board.recorder.begin();
  requestAnimationFrame(() => {
    const at = document.activeElement?.closest("input, textarea, select, button, a, summary, dialog") ?? null;
    if (at === null) board.recorder.takeKeys();
  });
}
