/**
 * Records the bets of a chip table: owns the chosen seat, the keyed line, the chips tapped onto the
 * layout and not sent yet, and the outcome of what was sent.
 */

import { computed, signal, type ReadonlySignal } from "@preact/signals";

import type { LayoutView } from "../../../answers.ts";
import type { ChipTable } from "../../../live/index.ts";
import type { LimitNotice, ChipSeat, Pieces, WireCommand } from "../../../protocol.ts";
import type { Desk } from "../../desk.ts";
import { markedOf, sumOf, type Chip } from "../../money/counts/chips.ts";
import { proposed, seenAs, type Proposal } from "../limits/excess.ts";
import { asTheyLie, commandsOf, isWhole, readLine, type Box, type Put, type Understood } from "./line.ts";

/** A chip that was tapped onto a box for a seat, and not sent yet. */
export interface Tapped {
  readonly seat: string;
  readonly box: string;
  readonly chip: Chip;
}

/** A refusal of the server, kept until the dealer has dealt with it. */
export interface Turned {
  readonly id: number;
  readonly seat: string;
  /** The line as it was keyed; null where it was tapped. */
  readonly line: string | null;
  readonly sentence: string;
  readonly clause: string | null;
}

/** What has been done about a notice. */
export type Seen = "advised" | "left";

export class Recorder {
  readonly desk: Desk;
  readonly seat = signal<string | null>(null);
  readonly line = signal("");
  readonly oral = signal(false);
  /** Why a stack is read only now, once dice can be seen. */
  readonly reason = signal("");
  readonly onBehalf = signal(false);
  /** Whether the keyed bet was placed after the close: it is refused, and noted. */
  readonly late = signal(false);
  readonly tapped = signal<readonly Tapped[]>([]);
  /** The chosen chip of the tray; null for the first one that the player may have. */
  readonly chosen = signal<Chip | null>(null);
  readonly turned = signal<readonly Turned[]>([]);
  /** Bets that were sent and are not answered, by seat and box: they are drawn as pending. */
  readonly sending = signal<readonly { readonly seat: string; readonly puts: readonly Put[] }[]>([]);
  /** Whether Enter was pressed on a line with faults: then all faults are shown at once. */
  readonly pressed = signal(false);
  readonly seen = signal<ReadonlyMap<string, Seen>>(new Map());
  readonly boxes: ReadonlySignal<ReadonlyMap<string, Box>>;
  readonly names: ReadonlySignal<ReadonlyMap<string, string>>;
  readonly chipTable: ReadonlySignal<ChipTable | null>;
  readonly player: ReadonlySignal<ChipSeat | null>;
  readonly understood: ReadonlySignal<Understood>;
  /** The input of the line, while it is shown. */
  #input: HTMLInputElement | null = null;
  /** Whether the line is to get the focus once it is drawn. */
  #awaited = false;
  #ids = 0;
  /** The refused line that is back in the input. */
  #again: number | null = null;

  constructor(desk: Desk, layout: ReadonlySignal<LayoutView | null>) {
    this.desk = desk;
    this.chipTable = desk.table.chipTable;
    this.boxes = computed(() => {
      const areas = layout.value?.areas ?? [];
      return new Map(areas.map(({ box, name, code }) => [code, { box, name, code }]));
    });
    this.names = computed(() => new Map([...this.boxes.value.values()].map(({ box, name }) => [box, name])));
    this.player = computed(() => this.playerAt(this.seat.value));
    this.understood = computed(() => this.#read(this.line.value));
  }

  /** The player at a seat, or null. */
  playerAt(seat: string | null): ChipSeat | null {
    return this.chipTable.value?.seats.find((each) => each.seat === seat) ?? null;
  }

  readonly nameOf = (box: string): string => this.names.value.get(box) ?? box;

  #read(line: string): Understood {
    const table = this.chipTable.value;
    const seat = this.seat.value;
    const read = readLine(line, {
      boxes: this.boxes.value,
      seat,
      player: this.player.value,
      values: table?.chip_set.values ?? [],
      stacks: (table?.stacks ?? []).filter((each) => each.seat === seat),
      excess: (box) => (seat === null ? [] : this.excessOf(seat, box)),
    });
    const act = read.act === "record" && this.isLate ? "late" : read.act;
    return { ...read, act, oral: read.oral || this.oral.value, onBehalf: read.onBehalf || this.onBehalf.value };
  }

  /** Whether bets can be late: the bets are closed. */
  get canBeLate(): boolean {
    const reading = this.chipTable.value?.reading ?? null;
    return reading === "closed" || reading === "late";
  }

  get isLate(): boolean {
    return this.late.value && this.canBeLate;
  }

  /** All seats of the table by their numbers, taken or free. */
  get seats(): readonly string[] {
    const count = this.chipTable.value?.chip_set.seats ?? 0;
    return Array.from({ length: count }, (_, place) => String(place + 1));
  }

