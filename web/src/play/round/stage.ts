/**
 * The stage decides which scene of a round the screen shows, and for how long.
 *
 * The server may send several events at almost the same time: no more bets, the dice, the winners.
 * People want to see them one after another, so each scene stays a moment before the next. When
 * bets open again, all waiting scenes are shown at once. Nothing is shown before it was received.
 */

import { batch, computed, signal } from "@preact/signals";

import type {
  AnyPrivateEvent,
  AnyPublicEvent,
  Faces,
  Line,
  RoundOutcome,
  TableView,
} from "../../protocol.ts";
import { language, type Language, type Words } from "../../words/words.ts";
import { notedCall } from "./calls.ts";

/** Where a round is on the screen; in `collect` losing chips go, then in `pay` winners are paid. */
export type Scene =
  | "idle"
  | "tumbled"
  | "betting"
  | "closed"
  | "result"
  | "lit"
  | "collect"
  | "pay"
  | "over"
  | "void";

/** How long a scene stays before the next, in milliseconds; collect and pay are quick. */
export const HOLD: Readonly<Partial<Record<Scene, number>>> = {
  closed: 1_400,
  result: 900,
  lit: 600,
  collect: 600,
  pay: 800,
};

/** The outcome of a round for this player. */
export interface Net {
  readonly round: number;
  readonly stake: number;
  readonly won: number;
  readonly back: number;
}

export interface Voided {
  readonly round: number;
  /** The reason, as a code and as a sentence in the language `lang`. */
  readonly code: string;
  readonly sentence: string;
  readonly lang: Language;
  readonly clause: string;
}

export interface Amended {
  readonly before: Faces;
  readonly faces: Faces;
  readonly clause: string;
}

interface Beat {
  readonly scene: Scene;
  readonly show: () => void;
  readonly hold: number;
}

/** Scenes that a phase of the table allows when there is nothing left to show. */
const SCENES: Readonly<Record<string, readonly [Scene, ...Scene[]]>> = {
  tumbled: ["tumbled"],
  betting: ["betting"],
  "no-more-bets": ["closed"],
  result: ["result"],
  confirmed: ["lit"],
};

const BETWEEN_ROUNDS = ["idle", "over", "void"] as const;
/** Scenes between two rounds. */
const BETWEEN: ReadonlySet<Scene> = new Set(BETWEEN_ROUNDS);
/** Scenes in which the dice are not shown yet. */
const COVERABLE: ReadonlySet<Scene> = new Set(["tumbled", "betting", "closed"]);

export class Stage {
  readonly scene = signal<Scene>("idle");
  readonly faces = signal<Faces | null>(null);
  readonly call = signal<string | null>(null);
  readonly lit = signal<ReadonlySet<string>>(new Set());
  /** The player's own bets of a finished round, until the next one begins. */
  readonly lines = signal<ReadonlyMap<string, Line>>(new Map());
  /** The call of the round before, while this round has none. */
  readonly callBefore = signal<string | null>(null);
  readonly net = signal<Net | null>(null);
  readonly voided = signal<Voided | null>(null);
  /** The stakes returned to this player from a void round. */
  readonly returned = signal<number | null>(null);
  readonly amended = signal<Amended | null>(null);
  /** Whether the dice of this round are tumbled, and whether they can be seen. */
  readonly tumbled = signal(false);
  readonly uncovered = signal(false);
  /** Whether they lie under their cover. */
  readonly covered = computed(() => this.tumbled.value && !this.uncovered.value);
  /** Whether the round is in doubt or waits for a person: until then nothing moves. */
  readonly troubled = signal(false);
  /** Whether a tumble that was just recorded is drawn; what it is called is that they are tumbled. */
  readonly rolling = computed(() => this.#rolls.value && this.scene.value === "closed" && !this.troubled.value);

  readonly #rolls = signal(false);
  readonly #beats: Beat[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #table: TableView | null = null;
  /** The finished round whose dice are still shown. */
  #over: number | null = null;
  /** The last round that was settled again with corrected dice. */
  #putRight: (Amended & { readonly round: number }) | null = null;

  /** Stop, and drop the scenes that wait. */
  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#beats.length = 0;
  }

