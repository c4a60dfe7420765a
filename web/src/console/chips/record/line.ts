/**
 * The line on which a dealer keys what is on the layout: `b 5 t9 2x100+3x25`.
 *
 * First comes a box, by the code that the server gave it, then the chips on it. The server decides
 * whether a bet is allowed; this module reads what the line means, and finds what has no meaning.
 */

import type { ChipStack } from "../../../live/index.ts";
import type { ChipSeat, Pieces, WireCommand } from "../../../protocol.ts";
import { readAmount } from "../../../words/written.ts";
import { fewestChips, sumOf, worth, type Chip, type Marked } from "../../money/counts/chips.ts";

export type Act = "record" | "take-back" | "correct" | "reject" | "advise" | "late" | "separate";

/** A betting box as the line knows it. */
export interface Box {
  readonly box: string;
  readonly name: string;
  readonly code: string;
}

/** The state of the table that a line is read with. */
export interface Reading {
  /** The boxes of the layout, by their codes. */
  readonly boxes: ReadonlyMap<string, Box>;
  /** The chosen seat, and its player. */
  readonly seat: string | null;
  readonly player: ChipSeat | null;
  /** The denominations of the table. */
  readonly values: readonly number[];
  /** The player's stacks on the layout. */
  readonly stacks: readonly ChipStack[];
  /** The player's chips to reject on a box that is above its limit. */
  readonly excess: (box: string) => readonly Pieces[];
}

export type FaultCode =
  | "no_seat"
  | "no_such_seat"
  | "seat_free"
  | "seat_away"
  | "no_box"
  | "no_stack"
  | "bad_stack"
  | "no_chip"
  | "no_break"
  | "too_many"
  | "not_there"
  | "no_excess"
  | "note_missing"
  | "one_box";

export interface Fault {
  readonly code: FaultCode;
  readonly blanks: Readonly<Record<string, string | number>>;
  /** A blank of the sentence that is an amount, to be written as money. */
  readonly cents?: number;
  /** Whether the line may become correct as more is typed. */
  readonly open: boolean;
}

/** Chips on a box, as they were keyed. */
export interface Put {
  readonly box: string;
  readonly name: string;
  readonly chips: readonly Pieces[];
  readonly amount: number;
}

export interface Understood {
  readonly act: Act;
  readonly oral: boolean;
  readonly onBehalf: boolean;
  readonly puts: readonly Put[];
  readonly note: string;
  readonly faults: readonly Fault[];
}

const ACTS: Readonly<Record<string, Act>> = {
  "-": "take-back",
  "=": "correct",
  ">": "reject",
  "?": "advise",
  "~": "late",
  "&": "separate",
};
/** Signs before the first box: how the bet was placed, and what to do with it. */
const BEGINNING = /^\s*([!@]*)([-=>?~&]?)([!@]*)/;

/** The state of the reader: the words left, and what is understood so far. */
interface Parsed {
  readonly puts: Put[];
  readonly faults: Fault[];
  note: string;
}

/** Read a line. */
export function readLine(line: string, reading: Reading): Understood {
  const [begun = "", before = "", sign = "", after = ""] = BEGINNING.exec(line) ?? [];
  const signs = before + after;
  const act = ACTS[sign] ?? "record";
  const rest = line.slice(begun.length);
  const words = rest.split(/\s+/).filter((word) => word !== "");
  const parsed: Parsed = { puts: [], faults: [], note: "" };
  const closed = /\s$/.test(rest);
  if (act === "correct") readCorrection(words, closed, reading, parsed);
  else if (act === "advise" || act === "separate") readBoxes(words, closed, reading, parsed);
  else readPairs(words, closed, act, reading, parsed);
  const puts = together(parsed.puts, reading);
  const nobody = line.trim() === "" ? [] : seatFaults(reading);
  return {
    act,
    oral: signs.includes("!"),
    onBehalf: signs.includes("@"),
    puts,
    note: parsed.note,
    faults: [...nobody, ...parsed.faults, ...heldFaults(act, puts, reading)],
  };
}

/** Why no bets can be placed at the chosen seat. */
export function seatFaults({ seat, player }: Pick<Reading, "seat" | "player">): readonly Fault[] {
  if (seat === null) return [fault("no_seat")];
  if (player === null) return [fault("seat_free", { seat })];
  return player.away ? [fault("seat_away", { seat })] : [];
}

function fault(code: FaultCode, blanks: Fault["blanks"] = {}, open = false): Fault {
  return { code, blanks, open };
}