  select(seat: string): void {
    this.pressed.value = false;
    if (!this.seats.includes(seat) || seat === this.seat.value) return;
    this.seat.value = seat;
    // A player with a colour bets with it, so the last player's chip is no longer chosen.
    if (this.player.value?.colour != null) this.chosen.value = null;
  }

  /** Choose the next seat that is taken, or the one before. */
  step(by: 1 | -1): void {
    const taken = this.seats.filter((seat) => this.playerAt(seat) !== null);
    if (taken.length === 0) return;
    const here = Number(this.seat.value ?? (by > 0 ? 0 : this.seats.length + 1));
    const ahead = taken.filter((seat) => (by > 0 ? Number(seat) > here : Number(seat) < here));
    this.select((by > 0 ? ahead[0] : ahead.at(-1)) ?? taken.at(by > 0 ? 0 : -1) ?? "");
  }

  /** Take the typed text; a number and a point at its beginning choose the seat. */
  key(text: string): void {
    const [begun = "", seat] = /^\s*(\d{1,2})\.\s*/.exec(text) ?? [];
    this.pressed.value = false;
    if (seat !== undefined && this.seats.includes(String(Number(seat)))) {
      this.select(String(Number(seat)));
      this.line.value = text.slice(begun.length);
    } else this.line.value = text;
  }