  /** Take the table's view; it is applied after the events received with it. */
  see(table: TableView): void {
    this.#table = table;
    this.troubled.value = table.doubts.length > 0 || table.waiting;
    queueMicrotask(() => {
      batch(() => this.#lay());
      this.#catchUp();
    });
  }

  /** Replace the sentence that says why a round is void, in a new language. */
  retell(round: number, sentence: string): void {
    const voided = this.voided.peek();
    if (voided?.round === round) this.voided.value = { ...voided, sentence, lang: language.peek() };
  }

  /** Receive a public event of the table. */
  receive(event: AnyPublicEvent): void {
    switch (event.type) {
      case "TumbleRecorded":
        this.#tumble();
        return;
      case "BetsOpened":
        this.#hurry();
        this.#next("betting", () => this.#begin());
        return;
      case "BetsClosed":
        this.#next("closed", () => undefined);
        return;
      case "ResultEntered":
        this.#next("result", () => this.#dice(event.faces, event.call));
        return;
      case "ResultAmended":
        this.#next("result", () => {
          this.#dice(event.faces, event.call);
          this.amended.value = event;
        });
        return;
      case "ResultConfirmed":
        this.#next("lit", () => {
          this.lit.value = new Set(event.winners);
        });
        return;
      case "RoundSettled":
        this.#next("over", () => {
          this.#over = event.round;
        });
        return;
      case "RoundResettled":
        // The table's view brings the corrected dice; this event has the words for them.
        this.#putRight = event;
        return;
      case "RoundVoided":
        this.#next("void", () => this.#void(event));
        return;
      default:
        return;
    }
  }

  /** Receive an event of this terminal; its bets stay as they are until their scene. */
  receiveOwn(event: AnyPrivateEvent, last: RoundOutcome | null): void {
    if (event.type === "RoundVoided") this.returned.value = last?.back ?? null;
    if (event.type !== "RoundSettled" || last === null) return;
    this.lines.value = new Map(last.lines.map((line) => [line.box, line]));
    const isLost = (line: Line): boolean => (line.back ?? 0) === 0;
    // The public event of the same settlement may have come first; it waits for this one.
    this.#drop("over");
    if (last.lines.some(isLost)) this.#next("collect", () => undefined);
    if (!last.lines.every(isLost)) this.#next("pay", () => undefined);
    this.#next("over", () => {
      this.#over = last.round;
      this.net.value = netOf(last);
    });
  }

  /** Dice may be tumbled before the bets, while they are open, or after the close. */
  #tumble(): void {
    const scene = this.scene.peek();
    if (BETWEEN.has(scene)) this.#next("tumbled", () => this.#begin());
    if (scene !== "closed") return;
    // The scene of the close has time for it, or is given it again.
    if (this.#timer === null) this.#next("closed", () => undefined);
    this.#rolls.value = true;
  }

  /** Show how the dice of the round under way lie, as the table's view has it. */
  #lay(): void {
    const table = this.#table;
    if (!COVERABLE.has(this.scene.peek())) {
      this.tumbled.value = this.uncovered.value = false;
    } else if (table !== null && !BETWEEN.has(scenesOf(table)[0])) {
      // Of a round that is over meanwhile, the view no longer says it.
      this.tumbled.value = table.tumbled;
      this.uncovered.value = table.uncovered;
    }
  }

  #begin(): void {
    this.callBefore.value = this.voided.peek() === null ? this.call.peek() : null;
    this.faces.value = null;
    this.call.value = null;
    this.lit.value = new Set();
    this.lines.value = new Map();
    this.net.value = null;
    this.voided.value = null;
    this.returned.value = null;
    this.amended.value = null;
    this.#over = null;
  }

  #dice(faces: Faces, call: string): void {
    this.faces.value = faces;
    this.call.value = notedCall(call, faces);
    this.lit.value = new Set();
  }

  #void({ round, code, sentence, clause }: Omit<Voided, "lang">): void {
    this.lit.value = new Set();
    this.lines.value = new Map();
    this.voided.value = { round, code, sentence, clause, lang: language.peek() };
    this.#over = null;
  }

  #next(scene: Scene, show: () => void, hold = HOLD[scene] ?? 0): void {
    this.#beats.push({ scene, show, hold });
    if (this.#timer === null) this.#play();
  }

  #drop(scene: Scene): void {
    const at = this.#beats.findIndex((beat) => beat.scene === scene);
    if (at >= 0) this.#beats.splice(at, 1);
  }

  /** Show the next scene, and the one after it when its time is over. */
  #play(): void {
    this.#timer = null;
    this.#rolls.value = false;
    const beat = this.#beats.shift();
    if (beat === undefined) {
      this.#catchUp();
      return;
    }
    this.#show(beat);
    this.#timer = setTimeout(() => this.#play(), beat.hold);
  }

  #show(beat: Beat): void {
    batch(() => {
      beat.show();
      this.scene.value = beat.scene;
      this.#lay();
    });
  }

  /** Show at once everything that still waits. */
  #hurry(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const beat of this.#beats.splice(0)) this.#show(beat);
  }

  /** With no scenes waiting, show the table's state; after a snapshot nothing else is known. */
  #catchUp(): void {
    const table = this.#table;
    if (table === null || this.#timer !== null || this.#beats.length > 0) return;
    const scenes = scenesOf(table);
    // The terminal's event of a settlement may come shortly before the public one.
    const isPaid = table.phase === "confirmed" && this.net.peek()?.round === table.round;
    if (isPaid) return;
    if (scenes.includes(this.scene.peek())) {
      batch(() => this.#agree(table));
      return;
    }
    batch(() => {
      this.#begin();
      this.scene.value = scenes[0];
      this.#lay();
      this.faces.value = table.faces;
      this.call.value = callOf(table);
      this.lit.value = new Set(table.winners);
    });
  }

  /** Make the scene agree with the table's view: events may have been missed, or dice corrected. */
  #agree(table: TableView): void {
    if (BETWEEN.has(this.scene.peek())) return this.#agreeOver(table);
    // A change of language brings the same dice with the call in other words.
    if (table.call !== null) this.call.value = callOf(table);
    if (table.faces === null || isSame(table.faces, this.faces.peek())) return;
    this.faces.value = table.faces;
    this.amended.value = null;
    this.lit.value = new Set(table.winners);
  }

  /** Keep the dice of a finished round until they are corrected, or another round is the last. */
  #agreeOver(table: TableView): void {
    if (this.#over === null) return;
    const now = table.rounds[this.#over];
    if (table.round !== this.#over || now?.void === true) {
      this.#begin();
      this.callBefore.value = null;
      this.scene.value = "idle";
    } else if (now?.faces != null && !isSame(now.faces, this.faces.peek())) {
      this.amended.value = this.#putRight?.round === this.#over ? this.#putRight : null;
      this.faces.value = now.faces;
      this.call.value = null;
      this.lit.value = new Set();
    }
  }
}

/** How the dice of a round lie that are not shown yet; every screen says it in these words. */
export function sayDice(t: Words<"layout">, { tumbled, uncovered }: Stage): string {
  if (!tumbled.value) return t("dice_not_tumbled");
  return t(uncovered.value ? "dice_uncovered" : "dice_covered");
}

/** Scenes of a table as it is; a round that began with dice which do not count waits for others. */
function scenesOf({ phase, tumbled }: TableView): readonly [Scene, ...Scene[]] {
  return (phase === "tumbled" && !tumbled ? undefined : SCENES[phase]) ?? BETWEEN_ROUNDS;
}

function callOf({ call, faces }: TableView): string | null {
  return call === null || faces === null ? call : notedCall(call, faces);
}

function isSame(one: Faces, other: Faces | null): boolean {
  return other !== null && one.join() === other.join();
}

function netOf(settled: RoundOutcome): Net {
  const stake = settled.lines.reduce((all, line) => all + line.stake, 0);
  return { round: settled.round, stake, won: settled.won ?? 0, back: settled.back };
}
