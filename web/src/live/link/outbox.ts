/**
 * Holds the requests that have no answer yet, and sends them until they have one.
 *
 * A request is sent again with the same id after a while without an answer, after an answer that
 * says "again", and on every new connection. The server gives the same id the same answer, so a
 * request is carried out once.
 */

import { FRAME_MAX, type Ask, type Deal, type Done, type Grant, type Refused, type Registered } from "../../protocol.ts";
import { steady } from "../clock.ts";
import { delayOf } from "./backoff.ts";
import { noted } from "../../words/said.ts";
import { ownSentences } from "./sentences.ts";
import { framesOf, sizeOf, writeMessage } from "./wire.ts";

type Request = Ask | Grant | Deal;
type Answer = Registered | Refused | Done;

/** The most requests without an answer; more mean a screen with a bug that sends without end. */
const UNANSWERED_MAX = 200;
/** The delay before a request without an answer is sent again. */
const RESEND = { first: 3_000, most: 30_000 };
/** The same after the server said "again". */
const AGAIN = { first: 250, most: 5_000 };

interface Entry {
  readonly line: string;
  readonly resolve: (answer: Answer) => void;
  /** How often it was sent, and answered "again", on this connection. */
  sent: number;
  again: number;
  /** When to send it next, by the steady clock. */
  next: number;
}

export class Outbox {
  readonly #unanswered = new Map<string, Entry>();
  /** Sends a frame over the connection; null while there is no connection. */
  #send: ((frame: string) => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  /** Send a request until it is answered; one that cannot be sent at all is refused here. */
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

  /** Send everything again over a new connection. */
  resume(send: (frame: string) => void): void {
    this.#send = send;
    for (const entry of this.#unanswered.values()) {
      entry.sent = entry.again = 0;
      entry.next = steady();
    }
    this.#sendDue();
  }

  /** The connection is lost: send nothing until `resume`. */
  pause(): void {
    this.#send = null;
    clearTimeout(this.#timer);
  }

  /** Give an answer to its caller; after "again" the request is sent again, later each time. */
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

  /** A table is no longer suspended: soon send again the requests answered "again". */
  hurry(): void {
    for (const entry of this.#unanswered.values()) {
      if (entry.again === 0) continue;
      entry.again = 1;
      entry.next = Math.min(entry.next, steady() + delayOf(AGAIN, 0));
    }
    this.#sendDue();
  }

  /** The link has ended: refuse every request that still waits. */
  end(): void {
    this.pause();
    this.#ended = true;
    for (const [id, { resolve }] of this.#unanswered) {
      resolve(refusal(id, "UNANSWERED", ownSentences.unanswered()));
    }
    this.#unanswered.clear();
  }

  /** Send the requests that are due, now and whenever more become due. */
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

/** A refusal by this client, for a request that was not sent or not answered. */
function refusal(id: string, code: string, sentence: string): Refused {
  return { type: "Refused", id, code, sentence, reason: { code, params: {} } };
}