/** Read pairs of box and chips; to take chips off, the last chips may be left out: all. */
function readPairs(words: readonly string[], closed: boolean, act: Act, reading: Reading, into: Parsed): void {
  const left = apart(words, reading);
  for (let place = 0; place < left.length; place += 2) {
    const last = place >= left.length - 2;
    const [boxes = "", stack] = left.slice(place, place + 2);
    const found = boxesOf(boxes, last && stack === undefined && !closed, reading, into);
    for (const box of found) readPut(box, stack, last && !closed, act, reading, into);
  }
}

/** A letter with its number directly behind it is two words: `b5` is `b 5`. */
function apart(words: readonly string[], { boxes }: Reading): readonly string[] {
  const found: string[] = [];
  for (const word of words) {
    const [, letter = "", rest = ""] = /^([a-z]+)(\d.*)$/i.exec(word) ?? [];
    const isBox = found.length % 2 === 0 && !boxes.has(word.toLowerCase());
    if (isBox && boxes.has(letter.toLowerCase())) found.push(letter, rest);
    else found.push(word);
  }
  return found;
}

/** The boxes of a word: one code, or several with commas between them. */
function boxesOf(word: string, open: boolean, { boxes }: Reading, into: Parsed): readonly Box[] {
  return word.split(",").flatMap((text, place, all) => {
    const box = boxes.get(text.toLowerCase());
    if (box !== undefined) return [box];
    const [, seat] = /^(\d+)\.$/.exec(text) ?? [];
    if (seat !== undefined) {
      into.faults.push(fault("no_such_seat", { seat }));
      return [];
    }
    const begun = open && place === all.length - 1 && isBegun(text.toLowerCase(), boxes);
    into.faults.push(fault("no_box", { text }, begun));
    return [];
  });
}

function isBegun(text: string, boxes: Reading["boxes"]): boolean {
  return [...boxes.keys()].some((code) => code.startsWith(text));
}

function readPut(
  box: Box,
  stack: string | undefined,
  open: boolean,
  act: Act,
  reading: Reading,
  into: Parsed,
): void {
  const chips = stack === undefined || stack === "*" ? allOf(box, stack, act, reading) : null;
  const found = chips ?? readStack(stack ?? "", open, box, reading);
  if ("code" in found) into.faults.push(found);
  else into.puts.push(putOf(box, found, reading));
}

/** The chips meant when none are keyed: all on the box, or the excess. */
function allOf(box: Box, stack: string | undefined, act: Act, reading: Reading): readonly Pieces[] | Fault {
  if (act === "record" || act === "late") return fault("no_stack", { box: box.name }, stack === undefined);
  const present = reading.stacks.find((each) => each.box === box.box)?.chips ?? [];
  const chips = act === "reject" ? reading.excess(box.box) : present;
  if (chips.length > 0) return chips;
  return fault(present.length === 0 ? "not_there" : "no_excess", { box: box.name }, true);
}

function putOf({ box, name }: Box, chips: readonly Pieces[], reading: Reading): Put {
  return { box, name, chips, amount: sumOf(chips, markedOf(reading)) };
}

function markedOf({ player }: Pick<Reading, "player">): Marked {
  const { colour = null, value = null } = player ?? {};
  return new Map(colour === null || value === null ? [] : [[colour, value]]);
}

/** Read chips: pieces of the player's own colour, an amount, or `2x100`, joined by `+`. */
function readStack(text: string, open: boolean, box: Box, reading: Reading): readonly Pieces[] | Fault {
  const found: Pieces[] = [];
  for (const part of text.split("+")) {
    const chips = part === "" && open ? fault("no_stack", { box: box.name }, true) : readPart(part, open, reading);
    if ("code" in chips) return chips;
    found.push(...chips);
  }
  return asTheyLie(found, markedOf(reading));
}

function readPart(part: string, open: boolean, reading: Reading): readonly Pieces[] | Fault {
  const { player, values } = reading;
  const [, count, of] = /^(\d{1,6})[x*](.*)$/i.exec(part) ?? [];
  if (count !== undefined && of !== undefined) return readPieces(Number(count), of, open, values);
  const colour = player?.colour ?? null;
  if (colour !== null && /^\d{1,6}$/.test(part)) {
    return Number(part) > 0 ? [[colour, Number(part)]] : fault("bad_stack", { text: part }, open);
  }
  // For a player with a colour a sign marks an amount; a plain number is pieces.
  const [, sign, written = ""] = /^(\$?)(.+)$/.exec(part) ?? [];
  const amount = colour === null || sign === "$" ? readAmount(written) : undefined;
  if (amount === undefined || amount === null || amount === 0) return fault("bad_stack", { text: part }, open);
  const broken = fewestChips(amount, values.map((value) => [value, Math.floor(amount / value)]));
  return broken ?? { ...fault("no_break", { text: part }, open), cents: values[0] ?? 0 };
}

