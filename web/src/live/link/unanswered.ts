/** What was asked and is not answered yet: kept, and sent again with the same id until it is. */

import type { Ask, Deal, Done, Grant, Refused, Registered } from "../../protocol.ts";
import { FRAME_MAX } from "../../protocol.ts";
import { steady } from "../clock.ts";
import { delayOf } from "./backoff.ts";
import { sizeOf, writeMessage } from "./wire.ts";

export type Question = Ask | Grant | Deal;
export type Answer = Registered | Refused | Done;

export const UNANSWERED_MAX = 200;
/** What has no answer for so long is asked again: the server may not have been able to tell it. */
const RESEND = { first: 3_000, most: 30_000 };
/** How long after the server said "again". */
const AGAIN = { first: 250, most: 5_000 };

/** What the server cannot say, since it was never asked or never answered. */
export interface OwnSentences {
  tooMany(count: number): string;
  tooLong(): string;
  notConnected(): string;
  unanswered(): string;
}

interface Asked {
  readonly line: string;
  readonly resolve: (answer: Answer) => void;
  /** How often it was sent, and told to come again, on this connection. */
  sent: number;
  again: number;
  /** When it is to be sent next, by the steady clock. */
  next: number;
}

export class Unanswered {
  readonly #asked = new Map<string, Asked>();
  readonly #sentences: OwnSentences;

  constructor(sentences: OwnSentences) {
    this.#sentences = sentences;
  }

  get count(): number {
    return this.#asked.size;
  }

  /** Keep a question until it is answered; beyond a limit it is refused, and was never sent. */
  ask(question: Question): Promise<Answer> {
    const line = writeMessage(question);
    if (this.#asked.size >= UNANSWERED_MAX) {
      return Promise.resolve(refusal(question.id, "TOO_MANY", this.#sentences.tooMany(this.#asked.size)));
    }
    if (sizeOf(line) > FRAME_MAX) {
      return Promise.resolve(refusal(question.id, "TOO_LONG", this.#sentences.tooLong()));
    }
    return new Promise((resolve) => {
      this.#asked.set(question.id, { line, resolve, sent: 0, again: 0, next: steady() });
    });
  }

  /** What is to be sent now; it is taken to be sent. */
  due(): string[] {
    const now = steady();
    const due = [...this.#asked.values()].filter((asked) => asked.next <= now);
    for (const asked of due) {
      asked.next = now + delayOf(RESEND, asked.sent);
      asked.sent += 1;
    }
    return due.map((asked) => asked.line);
  }

  /** In how many milliseconds something is to be sent. */
  nextIn(): number | null {
    if (this.#asked.size === 0) return null;
    return Math.max(0, Math.min(...[...this.#asked.values()].map((asked) => asked.next)) - steady());
  }

  /** Have everything sent again, on a new connection. */
  startOver(): void {
    for (const asked of this.#asked.values()) {
      asked.sent = asked.again = 0;
      asked.next = steady();
    }
  }

  /** Take an answer in; "again" is obeyed, later each time. */
  answer(answer: Answer): void {
    const asked = this.#asked.get(answer.id);
    if (asked === undefined) return;
    if (answer.type === "Refused" && answer.again === true) {
      asked.next = steady() + delayOf(AGAIN, asked.again);
      asked.again += 1;
      return;
    }
    this.#asked.delete(answer.id);
    asked.resolve(answer);
  }

  /** Nobody will answer any more: say so to whoever waits. */
  giveUp(): void {
    for (const [id, asked] of this.#asked) {
      asked.resolve(refusal(id, "UNANSWERED", this.#sentences.unanswered()));
    }
    this.#asked.clear();
  }
}

/** A refusal of our own, for what the server was not asked or did not answer. */
export function refusal(id: string, code: string, sentence: string): Refused {
  return { type: "Refused", id, code, sentence, reason: { code, params: {} } };
}
