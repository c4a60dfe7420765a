/** The state of a Game Console: the desk, and all data the console shows while it is open. */

import { computed, effect, signal, untracked, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";

import type {
  Awaited,
  Gauges,
  IrregularityList,
  LayoutView,
  OddsView,
  Opening,
  PayoutGuide,
  ResultList,
  RulebookContent,
  WordsView,
} from "../answers.ts";
import { get, Problem, roundsOf, type Link } from "../live/index.ts";
import type { AnyPublicEvent } from "../protocol.ts";
import { announce, bell, notify, speak } from "../shell/index.ts";
import { canBeSaidAgain } from "../words/said.ts";
import { language } from "../words/words.ts";
import { capital } from "../words/capital.ts";
import { Fresh } from "./polling.ts";
import { Desk } from "./desk.ts";
import { Recorder } from "./chips/record/recorder.ts";
import { logged, type Entry } from "./history/log.ts";
import type { Taker } from "./keys.ts";
import type { Opened } from "./money/forms/form_name.ts";
import type { Panel } from "./side/tabs.tsx";

/** The least time between two requests for the same data. */
const SOON_MS = 150;
const LATER_MS = 500;
const GAUGES_MS = 1_000;

/** The steps of a gaming day that need a count, each with its form. */
const COUNTS: Readonly<Record<string, "open-day" | "count-drop" | "close-day">> = {
  OpenDay: "open-day",
  CountDrop: "count-drop",
  CloseDay: "close-day",
};

export class Board {
  readonly desk: Desk;
  /** Records the chips at a chip table; unused at other tables. */
  readonly recorder: Recorder;
  readonly log = signal<readonly Entry[]>([]);
  readonly panel: Signal<Panel> = signal("exposure");
  /** The form for the table's money that is open. */
  readonly money = signal<Opened | null>(null);
  /** The bet that is being ruled on: its form stays open, whichever panel is shown. */
  readonly ruling = signal<{ readonly seat: string; readonly box: string } | null>(null);
  /** The irregularity that is being reported. */
  readonly irregularity = signal<string | null>(null);
  /** How many lines of the payout guide are done. */
  readonly walked = signal(0);
  readonly results = signal<ResultList | null>(null);
  readonly layout = signal<LayoutView | null>(null);
  readonly odds = signal<OddsView | null>(null);
  readonly approvals: Fresh<readonly Awaited[]>;
  /** What waits for a second person; null while the server has not said. */
  readonly waiting = computed(() => this.approvals.answer.value.value?.map(({ pending }) => pending) ?? null);
  readonly guide: Fresh<PayoutGuide>;
  readonly gauges: Fresh<Gauges>;
  readonly irregularities: Fresh<IrregularityList>;
  readonly opening: Fresh<Opening>;
  /** Names of irregularities and equipment received so far; boxes come with the layout. */
  readonly names = signal<ReadonlyMap<string, string>>(new Map());
  /** All names in the present language. */
  readonly words = signal<WordsView | null>(null);
  readonly nameOf = (code: string): string => {
    const known = this.words.value;
    const named = this.names.value.get(code) ?? known?.irregularities[code] ?? known?.boxes[code];
    return named ?? this.recorder.nameOf(code);
  };
  /** The component that receives keys 1 to 6 instead of the entry terminal. */
  taker: Taker | null = null;
  readonly takeKeys = (taker: Taker | null): void => {
    this.taker = taker;
  };

  constructor(link: Link, table: string) {
    this.desk = new Desk(link, table);
    this.recorder = new Recorder(this.desk, this.layout);
    const at = `/api/tables/${encodeURIComponent(table)}`;
    this.approvals = new Fresh("/api/approvals", SOON_MS);
    this.guide = new Fresh(`${at}/guide`, SOON_MS);
    this.gauges = new Fresh(`${at}/gauges`, GAUGES_MS);
    this.irregularities = new Fresh(`${at}/irregularities`, LATER_MS);
    this.opening = new Fresh(`${at}/opening`, SOON_MS);
  }

  /** Begin to follow the server; returns a function that stops. */
  follow(): () => void {
    const { desk } = this;
    const ends = [
      desk.link.onStaff((message) => {
        if (message.to !== desk.name) return;
        this.log.value = logged(this.log.value, message);
        for (const event of message.events) desk.receive(event);
        this.approvals.refresh();
        if (message.events.some(({ type }) => type === "IrregularityReported" || type === "RulingRecorded")) {
          this.irregularities.refresh();
        }
      }),
      desk.table.onEvent((event) => this.#announce(event)),
      effect(() => this.#followRules()),
      effect(() => this.#followSteps()),
      effect(() => this.#followBets()),
      effect(() => this.#readResults()),
      effect(() => this.#readNames()),
      effect(() => this.#forgetRefusals()),
      effect(() => this.#openMoney()),
      effect(() => this.#followLanguage()),
    ];
    return () => {
      for (const end of ends) end();
      for (const each of [this.approvals, this.guide, this.gauges, this.irregularities, this.opening]) each.end();
      desk.link.leave(desk.name);
    };
  }

  /** Announce the dealer's calls of an event, and ring the bell. */
  #announce(event: AnyPublicEvent): void {
    switch (event.type) {
      case "BetsOpened":
        // Bets opened by a notice on the terminals have no call.
        if (event.words === null) break;
        announce(event.words);
        speak(event.words);
        break;
      case "BetsClosed":
        bell();
        announce(event.words, "assertive");
        speak(event.words);
        break;
      case "ResultEntered":
      case "ResultAmended":
        announce(event.call);
        speak(event.call);
        break;
      case "VoidAnnounced":
        announce(event.words, "assertive");
        speak(event.words);
        break;
      case "RoundVoided":
        notify(capital(event.sentence), "refused");
        this.walked.value = 0;
        break;
      case "LosersCollected":
      case "RoundSettled":
        this.walked.value = 0;
        break;
      default:
        break;
    }
  }

  /** In a new language remove sentences in the old one, and request again what can be. */
  #followLanguage(): void {
    void language.value;
    untracked(() => {
      const reply = this.desk.reply.value;
      if (reply?.tone === "refused" && !canBeSaidAgain(reply.sentence)) this.desk.reply.value = null;
      this.approvals.refresh();
      if (this.panel.value === "bets") this.gauges.refresh();
      read(get<WordsView>(`/api/words/${language.value}`), this.words);
    });
  }

  /** Request the rules, the layout and its odds whenever the table's rulebook changes. */
  #followRules(): void {
    const name = this.desk.table.view.value?.rulebook;
    void language.value;
    if (name === null || name === undefined) return;
    const fixed = { sha256: name.sha256 };
    const payTable = `/api/pay-tables/${name.pay_table}`;
    read(get<RulebookContent>(`/api/rulebooks/${name.key}`, fixed), this.desk.rules);
    read(get<LayoutView>(`${payTable}/layout`, { language: true, ...fixed }), this.layout);
    read(get<OddsView>(`${payTable}/odds`, { language: true, ...fixed }), this.odds);
  }

  #readResults(): void {
    void language.value;
    read(get<ResultList>("/api/results", { language: true }), this.results);
  }

  #readNames(): void {
    const list = this.irregularities.answer.value.value?.irregularities ?? [];
    const wanted = this.opening.answer.value.value?.wanted ?? [];
    const received = [...wanted, ...list].map((each) => [each.code, each.name] as const);
    this.names.value = new Map([...this.names.peek(), ...received]);
  }

  /** The table's progress as a text, since a new connection sends the same view again. */
  readonly #come = computed(() => {
    const view = this.desk.table.view.value;
    return view && [view.round, view.phase, view.paying, view.faces, view.doubts, view.stopped, view.waiting].join("/");
  });

  /** Remove the sentence of a refusal once the table has moved on. */
  #forgetRefusals(): void {
    void this.#come.value;
    const reply = this.desk.reply.peek();
    if (reply !== null && reply.tone !== "waits") this.desk.reply.value = null;
  }

  /** Open the form of a step that needs a count in the money panel. */
  #openMoney(): void {
    const form = COUNTS[this.desk.opened.value ?? ""];
    if (form === undefined) return;
    this.panel.value = "money";
    this.money.value = { form };
    this.desk.opened.value = null;
  }

  /** After anything but a bet, refresh pending commands, irregularities and the payout guide. */
  #followSteps(): void {
    void this.desk.table.steps.value;
    const phase = this.desk.table.view.value?.phase;
    this.approvals.refresh();
    this.irregularities.refresh();
    // At a chip table the lists come with the chip table's view.
    if (this.#hasGuide() && !this.isChipTable) this.guide.refresh();
    if (phase === "new" || phase === "closed") this.opening.refresh();
  }

  /** Whether this is a chip table, where the dealer records chips. */
  get isChipTable(): boolean {
    return this.desk.table.view.value?.form === "chips";
  }

  /** Whether there is, or was, a result to pay. */
  #hasGuide(): boolean {
    const view = this.desk.table.view.value;
    return view !== null && (view.faces !== null || roundsOf(view).some((round) => !round.void));
  }

  #followBets(): void {
    void this.desk.table.totals.value;
    if (this.panel.value === "bets") this.gauges.refresh();
    if (this.panel.value === "irregularities") this.irregularities.refresh();
  }
}

/** Store an answer in its signal; a refusal is shown as a notice. */
function read<T>(answer: Promise<T>, place: { value: T | null }): void {
  answer.then(
    (received) => {
      place.value = received;
    },
    (error: unknown) => {
      if (error instanceof Problem) notify(error.message, "refused");
      else reportError(error);
    },
  );
}

/** A table's board, which stops when the console is closed. */
export function useBoard(link: Link, table: string): Board {
  const board = useMemo(() => new Board(link, table), [link, table]);
  useEffect(() => board.follow(), [board]);
  return board;
}