  /** Set the input of the line; null when it is no longer shown. */
  shownIn(input: HTMLInputElement | null): void {
    this.#input = input;
    if (this.#awaited) this.takeKeys();
  }

  /** Focus the line at its end; if it is not drawn yet, as soon as it is. */
  takeKeys(): void {
    const input = this.#input;
    input?.focus();
    this.#awaited = input === null || document.activeElement !== input;
    input?.setSelectionRange(input.value.length, input.value.length);
  }

  leaveKeys(): void {
    this.#awaited = false;
    this.#input?.blur();
  }

  /** Whether a key begins a line: a digit, a sign before a box, or the letter of a box. */
  beginsLine(key: string): boolean {
    // The second of two quick keys may come before the line is drawn.
    if (this.#awaited && this.line.value !== "") return key.length === 1;
    if (/^[\d=>!@-]$/.test(key)) return true;
    return /^[a-z]$/.test(key) && [...this.boxes.value.keys()].some((code) => code.startsWith(key));
  }

  /** Send the line if it is correct; otherwise show its faults. */
  async send(): Promise<void> {
    const understood = this.understood.value;
    const seat = this.seat.value;
    this.pressed.value = true;
    if (seat === null || !isWhole(understood)) return;
    const line = this.line.value;
    if (this.#again !== null) this.putAway(this.#again);
    this.#again = null;
    this.line.value = "";
    this.pressed.value = false;
    this.oral.value = false;
    this.onBehalf.value = false;
    this.late.value = false;
    const shown = understood.act === "record" ? understood.puts : [];
    const asked = commandsOf(understood, seat).map((command) => this.#withReason(command));
    await this.#give(asked, seat, shown, line);
  }

  /** Add the reason to a stack that is read late. */
  #withReason(command: WireCommand): WireCommand {
    const noted = command.type === "RecordBets" || command.type === "RefuseLateBet";
    return noted && this.chipTable.value?.reading === "late" ? { ...command, note: this.reason.value } : command;
  }

  /** Send commands one after the other; returns whether all were registered. */
  async #give(
    commands: readonly WireCommand[],
    seat: string,
    puts: readonly Put[],
    line: string | null,
  ): Promise<boolean> {
    const waiting = { seat, puts };
    this.sending.value = [...this.sending.value, waiting];
    try {
      for (const command of commands) {
        const answer = await this.desk.link.ask(this.desk.name, command);
        if (answer.type === "Refused") {
          this.#turn(seat, line, answer.sentence, answer.clause ?? null);
          return false;
        }
      }
      return true;
    } finally {
      this.sending.value = this.sending.value.filter((each) => each !== waiting);
    }
  }

  /** Keep a refusal; its line returns to the input to be corrected, if the input is empty. */
  #turn(seat: string, line: string | null, sentence: string, clause: string | null): void {
    this.#ids += 1;
    this.turned.value = [...this.turned.value, { id: this.#ids, seat, line, sentence, clause }];
    if (line === null || this.line.value !== "") return;
    this.#again = this.#ids;
    this.seat.value = seat;
    this.line.value = line;
  }

  /** Put a refused line back into the input. */
  takeUp({ id, seat, line }: Turned): void {
    this.seat.value = seat;
    this.line.value = line ?? "";
    this.putAway(id);
  }

  putAway(id: number): void {
    this.turned.value = this.turned.value.filter((each) => each.id !== id);
  }

  // --- tapping ------------------------------------------------------------------------------------

  /** The chips to tap with for a player: their own colour, then the value chips. */
  get tray(): readonly Chip[] {
    const colour = this.player.value?.colour ?? null;
    const values = this.chipTable.value?.chip_set.values ?? [];
    return [...(colour === null ? [] : [colour]), ...values];
  }

  get chip(): Chip | null {
    const { tray } = this;
    const chosen = this.chosen.value;
    return chosen !== null && tray.includes(chosen) ? chosen : (tray[0] ?? null);
  }

  /** Put the chosen chip on a box; returns false if the seat has no player or no chip. */
  tap(box: string): boolean {
    const seat = this.seat.value;
    const player = this.player.value;
    const { chip } = this;
    if (seat === null || player === null || player.away || chip === null) {
      this.pressed.value = true;
      return false;
    }
    this.tapped.value = [...this.tapped.value, { seat, box, chip }];
    return true;
  }

  /** Take back the last chip tapped, on one box or on any. */
  untap(box?: string): void {
    const place = this.tapped.value.findLastIndex((each) => box === undefined || each.box === box);
    this.tapped.value = this.tapped.value.filter((_, at) => at !== place);
  }

  /** The tapped chips by seat, each seat as one batch. */
  readonly drafts = computed(() => {
    const seats = [...new Set(this.tapped.value.map(({ seat }) => seat))];
    return seats.map((seat) => ({ seat, puts: this.#putsOf(seat) }));
  });

  #putsOf(seat: string): readonly Put[] {
    const table = this.chipTable.value;
    const marked = table === null ? new Map<string, number>() : markedOf(table);
    const theirs = this.tapped.value.filter((each) => each.seat === seat);
    return [...new Set(theirs.map(({ box }) => box))].map((box) => {
      const pieces = theirs.filter((each) => each.box === box).map(({ chip }): Pieces => [chip, 1]);
      const chips = asTheyLie(pieces, marked);
      return { box, name: this.nameOf(box), chips, amount: sumOf(chips, marked) };
    });
  }

  /** Send the tapped chips, seat by seat; refused ones stay on the layout to be corrected. */
  async sendTapped(): Promise<void> {
    const how = { oral: this.oral.value, onBehalf: this.onBehalf.value };
    const act = this.isLate ? "late" : "record";
    const understood = { act, ...how, note: "", faults: [] } as const;
    const drafts = this.drafts.value;
    this.oral.value = false;
    this.onBehalf.value = false;
    this.late.value = false;
    for (const { seat, puts } of drafts) {
      const held = this.tapped.value.filter((each) => each.seat === seat);
      this.tapped.value = this.tapped.value.filter((each) => each.seat !== seat);
      const asked = commandsOf({ ...understood, puts }, seat).map((command) => this.#withReason(command));
      const done = await this.#give(asked, seat, act === "late" ? [] : puts, null);
      if (!done) this.tapped.value = [...held, ...this.tapped.value];
    }
  }

  // --- outside the limits -------------------------------------------------------------------------

  /** The chips of one player that may be given back on a box. */
  excessOf(seat: string, box: string): readonly Pieces[] {
    const table = this.chipTable.value;
    const over = (table?.notices ?? []).filter(
      (each) => each.box === box && each.outside !== "minimum" && (each.seat === null || each.seat === seat),
    );
    const [most] = over.sort((one, other) => other.amount - one.amount);
    if (table === null || most === undefined) return [];
    return proposed(table, { ...most, seat }, this.#step)[0]?.chips ?? [];
  }

  get #step(): number {
    return this.desk.table.view.value?.limits?.step ?? 1;
  }

  proposals(notice: LimitNotice): readonly Proposal[] {
    const table = this.chipTable.value;
    return table === null ? [] : proposed(table, notice, this.#step);
  }

  async reject(notice: LimitNotice): Promise<void> {
    for (const { seat, chips } of this.proposals(notice)) {
      const done = await this.#give([{ type: "RejectExcess", seat, box: notice.box, chips }], seat, [], null);
      if (!done) return;
    }
  }

  async advise(notice: LimitNotice): Promise<void> {
    const { seat, box } = notice;
    if (seat === null || notice.outside !== "minimum") return;
    if (await this.#give([{ type: "AdvisePlayer", seat, box }], seat, [], null)) this.#see(notice, "advised");
  }

  /** Separate value and colour chips of one stack. */
  async separate(seat: string, box: string): Promise<void> {
    await this.#give([{ type: "SeparateStack", seat, box }], seat, [], null);
  }

  /** What has been done about a notice; the table's view shows whether a player was advised. */
  seenOf(notice: LimitNotice): Seen | undefined {
    const { box, seat, outside } = notice;
    const returning = this.chipTable.value?.returning ?? [];
    const isAdvised = outside === "minimum" && returning.some(([whose, where]) => whose === seat && where === box);
    return isAdvised ? "advised" : this.seen.value.get(seenAs(notice));
  }

  leave(notice: LimitNotice): void {
    this.#see(notice, "left");
  }

  #see(notice: LimitNotice, how: Seen): void {
    this.seen.value = new Map(this.seen.value).set(seenAs(notice), how);
  }

  /** Clear everything of the round before. */
  begin(): void {
    this.seen.value = new Map();
    this.turned.value = [];
    this.tapped.value = [];
    this.line.value = "";
    this.late.value = false;
    this.pressed.value = false;
  }
}