function readPieces(
  count: number,
  of: string,
  open: boolean,
  values: readonly number[],
): readonly Pieces[] | Fault {
  const worthOf = readAmount(of);
  const value = values.find((each) => each === worthOf);
  if (value === undefined) return fault("no_chip", { text: of }, open);
  return count > 0 ? [[value, count]] : fault("bad_stack", { text: `${count}x${of}` }, open);
}

/** Chips as they lie, from the bottom up: smaller values on top, each kind once. */
export function asTheyLie(chips: readonly Pieces[], marked: Marked): readonly Pieces[] {
  const counts = new Map<Chip, number>();
  for (const [chip, count] of chips) counts.set(chip, (counts.get(chip) ?? 0) + count);
  return [...counts].sort(([one], [other]) => worth(other, marked) - worth(one, marked));
}

/** Join bets on the same box. */
function together(puts: readonly Put[], reading: Reading): readonly Put[] {
  const boxes = [...new Set(puts.map(({ box }) => box))];
  return boxes.map((box) => {
    const same = puts.filter((put) => put.box === box);
    const [first] = same;
    if (first === undefined || same.length === 1) return first as Put;
    const chips = asTheyLie(same.flatMap((put) => put.chips), markedOf(reading));
    return { ...first, chips, amount: sumOf(chips, markedOf(reading)) };
  });
}

/** Read a correction: one box, the chips on it, and the reason. */
function readCorrection(words: readonly string[], closed: boolean, reading: Reading, into: Parsed): void {
  const [first, stack, ...note] = apart(words.slice(0, 1), reading).concat(words.slice(1));
  if (first === undefined) return;
  const [box, ...more] = boxesOf(first, stack === undefined && !closed, reading, into);
  if (more.length > 0) into.faults.push(fault("one_box"));
  if (box === undefined) return;
  const open = note.length === 0 && !closed;
  if (stack === "0") into.puts.push(putOf(box, [], reading));
  else readPut(box, stack, open, "record", reading, into);
  into.note = note.join(" ");
  if (into.note === "") into.faults.push(fault("note_missing", {}, true));
  const lies = reading.stacks.some((each) => each.box === box.box);
  if (!lies) into.faults.push(fault("not_there", { box: box.name }));
}

function readBoxes(words: readonly string[], closed: boolean, reading: Reading, into: Parsed): void {
  words.forEach((word, place) => {
    const open = place === words.length - 1 && !closed;
    for (const box of boxesOf(word, open, reading, into)) into.puts.push(putOf(box, [], reading));
  });
}

/** Refuse more pieces than the player has, and chips that are not on the box. */
function heldFaults(act: Act, puts: readonly Put[], reading: Reading): readonly Fault[] {
  if (act === "take-back" || act === "reject") return takenFaults(puts, reading.stacks);
  const colour = reading.player?.colour ?? null;
  if (act !== "record" || colour === null) return [];
  const count = puts.reduce((sum, { chips }) => sum + countOf(chips, colour), 0);
  const held = reading.player?.pieces ?? 0;
  return count > held ? [fault("too_many", { count, held, colour })] : [];
}

function takenFaults(puts: readonly Put[], stacks: readonly ChipStack[]): readonly Fault[] {
  return puts.flatMap(({ box, name, chips }) => {
    const present = stacks.find((each) => each.box === box)?.chips ?? [];
    const there = chips.every(([chip, count]) => count <= countOf(present, chip));
    return there ? [] : [fault("not_there", { box: name })];
  });
}

function countOf(chips: readonly Pieces[], chip: Chip): number {
  return chips.find(([each]) => each === chip)?.[1] ?? 0;
}

/** Whether a line can be sent: it is not empty and has no faults. */
export function isWhole({ puts, faults }: Understood): boolean {
  return puts.length > 0 && faults.length === 0;
}

/** The commands of a line: one batch, or one command for each box if there are no batches. */
export function commandsOf({ act, oral, onBehalf, puts, note }: Understood, seat: string): readonly WireCommand[] {
  const bets = puts.map(({ box, chips }) => [box, chips] as const);
  switch (act) {
    case "record":
      return [{ type: "RecordBets", seat, bets, ...(oral && { oral }), ...(onBehalf && { on_behalf: true }) }];
    case "take-back":
      return [{ type: "TakeBackBets", seat, bets }];
    case "correct":
      return puts.map(({ box, chips }) => ({ type: "CorrectRecord", seat, box, chips, note }));
    case "reject":
      return puts.map(({ box, chips }) => ({ type: "RejectExcess", seat, box, chips }));
    case "advise":
      return puts.map(({ box }) => ({ type: "AdvisePlayer", seat, box }));
    case "late":
      return puts.map(({ box, chips }) => ({ type: "RefuseLateBet", seat, box, chips }));
    case "separate":
      return puts.map(({ box }) => ({ type: "SeparateStack", seat, box }));
  }
}
