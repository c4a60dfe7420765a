/** Asking over a link: each question with one id, sent until it is answered. */

import type {
  ClearBets,
  Done,
  PlaceBets,
  Refused,
  Registered,
  WireCommand,
  WithdrawBets,
} from "../../protocol.ts";
import { serverClock } from "../clock.ts";
import { ownSentences } from "./sentences.ts";
import type { Table } from "../table_picture.ts";
import { refusal, Unanswered, type Answer, type Question } from "./unanswered.ts";
import { framesOf } from "./wire.ts";

/** What asking needs of its link. */
export interface Askable {
  readonly live: boolean;
  readonly ended: boolean;
  find(table: string): Table | undefined;
  send(frame: string): void;
}

export class Asking {
  readonly #link: Askable;
  readonly #unanswered = new Unanswered(ownSentences);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(link: Askable) {
    this.#link = link;
  }

  async ask(to: string, command: WireCommand): Promise<Registered | Refused> {
    const meant = this.#inItsRound(to, command);
    return kept(await this.#answerTo({ type: "Ask", to, id: serverClock.newId(), command: meant }));
  }

  async grant(to: string, pending: string, version: number, pin: string): Promise<Registered | Refused> {
    const id = serverClock.newId();
    return kept(await this.#answerTo({ type: "Grant", to, id, pending, version, pin }));
  }

  async deal(table: string, automatic: boolean): Promise<Done | Refused> {
    const id = serverClock.newId();
    const answer = await this.#answerTo({ type: "Deal", table, id, automatic });
    if (answer.type === "Registered") throw new Error("Who deals is not kept in the journal.");
    return answer;
  }

  answer(answer: Answer): void {
    this.#unanswered.answer(answer);
  }

  /** On a new line everything is asked again. */
  startOver(): void {
    this.#unanswered.startOver();
  }

  /** Send what is due, now and whenever more is. */
  sendDue(): void {
    this.rest();
    if (!this.#link.live) return;
    for (const frame of framesOf(this.#unanswered.due())) this.#link.send(frame);
    const wait = this.#unanswered.nextIn();
    if (wait === null) return;
    this.#timer = setTimeout(() => {
      this.sendDue();
    }, wait);
  }

  /** Send nothing for now. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  giveUp(): void {
    this.rest();
    this.#unanswered.giveUp();
  }

  #answerTo(question: Question): Promise<Answer> {
    if (this.#link.ended) {
      return Promise.resolve(refusal(question.id, "NOT_CONNECTED", ownSentences.notConnected()));
    }
    const answer = this.#unanswered.ask(question);
    this.sendDue();
    return answer;
  }

  /**
   * Have a bet name the round one sees.
   *
   * Its answer may be lost, and it is sent again then: it is taken into that round or into none.
   */
  #inItsRound(to: string, command: WireCommand): WireCommand {
    if (!ofARound(command)) return command;
    const view = this.#link.find(to)?.view.peek();
    return view?.phase === "betting" ? { ...command, round: view.round } : command;
  }
}

function ofARound(command: WireCommand): command is PlaceBets | WithdrawBets | ClearBets {
  return ["PlaceBets", "WithdrawBets", "ClearBets"].includes(command.type);
}

function kept(answer: Answer): Registered | Refused {
  if (answer.type === "Done") throw new Error("A command is kept in the journal.");
  return answer;
}
