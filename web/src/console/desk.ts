/**
 * The dealer's desk: sends the console's commands and keeps the last answer, and holds what the
 * dealer has counted and seen by hand.
 *
 * The server decides the table's state, its steps, and the command of each step.
 */

import { computed, signal, type ReadonlySignal } from "@preact/signals";

import type { RulebookContent } from "../answers.ts";
import type { Link, LiveTable } from "../live/index.ts";
import type { AnyEvent, Refused, Registered, Step, Steps, WireCommand } from "../protocol.ts";
import { ECHO, nextAction, stepOf, type Action } from "./steps/next.ts";

/** The last answer to the desk: why a command was refused, or that it waits for a second person. */
export type Reply =
  | { readonly tone: "refused"; readonly sentence: string; readonly clause: string | null }
  /** Without a time limit (`until`) it waits until a supervisor answers it. */
  | { readonly tone: "waits"; readonly until: number | null }
  | { readonly tone: "declined"; readonly person: string }
  | { readonly tone: "flat-first" }
  /** Some lines of the lists are not ticked off; a second press goes on all the same. */
  | { readonly tone: "unticked" };

/** A line of the lists that is not ticked off: its key, and its words in the present language. */
export interface Unticked {
  readonly about: string;
  readonly words: string;
}

/** Commands that report the lists as done. */
const BY_LISTS: ReadonlySet<string> = new Set(["CollectLosers", "Settle"]);

export class Desk {
  readonly link: Link;
  readonly name: string;
  readonly table: LiveTable;
  /** The rules in force, once they have been received. */
  readonly rules = signal<RulebookContent | null>(null);
  /** Tumbles counted and not recorded yet. */
  readonly tumbles = signal(0);
  /** The round whose dice the dealer has found flat. */
  readonly flatRound = signal<number | null>(null);
  /** Whether the payout guide is worked through line by line before settling. */
  readonly walking = signal(false);
  /** The step whose form is open, because it needs more than a press. */
  readonly opened = signal<string | null>(null);
  readonly reply = signal<Reply | null>(null);
  /** Commands that were sent and are not answered. */
  readonly unanswered = signal<ReadonlySet<string>>(new Set());
  readonly steps: ReadonlySignal<readonly Step[]>;
  /** The last faces pressed, as the server has received them. */
  readonly echo: ReadonlySignal<readonly number[]>;
  /** The result, if it differs from the faces pressed: a wrong entry was corrected [div9 7.2]. */
  readonly putRight: ReadonlySignal<readonly number[] | null>;
  readonly action: ReadonlySignal<Action>;
  /** Whether the line for keying bets has the focus. */
  readonly typing = signal(false);
  /** The lines of the present list that are not ticked off. */
  readonly unticked = signal<readonly Unticked[]>([]);
  /** The lines of the last warning that they are not ticked off. */
  #warned = "";
  /** Actions keyed at the entry terminal, each waiting for the answer to the one before. */
  readonly #keyed: (() => Promise<boolean>)[] = [];
  #isKeying = false;
  /** Faces pressed since the server last sent its steps, and in which phase of the round. */
  #ahead: { readonly faces: number; readonly phase: string } | null = null;
  /** The steps when the last answer came: they may be too old to refuse the next command by. */
  #before: Steps | null = null;
  /** Resolves when every command has been answered. */
  #answered: Promise<unknown> = Promise.resolve();

  constructor(link: Link, name: string) {
    this.link = link;
    this.name = name;
    this.table = link.table(name);
    this.steps = computed(() => this.table.steps.value?.steps ?? []);
    this.echo = computed(() => this.table.steps.value?.pressed ?? []);
    this.putRight = computed(() => {
      const result = this.table.view.value?.faces ?? null;
      const isAsPressed = result?.join() === this.echo.value.toSorted().join();
      return this.echo.value.length === 0 || isAsPressed ? null : result;
    });
    this.action = computed(() =>
      nextAction(this.table.steps.value, {
        tumbles: this.tumbles.value,
        covered: this.covered,
        flat: this.flatRound.value === this.table.view.value?.round,
        walking: this.walking.value,
      }),
    );
  }

  /** Whether the dice are under a cover until the bets are closed. */
  get covered(): boolean {
    return this.rules.value?.procedure.tumble.cover === "covered";
  }

  /** The server's time. */
  readonly now = (): number => this.link.now();

  /** Hand the table over to the automatic dealer, or take it over. */
  async deal(automatic: boolean): Promise<void> {
    const answer = await this.link.deal(this.name, automatic);
    this.reply.value =
      answer.type === "Refused"
        ? { tone: "refused", sentence: answer.sentence, clause: answer.clause ?? null }
        : null;
  }

  /** Send a command to the server, and show its answer. */
  async ask(command: WireCommand): Promise<Registered | Refused> {
    this.unanswered.value = new Set([...this.unanswered.value, command.type]);
    const asked = this.link.ask(this.name, command);
    this.#answered = Promise.all([this.#answered, asked]);
    try {
      const answer = await asked;
      this.reply.value = replyOf(answer);
      return answer;
    } finally {
      this.#before = this.table.steps.peek();
      this.unanswered.value = new Set([...this.unanswered.value].filter((each) => each !== command.type));
    }
  }

  /** Receive the outcome of a command that waited for a second person. */
  receive(event: AnyEvent): void {
    if (this.reply.value?.tone !== "waits") return;
    if (event.type === "CommandApproved") this.reply.value = null;
    if (event.type === "CommandDeclined") this.reply.value = { tone: "declined", person: event.by.person };
  }

