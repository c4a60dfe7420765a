/**
 * Requests that have no answer yet, and sending them until they have one.
 *
 * A request is kept with its id, and sent again with the same id: after a while without an answer,
 * after an answer that says "again", and on every new connection. The server answers an id that it
 * knows as it did before, so whatever is asked is done once.
 */

import { FRAME_MAX, type Ask, type Deal, type Done, type Grant, type Refused, type Registered } from "../../protocol.ts";
import { steady } from "../clock.ts";
import { delayOf } from "./backoff.ts";
import { noted } from "../../words/said.ts";
import { ownSentences } from "./sentences.ts";
import { framesOf, sizeOf, writeMessage } from "./wire.ts";

type Request = Ask | Grant | Deal;
type Answer = Registered | Refused | Done;

/** Requests without an answer; more are the mistake of a screen that sends without end. */
const UNANSWERED_MAX = 200;
/** How long without an answer before a request is sent again. */
const RESEND = { first: 3_000, most: 30_000 };
/** How long after the server said "again". */
const AGAIN = { first: 250, most: 5_000 };

interface Entry {
  readonly line: string;
  readonly resolve: (answer: Answer) => void;
  /** How often it was sent, and answered with "again", on this connection. */
  sent: number;
  again: number;
  /** When it is to be sent next, by the steady clock. */
  next: number;
}

export class Outbox {
  readonly #unanswered = new Map<string, Entry>();
  /** Sends a frame over the connection; null while there is none. */
  #send: ((frame: string) => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  /** Send a request until it is answered; what cannot be sent at all is refused here. */
  ask(request: Ask | Grant): Promise<Registered | Refused>;
  ask(request: Deal): Promise<Done | Refused>;
  ask(request: Request): Promise<Answer> {
    const line = writeMessage(request);
    const count = this.#unanswered.size;
    const refuse = (code: string, sentence: string): Promise<Refused> =>
      Promise.resolve(refusal(request.id, code, sentence));
    if (this.#ended) return refuse("NOT_CONNECTED", ownSentences.notConnected());
    if (count >= UNANSWERED_MAX) return refuse("TOO_MANY", ownSentences.tooMany(count));
    if (sizeOf(line) > FRAME_MAX) return refuse("TOO_LONG", ownSentences.tooLong());
    return new Promise((resolve) => {
      this.#unanswered.set(request.id, { line, resolve, sent: 0, again: 0, next: steady() });
      this.#sendDue();
    });
  }

  /** There is a new connection: send everything over it. */
  resume(send: (frame: string) => void): void {
    this.#send = send;
    for (const entry of this.#unanswered.values()) {
      entry.sent = entry.again = 0;
      entry.next = steady();
    }
    this.#sendDue();
  }

  /** There is no connection for now: send nothing. */
  pause(): void {
    this.#send = null;
    clearTimeout(this.#timer);
  }

  /** Hand an answer to whoever asked; "again" is obeyed, later each time. */
  receive(answer: Answer): void {
    const entry = this.#unanswered.get(answer.id);
    if (entry === undefined) return;
    if (answer.type === "Refused") noted(answer.sentence, answer.reason);
    if (answer.type === "Refused" && answer.again === true) {
      entry.next = steady() + delayOf(AGAIN, entry.again);
      entry.again += 1;
    } else {
      this.#unanswered.delete(answer.id);
      entry.resolve(answer);
    }
    this.#sendDue();
  }

  /** What the server put off requests for is over: send them soon. */
  hurry(): void {
    for (const entry of this.#unanswered.values()) {
      if (entry.again === 0) continue;
      entry.again = 1;
      entry.next = Math.min(entry.next, steady() + delayOf(AGAIN, 0));
    }
    this.#sendDue();
  }

  /** Nobody will answer any more: say so to whoever waits. */
  end(): void {
    this.pause();
    this.#ended = true;
    for (const [id, { resolve }] of this.#unanswered) {
      resolve(refusal(id, "UNANSWERED", ownSentences.unanswered()));
    }
    this.#unanswered.clear();
  }

  /** Send what is due, now and whenever more is. */
  #sendDue(): void {
    clearTimeout(this.#timer);
    if (this.#send === null) return;
    const now = steady();
    const due = [...this.#unanswered.values()].filter((entry) => entry.next <= now);
    for (const entry of due) {
      entry.next = now + delayOf(RESEND, entry.sent);
      entry.sent += 1;
    }
    for (const frame of framesOf(due.map(({ line }) => line))) this.#send(frame);
    if (this.#unanswered.size === 0) return;
    const next = Math.min(...[...this.#unanswered.values()].map((entry) => entry.next));
    this.#timer = setTimeout(() => {
      this.#sendDue();
    }, Math.max(0, next - steady()));
  }
}

/** A refusal of our own, for what the server was not asked or did not answer. */
function refusal(id: string, code: string, sentence: string): Refused {
  return { type: "Refused", id, code, sentence, reason: { code, params: {} } };
}
