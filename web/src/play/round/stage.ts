/**
 * What the screen shows of a round, scene by scene.
 *
 * The server may send several things within a blink: no more bets, the dice, the winners. People
 * want to see them one after another, so each scene stays a moment before the next; when the server
 * calls for bets again, nothing is held back any more. Nothing is shown before it was received.
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
import { language, type Language } from "../../words/words.ts";
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

/** What a round came to for this player. */
export interface Net {
  readonly round: number;
  readonly stake: number;
  readonly won: number;
  readonly back: number;
}

export interface Voided {
  readonly round: number;
  /** Why, by its code, and in a sentence of the language of that moment. */
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
  new: ["idle", "over", "void"],
  closed: ["idle", "over", "void"],
  ready: ["idle", "over", "void"],
  tumbled: ["tumbled"],
  betting: ["betting"],
  "no-more-bets": ["closed"],
  result: ["result"],
  confirmed: ["lit"],
};

/** Scenes between two rounds. */
const BETWEEN: ReadonlySet<Scene> = new Set(["idle", "over", "void"]);

export class Stage {
  readonly scene = signal<Scene>("idle");
  readonly faces = signal<Faces | null>(null);
  readonly call = signal<string | null>(null);
  readonly lit = signal<ReadonlySet<string>>(new Set());
  /** The player's own bets of a round that is over, until the next one begins. */
  readonly lines = signal<ReadonlyMap<string, Line>>(new Map());
  /** The call of the round before, while this one has none. */
  readonly callBefore = signal<string | null>(null);
  readonly net = signal<Net | null>(null);
  readonly voided = signal<Voided | null>(null);
  /** What came back to this player from a void round. */
  readonly returned = signal<number | null>(null);
  readonly amended = signal<Amended | null>(null);
  /** Whether the dice of this round have been tumbled, and wait under their cover. */
  readonly tumbled = signal(false);
  /** Whether the round is in doubt, or waits for somebody: nothing moves until that is over. */
  readonly troubled = signal(false);
  /** Whether dice are seen tumbling now. */
  readonly rolling = computed(() => this.scene.value === "closed" && !this.tumbled.value && !this.troubled.value);

  readonly #beats: Beat[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #table: TableView | null = null;
  /** The round that is over, and whose dice are still shown. */
  #over: number | null = null;
  /** The last round that was settled again by other dice. */
  #putRight: (Amended & { readonly round: number }) | null = null;

  /** Show nothing more. */
  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#beats.length = 0;
  }

  /** The table as it is; events of the same moment are received before it counts. */
  see(table: TableView): void {
    this.#table = table;
    this.troubled.value = table.doubts.length > 0 || table.waiting;
    queueMicrotask(() => this.#catchUp());
  }

  /** Say of a void round, in other words, why it is. */
  retell(round: number, sentence: string): void {
    const voided = this.voided.peek();
    if (voided?.round === round) this.voided.value = { ...voided, sentence, lang: language.peek() };
  }

  /** Receive what everybody is sent. */
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
        // What the dice were then comes with the table; this is what is said of it.
        this.#putRight = event;
        return;
      case "RoundVoided":
        this.#next("void", () => this.#void(event));
        return;
      default:
        return;
    }
  }

  /** Receive what this terminal alone is sent: its bets stay where they are until their scene. */
  receiveOwn(event: AnyPrivateEvent, last: RoundOutcome | null): void {
    if (event.type === "RoundVoided") this.returned.value = last?.back ?? null;
    if (event.type !== "RoundSettled" || last === null) return;
    this.lines.value = new Map(last.lines.map((line) => [line.box, line]));
    const isLost = (line: Line): boolean => (line.back ?? 0) === 0;
    // What everybody is sent of the same settlement may have come first: it waits for this.
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
    const show = (): void => {
      this.tumbled.value = true;
    };
    const scene = this.scene.peek();
    // After the close they are seen rolling as long as that scene stays, and lie covered then.
    if (scene === "closed") this.#next("closed", show, 0);
    else if (BETWEEN.has(scene)) {
      this.#next("tumbled", () => {
        this.#begin();
        show();
      });
    } else show();
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
    this.tumbled.value = false;
  }

  #void({ round, code, sentence, clause }: Omit<Voided, "lang">): void {
    this.lit.value = new Set();
    this.lines.value = new Map();
    this.voided.value = { round, code, sentence, clause, lang: language.peek() };
    this.#over = null;
    this.tumbled.value = false;
  }

  #next(scene: Scene, show: () => void, hold = HOLD[scene] ?? 0): void {
    this.#beats.push({ scene, show, hold });
    if (this.#timer === null) this.#play();
  }

  #drop(scene: Scene): void {
    const at = this.#beats.findIndex((beat) => beat.scene === scene);
    if (at >= 0) this.#beats.splice(at, 1);
  }

  /** Show the next scene, and the one after it when it has been seen. */
  #play(): void {
    this.#timer = null;
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
    });
  }

  /** Show at once everything that still waits. */
  #hurry(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const beat of this.#beats.splice(0)) this.#show(beat);
  }

  /** With nothing left to show, be where the table is: after a snapshot that is all one knows. */
  #catchUp(): void {
    const table = this.#table;
    if (table === null || this.#timer !== null || this.#beats.length > 0) return;
    const scenes = SCENES[table.phase] ?? SCENES["ready"];
    // What this terminal is sent of the settlement may come a moment before everybody is.
    const isPaid = table.phase === "confirmed" && this.net.peek()?.round === table.round;
    if (scenes === undefined || isPaid) return;
    if (scenes.includes(this.scene.peek())) {
      batch(() => this.#agree(table));
      return;
    }
    batch(() => {
      this.#begin();
      this.tumbled.value = table.phase === "tumbled";
      this.scene.value = scenes[0];
      this.faces.value = table.faces;
      this.call.value = callOf(table);
      this.lit.value = new Set(table.winners);
    });
  }

  /** In the scene of the table, show what it has: something may have been missed, or put right since. */
  #agree(table: TableView): void {
    if (BETWEEN.has(this.scene.peek())) return this.#agreeOver(table);
    // Whoever changes the language is sent the same dice anew, in other words.
    if (table.call !== null) this.call.value = callOf(table);
    if (table.faces === null || isSame(table.faces, this.faces.peek())) return;
    this.faces.value = table.faces;
    this.amended.value = null;
    this.lit.value = new Set(table.winners);
  }

  /** The dice of a round that is over stay until they are put right, or it is no longer the last. */
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