  /** Show why a step is refused; nothing is sent, since the server has already refused it. */
  refuse(step: Step): void {
    this.reply.value = { tone: "refused", sentence: step.sentence ?? step.label, clause: step.clause ?? null };
  }

  /** Take a step: send its command, open its form, or show why it is refused. */
  take(step: Step): void {
    if (step.standing === "refused") this.refuse(step);
    else if (this.unanswered.value.has(step.command)) return;
    else if (this.#warns(step)) return;
    else if (step.command === "RecordTumble") this.tumble(step);
    else if (step.give == null) this.open(step.command);
    else void this.ask(rung(step.give));
  }

  /** Warn once of lines that are not ticked off, before a step reports the list as done. */
  #warns({ command }: Step): boolean {
    const lines = BY_LISTS.has(command) ? this.unticked.value : [];
    const about = lines.length === 0 ? "" : [command, ...lines.map((line) => line.about)].join("\n");
    const isNew = about !== "" && about !== this.#warned;
    this.#warned = about;
    if (isNew) this.reply.value = { tone: "unticked" };
    return isNew;
  }

  /** Open or close the form of a step. */
  open(command: string): void {
    this.reply.value = null;
    this.opened.value = this.opened.value === command ? null : command;
  }

  /** Take a step by the name of its command; without such a step nothing happens. */
  takeNamed(command: string): void {
    const step = stepOf(this.steps.value, command);
    if (step !== null) this.take(step);
  }

  /** Count a tumble; it is reported when there are enough. */
  tumble(step: Step): void {
    if (step.standing === "refused") return this.refuse(step);
    this.reply.value = null;
    this.tumbles.value += 1;
  }

  /** Report the tumbles counted, and how the dice lie. */
  async recordTumble(found: { readonly flat: boolean; readonly concealed: boolean }): Promise<void> {
    if (this.unanswered.value.has("RecordTumble")) return;
    const answer = await this.ask({ type: "RecordTumble", times: this.tumbles.value, ...found });
    if (answer.type === "Registered") this.tumbles.value = 0;
  }

  /** Note that all dice of this round lie flat. */
  seenFlat(): void {
    this.reply.value = null;
    this.flatRound.value = this.table.view.value?.round ?? null;
  }

  /** Tell the dealer to check first whether the dice lie flat. */
  seeFlatFirst(): void {
    this.reply.value = { tone: "flat-first" };
  }

  /** Whether faces were pressed that the server's steps do not show yet. */
  get isAhead(): boolean {
    return this.#isKeying || (this.#ahead?.phase === this.#phase && !this.#knows);
  }

  get #phase(): string {
    const view = this.table.view.value;
    return `${view?.round} ${view?.phase}`;
  }

  /** Press a face of the entry terminal. */
  press(face: number): void {
    void this.#inTurn(async () => {
      if (!this.#mayAsk("PressFace")) return false;
      const before = this.#knows ? 0 : (this.#ahead?.faces ?? 0);
      const answer = await this.ask({ type: "PressFace", face });
      const isDone = answer.type === "Registered";
      this.#ahead = isDone ? { faces: before + 1, phase: this.#phase } : null;
      return isDone;
    });
  }

  /** Press the entry button: the server enters the last three faces that were pressed. */
  enter(): void {
    void this.#inTurn(async () => {
      if (!this.#mayAsk("EnterResult")) return false;
      // The dice are open and are about to count: first the dealer says whether they lie flat.
      const isFlat = !this.covered || this.flatRound.value === this.table.view.value?.round;
      const pressed = this.echo.value.length + (this.#knows ? 0 : (this.#ahead?.faces ?? 0));
      if (!isFlat && pressed >= ECHO) {
        this.seeFlatFirst();
        return false;
      }
      this.#ahead = null;
      return (await this.ask({ type: "EnterResult" })).type === "Registered";
    });
  }

  /** Whether new steps have come since the last answer. */
  get #knows(): boolean {
    return this.table.steps.value !== this.#before;
  }

  /** Whether to send a command; if the server has refused its step in advance, show why. */
  #mayAsk(command: string): boolean {
    const step = stepOf(this.steps.value, command);
    if (step?.standing !== "refused" || !this.#knows) return true;
    this.refuse(step);
    return false;
  }

  /**
   * Carry out keyed actions in their order, each after the answer to the one before.
   *
   * Hands are faster than the network, so actions are queued and none is lost. After a refusal the
   * rest of the queue is dropped: it was meant for other dice.
   */
  async #inTurn(act: () => Promise<boolean>): Promise<void> {
    this.#keyed.push(act);
    if (this.#isKeying) return;
    this.#isKeying = true;
    try {
      for (let next = this.#keyed.shift(); next !== undefined; next = this.#keyed.shift()) {
        if (this.unanswered.value.size > 0) await this.#answered;
        if (!(await next())) this.#keyed.length = 0;
      }
    } finally {
      this.#isKeying = false;
    }
  }
}

function replyOf(answer: Registered | Refused): Reply | null {
  if (answer.type === "Refused") {
    return { tone: "refused", sentence: answer.sentence, clause: answer.clause ?? null };
  }
  return answer.pending == null ? null : { tone: "waits", until: answer.expires ?? null };
}

/** Add the bell to the close: this console always rings it, even if the rulebook does not ask. */
function rung(command: WireCommand): WireCommand {
  return command.type === "CloseBets" ? { ...command, bell: true } : command;
}
