/** What each public event changes in the view of a table, as the Python client has it. */

import type { AnyPublicEvent, RoundSummary, TableView } from "../protocol.ts";

/** Finished rounds that are kept, the newest last. */
export const ROUNDS_KEPT = 120;

type Changes = Partial<TableView>;
/**
 * What an event changes; null when it does not say enough, and a snapshot is wanted. `lies` says
 * whether anything lay on the boxes before it.
 */
type Apply<E> = (view: TableView, event: E, lies: boolean) => Changes | null;

const nothing = (): Changes => ({});
/** The rules and limits in force are only in a snapshot. */
const askAnew = (): null => null;
const goesOn = (): Changes => ({ stopped: null });

/** A result was entered, or put right. */
function entered(_: TableView, event: Pick<TableView, "faces" | "call">): Changes {
  const { faces, call } = event;
  return { phase: "result", faces, call, winners: [], waiting: false, in_doubt: null };
}

type Shown = Pick<RoundSummary, "faces" | "total" | "size" | "parity">;

/** What the dice of a round are on the roads. */
function shown({ faces, total, size, parity }: Shown): Shown {
  return { faces, total, size, parity };
}

const NOT_SHOWN: Shown = { faces: null, total: null, size: null, parity: null };

function ended(view: TableView, summary: RoundSummary): Changes {
  const earlier = view.rounds.filter((each) => each.round !== summary.round);
  return {
    phase: "ready",
    round: summary.round,
    faces: null,
    call: null,
    in_doubt: null,
    winners: [],
    waiting: false,
    rounds: [...earlier, summary].slice(-ROUNDS_KEPT),
  };
}

/** The seats that are taken beside one. */
function others(view: TableView, seat: string): string[] {
  return view.taken.filter((each) => each !== seat);
}

/** The display rack without a colour. */
function withoutColour(view: TableView, colour: string): TableView["marked"] {
  return view.marked.filter((each) => each.colour !== colour);
}

type Named<K> = Extract<AnyPublicEvent, { readonly type: K }>;

const APPLY: { readonly [K in AnyPublicEvent["type"]]: Apply<Named<K>> } = {
  RulebookAdopted: askAnew,
  LimitsSet: askAnew,
  TableOpened: () => ({ phase: "ready", notice_given: false }),
  NoticeGiven: () => ({ notice_given: true }),
  TableClosed: () => ({ phase: "closed" }),
  RoundStarted: (_, event) => ({
    phase: "tumbled",
    round: event.round,
    faces: null,
    call: null,
    winners: [],
  }),
  BetsOpened: () => ({ phase: "betting", paying: false }),
  TumbleRecorded: nothing,
  // A doubt that was lifted is told to staff alone; that the round goes on says it to everybody.
  BetsClosed: () => ({ phase: "no-more-bets", in_doubt: null }),
  ResultsDisagreed: () => ({ waiting: true }),
  ResultEntered: entered,
  ResultAmended: entered,
  ResultConfirmed: (_, event) => ({ phase: "confirmed", winners: event.winners, in_doubt: null }),
  RoundSettled: (view, event, lies) => ({
    ...ended(view, { round: event.round, ...shown(event), void: false }),
    // At a layout the chips still have to move; where none lay there is nothing to wait for.
    paying: view.form === "chips" && lies,
  }),
  RoundVoided: (view, event) => ended(view, { round: event.round, ...NOT_SHOWN, void: true }),
  ChainPublished: (_, event) => ({ commitment: event.commitment }),
  SecretRevealed: nothing,
  ChainAbandoned: nothing,
  IrregularityReported: (_, event) => (event.in_doubt ? { in_doubt: event.code } : {}),
  DoubtLifted: () => ({ in_doubt: null }),
  InterruptionRecorded: (_, event) => (event.ruling === "wait" ? { waiting: true } : {}),
  TableStopped: (_, event) => ({ stopped: event.clause }),
  TableRectified: goesOn,
  SafeProcedureDeclared: goesOn,
  RoundsReversed: (view, event) => ({
    rounds: view.rounds.map((each) =>
      event.rounds.includes(each.round) ? { ...each, void: true } : each,
    ),
  }),
  RoundResettled: (view, event) => ({
    rounds: view.rounds.map((each) =>
      each.round === event.round ? { ...each, ...shown(event) } : each,
    ),
  }),
  SeatTaken: (view, event) => ({ taken: [...others(view, event.seat), event.seat] }),
  SeatLeft: (view, event) => ({
    taken: others(view, event.seat),
    marked: view.marked.filter((each) => each.seat !== event.seat),
  }),
  ColourAssigned: (view, { colour, seat, value }) => ({
    marked: [...withoutColour(view, colour), { colour, seat, value }],
  }),
  ColourReleased: (view, event) => ({ marked: withoutColour(view, event.colour) }),
  WinnersPaid: () => ({ paying: false }),
};

/** The picture after an event; null when only a snapshot can tell, as after one of a newer server. */
export function viewAfter(
  view: TableView,
  event: AnyPublicEvent,
  lies: boolean,
): TableView | null {
  // The table above has for each type what takes in an event of that very type.
  const apply = (APPLY as Readonly<Record<string, Apply<AnyPublicEvent> | undefined>>)[event.type];
  const changes = apply === undefined ? null : apply(view, event, lies);
  return changes === null ? null : { ...view, ...changes };
}

/** Events after which nobody counts down to the close any more. */
export function endsCountdown(event: AnyPublicEvent): boolean {
  return event.type === "BetsClosed" || event.type === "TableClosed" || endsRound(event);
}

/** Events after which nothing lies on any box. */
export function endsRound(event: AnyPublicEvent): boolean {
  return event.type === "RoundSettled" || event.type === "RoundVoided";
}
