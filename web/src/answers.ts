// Written by `python -m tools.protocol_pages --write`; not edited by hand.

import type {
  AcceptClock,
  AdoptDepartures,
  AdoptRulebook,
  AdvisePlayer,
  AmendResult,
  AnnounceVoid,
  Apart,
  AssignColour,
  BarTerminal,
  BoxChips,
  BoxStake,
  BuyChips,
  BuyColour,
  CashOut,
  ClearBets,
  ClearLock,
  CloseBets,
  CloseDay,
  CloseShift,
  CloseTable,
  CollectLosers,
  ConfirmResult,
  ConvertColour,
  CorrectRecord,
  CorrectSettledRound,
  CountDrop,
  DeclareOutcome,
  DeclareSafeProcedure,
  Decline,
  Departure,
  EndOwnLimits,
  EndSession,
  EnterResult,
  EnterRoundByHand,
  Equipment,
  ExchangeChips,
  Faces,
  FindUndamaged,
  GiveNotice,
  Language,
  LeaveSeat,
  LiftBar,
  LiftCover,
  LimitsAsked,
  MarkTerminalFailed,
  MarkedColour,
  OpenBets,
  OpenDay,
  OpenShift,
  OpenTable,
  PayUnclaimed,
  Pieces,
  PlaceBets,
  PlaceTable,
  Posting,
  PressFace,
  PutBetRight,
  ReadSeal,
  ReceiveCredit,
  ReceiveFill,
  RecordBets,
  RecordInterruption,
  RecordRecovery,
  RecordTumble,
  Rectify,
  RefuseLateBet,
  RegisterDice,
  RegisterEquipment,
  RejectExcess,
  ReleaseColour,
  RenameVenue,
  ReportDamage,
  ReportIrregularity,
  ResumePlay,
  ReturnCredit,
  ReturnFill,
  ReturnTerminal,
  Role,
  RoundSummary,
  Rule,
  RuleOnBet,
  RulebookName,
  RunTest,
  SeatPaid,
  SeatStack,
  SendCredit,
  SendFill,
  SeparateStack,
  SetLimits,
  SetOwnLimits,
  SetVoucherTerms,
  SetWinAside,
  Settle,
  SignLine,
  Step,
  SwitchOn,
  TableView,
  TakeBackBets,
  TakeSeat,
  TakeVoucher,
  TerminalKey,
  TryTumbler,
  VerifyTest,
  VoidSettledRounds,
  WireCommand,
  WithdrawBets,
  WithdrawEquipment,
} from "./protocol.ts";

export type {
  AcceptClock,
  AdoptDepartures,
  AdoptRulebook,
  AdvisePlayer,
  AmendResult,
  AnnounceVoid,
  Apart,
  AssignColour,
  BarTerminal,
  BoxChips,
  BoxStake,
  BuyChips,
  BuyColour,
  CashOut,
  ClearBets,
  ClearLock,
  CloseBets,
  CloseDay,
  CloseShift,
  CloseTable,
  CollectLosers,
  ConfirmResult,
  ConvertColour,
  CorrectRecord,
  CorrectSettledRound,
  CountDrop,
  DeclareOutcome,
  DeclareSafeProcedure,
  Decline,
  Departure,
  EndOwnLimits,
  EndSession,
  EnterResult,
  EnterRoundByHand,
  Equipment,
  ExchangeChips,
  Faces,
  FindUndamaged,
  GiveNotice,
  Language,
  LeaveSeat,
  LiftBar,
  LiftCover,
  LimitsAsked,
  MarkTerminalFailed,
  MarkedColour,
  OpenBets,
  OpenDay,
  OpenShift,
  OpenTable,
  PayUnclaimed,
  Pieces,
  PlaceBets,
  PlaceTable,
  Posting,
  PressFace,
  PutBetRight,
  ReadSeal,
  ReceiveCredit,
  ReceiveFill,
  RecordBets,
  RecordInterruption,
  RecordRecovery,
  RecordTumble,
  Rectify,
  RefuseLateBet,
  RegisterDice,
  RegisterEquipment,
  RejectExcess,
  ReleaseColour,
  RenameVenue,
  ReportDamage,
  ReportIrregularity,
  ResumePlay,
  ReturnCredit,
  ReturnFill,
  ReturnTerminal,
  Role,
  RoundSummary,
  Rule,
  RuleOnBet,
  RulebookName,
  RunTest,
  SeatPaid,
  SeatStack,
  SendCredit,
  SendFill,
  SeparateStack,
  SetLimits,
  SetOwnLimits,
  SetVoucherTerms,
  SetWinAside,
  Settle,
  SignLine,
  Step,
  SwitchOn,
  TableView,
  TakeBackBets,
  TakeSeat,
  TakeVoucher,
  TerminalKey,
  TryTumbler,
  VerifyTest,
  VoidSettledRounds,
  WireCommand,
  WithdrawBets,
  WithdrawEquipment,
};

/** A new table: what it is called, where its dice come from, and its chips if it has any. */
export interface TableAsked {
  readonly id: string;
  readonly table: string;
  readonly tumbler?: "keyed" | "reader" | "simulated" | "verifiable";
  readonly read_by_dealer_too?: boolean;
  /** A win above this locks the terminal until an attendant comes. */
  readonly handpay_threshold?: number | null;
  /** Without it the table has terminals. */
  readonly chips?: ChipsAsked | null;
}

/** The chips of a chip table: values from the smallest up, seats, and colours of players. */
export interface ChipsAsked {
  readonly values: readonly number[];
  readonly seats: number;
  readonly colours?: readonly string[];
  readonly pieces?: number;
}

/** A command that somebody thinks of giving. */
export interface PreviewAsked {
  readonly command: VoidSettledRounds | CorrectSettledRound | Rule | MarkTerminalFailed | ReturnTerminal | EndSession | RuleOnBet | EnterRoundByHand | DeclareOutcome | LeaveSeat;
}

/** A session to be ended, and why. */
export interface EndAsked {
  readonly id: string;
  readonly terminal: string;
  readonly note: string;
}

/** A voucher put into the terminal. */
export interface Taking {
  readonly id: string;
  readonly number: string;
}

/** Reasons that stand on a page in another language. */
export interface ReasonsAsked {
  readonly reasons: readonly ReasonAsked[];
}

/** Why something was so: the code of a refusal, and what fills the blanks of its sentence. */
export interface ReasonAsked {
  readonly code: string;
  readonly params?: { readonly [name: string]: string | number };
}

/** Who logs in, and in which of their roles. */
export interface LogIn {
  readonly person: string;
  readonly password: string;
  readonly role: string;
}

/** Somebody new on the staff. */
export interface Appointment {
  readonly id: string;
  readonly person: string;
  readonly roles: readonly string[];
}

/** The roles that a person has from now on, in place of those they had. */
export interface RolesAsked {
  readonly id: string;
  readonly roles: readonly string[];
}

/** What is asked for about the person whom the address names. */
export interface OfStaff {
  readonly id: string;
}

/** A person's new password and PIN, set with a one-time code. */
export interface NewCredentials {
  readonly code: string;
  readonly password: string;
  readonly pin: string;
}

/** A new Player Terminal of a table, and where it stands. */
export interface Enrolment {
  readonly id: string;
  readonly terminal: string;
  readonly place: string;
}

/** A key is asked for; after a second person's approval it is asked for with the same id. */
export interface KeyAsked {
  readonly id: string;
}

/** A machine that waits asks whether it has been given its key. */
export interface EnrolmentAsked {
  readonly code: string;
  readonly secret: string;
}

/** A terminal's key for the machine that shows a code; asked again with the same id. */
export interface KeyToCode {
  readonly id: string;
  readonly code: string;
}

/** The second person's approval of exactly this, with their own PIN. */
export interface GrantAsked {
  readonly to: string;
  readonly id: string;
  readonly pending: string;
  readonly version: number;
  readonly pin: string;
}

/** The second person does not agree; what lasts is declined with a reason. */
export interface DeclineAsked {
  readonly to: string;
  readonly id: string;
  readonly pending: string;
  readonly note?: string;
}

/** A voucher to be sold over the counter. */
export interface Sale {
  readonly id: string;
  readonly value: number;
  readonly place?: string;
}

/** A voucher to be paid in cash. */
export interface Payment {
  readonly id: string;
  readonly number: string;
}

/** A sale to be taken back, and why. */
export interface Voiding {
  readonly id: string;
  readonly number: string;
  readonly note: string;
}

/** A voucher that somebody holds, to be looked at. */
export interface Presented {
  readonly number: string;
}

/** A win that locked a terminal, to be paid by hand to who has the code of its session. */
export interface HandPay {
  readonly id: string;
  readonly table: string;
  readonly terminal: string;
  readonly code: string;
}

/** The code of a session, as its player has it on a voucher or read it on the screen. */
export interface Claim {
  readonly code: string;
}

/** The code of a session, as its player has it on a voucher or read it on the screen. */
export interface SessionAsked {
  readonly code: string;
}

/** A round of the session of a code. */
export interface ReceiptAsked {
  readonly code: string;
  readonly round: number;
}

/** Somebody has seen an alert, and may say what they found. */
export interface AlertSeen {
  readonly id: string;
  readonly note?: string;
}

/** An alert is to be in the hands of a person: one's own, or somebody's a manager names. */
export interface AlertGiven {
  readonly id: string;
  readonly person: string;
  readonly note?: string;
}

/** A node is to leave all that it has. */
export interface DrainAsked {
  readonly id: string;
}

/** A stream is to go to a node, once it is at rest. */
export interface MoveAsked {
  readonly id: string;
  readonly stream: string;
}

/** What `taisai witness sign` wrote. */
export interface CosignedAsked {
  readonly number: number;
  readonly hash: string;
  readonly at: number;
  readonly public: string;
  readonly signature: string;
}

/** A venue and its first two persons: the first has the first half of the code. */
export interface FoundingAsked {
  readonly venue: VenueAsked;
  readonly first: FounderAsked;
  readonly second: FounderAsked;
}

/** What a venue is founded with; its currency is settled for good. */
export interface VenueAsked {
  readonly name: string;
  readonly currency: string;
  /** Who operates it, as the approvals of rulebooks name them; empty: nobody. */
  readonly operator?: string;
  readonly voucher_days?: number;
  /** A voucher sold or paid above this takes two persons. */
  readonly approve_above?: number | null;
  readonly day_starts?: number;
  readonly time_zone?: string;
}

/** One of the first two persons: their half of the printed code, and their password and PIN. */
export interface FounderAsked {
  readonly person: string;
  readonly roles: readonly string[];
  readonly half: string;
  readonly password: string;
  readonly pin: string;
}

/** In which role somebody wants to try the venue. */
export interface DemoStaff {
  readonly role: "auditor" | "cage" | "dealer" | "pit-manager" | "shift-manager" | "supervisor" | "technician";
}

/** Where somebody wants to play. */
export interface DemoSeat {
  readonly table?: string | null;
}

/** How many want to play, and where; without a table, at all of them in turn. */
export interface DemoSeats {
  readonly count: number;
  readonly table?: string | null;
}

/**
 * An error: what is wrong in one sentence, and a code for programs.
 *
 * `type` leads to the sentence of a refusal's code, and `params` fill its blanks; `clause` is
 * the rulebook's. With `incident` the fault is ours, and the number is in the log.
 */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly clause?: string | null;
  readonly errors?: readonly RequestFault[];
  readonly incident?: string | null;
  readonly params?: { readonly [name: string]: number | string };
}

/** What is wrong with a part of a request. */
export interface RequestFault {
  readonly message: string;
  readonly key?: string;
  readonly source?: "" | "body" | "cookie" | "header" | "path" | "query";
}

/** The venue: what it is called, the money it deals in, its tables and where to watch them. */
export interface VenueView {
  readonly name: string;
  readonly currency: string;
  readonly demo: boolean;
  /** The venue's time: ids of commands begin with it. */
  readonly at: number;
  readonly tables: readonly string[];
  readonly protocol: number;
  readonly languages: readonly string[];
  readonly live: string;
  /** Whether it has its first two persons; until then it waits for them, and is nothing else. */
  readonly founded: boolean;
}

/** A command carried out and durable, as these versions of the journal. */
export interface Carried {
  readonly first: number;
  readonly last: number;
  readonly at: number;
}

/** A table in a list of tables: what somebody wants to know who chooses one. */
export interface TableEntry {
  readonly table: string;
  readonly phase: string;
  readonly round: number;
  readonly suspended: boolean;
  readonly dealer: "automatic" | "person";
  readonly title: string | null;
  readonly pay_table: string | null;
  /** Who publishes the rulebook, and in which version. */
  readonly publisher: string | null;
  readonly version: string | null;
  readonly layout: string | null;
  /** Betting boxes of the pay table. */
  readonly boxes: number;
  readonly limits: LimitsAsked | null;
  readonly tumbler: string | null;
  /** Player Terminals of the table, and those that are connected */
  readonly terminals: number;
  readonly connected: number;
  /** The last round with a result. */
  readonly last: FinishedRound | null;
  /** Played from Player Terminals, or with chips on a chip table. */
  readonly form: "chips" | "terminals";
}

/** A finished round as the roads show it, with the dealer's call. */
export interface FinishedRound {
  readonly round: number;
  readonly faces: Faces | null;
  readonly void: boolean;
  readonly total: number | null;
  readonly size: "big" | "small" | "triple" | null;
  readonly parity: "even" | "odd" | "triple" | null;
  readonly call: string | null;
}

/** Finished rounds, the newest first; `before` asks for the ones before them. */
export interface FinishedRounds {
  readonly table: string;
  readonly rounds: readonly FinishedRound[];
  readonly before: number | null;
}

/** What the rounds that a table keeps come to; information only, as the note says. */
export interface Statistics {
  readonly table: string;
  readonly rounds: number;
  readonly note: string;
  /** The clause of the table's rulebook that says so, where it has one. */
  readonly clause: string | null;
  readonly totals: readonly Counted[];
  readonly faces: readonly Counted[];
  readonly sizes: readonly Counted[];
  readonly parities: readonly Counted[];
  readonly hot: readonly BoxCount[];
  readonly cold: readonly BoxCount[];
  /** Every box of the pay table, in its order. */
  readonly boxes: readonly BoxCount[];
  /** The newest first. */
  readonly results: readonly FinishedRound[];
}

/** How often something was seen, and how often fair dice show it. */
export interface Counted {
  readonly name: string;
  readonly seen: number;
  readonly expected: Expected;
}

/** What is expected on average: exactly, and to one decimal. */
export interface Expected {
  readonly exact: string;
  readonly rounded: string;
}

/** How often a box won, and how far that is from expectation, in standard errors. */
export interface BoxCount {
  readonly box: string;
  readonly name: string;
  readonly seen: number;
  readonly expected: Expected;
  readonly errors: number;
  /** Rounds since the box last won; null where it has not won in these rounds. */
  readonly since: number | null;
  /** The longest row of rounds in which it did not win. */
  readonly longest: number;
}

/** A house as it is set up: what it was founded with, its tables and their machines. */
export interface HouseFloor {
  readonly name: string;
  readonly operator: string;
  readonly currency: string;
  readonly demo: boolean;
  readonly voucher_days: number;
  readonly approve_above: number | null;
  readonly day_starts: number;
  readonly time_zone: string;
  readonly tables: readonly FloorTable[];
}

/** A table as it is set up: what it plays by, its dice and devices, its machines. */
export interface FloorTable {
  readonly table: string;
  readonly form: "chips" | "terminals";
  readonly phase: string;
  readonly equipment: Equipment;
  readonly title: string | null;
  readonly pay_table: string | null;
  readonly dice_set: string | null;
  readonly handpay_threshold: number | null;
  /** The limits in force; none before two persons have set some. */
  readonly limits: LimitsAsked | null;
  /** Column and row on the map of the floor, where it has a place there. */
  readonly place: readonly [number, number] | null;
  /** Equipment that is registered there, by what it is: its number or name. */
  readonly registered: { readonly [name: string]: string };
  /** Written departures: those of the plan, and those that two persons adopted. */
  readonly planned_departures: readonly Departure[];
  readonly adopted_departures: readonly Departure[];
  /** Which rulebooks it could be played by with a written departure alone, and from what. */
  readonly outside: readonly Outside[];
  readonly terminals: readonly Machine[];
}

/** In which way a table is not what a rulebook is approved for [D30]. */
export interface Outside {
  readonly rulebook: string;
  readonly aspect: "date" | "dice" | "form" | "operator";
  /** What the rulebook is approved for, and what is here. */
  readonly approved: string;
  readonly here: string;
}

/** A Player Terminal as a machine: where it stands, whether it is there, and what is wrong. */
export interface Machine {
  readonly terminal: string;
  readonly place: string;
  /** Whether it was ever given a key. */
  readonly keyed: boolean;
  /** Whether it was withdrawn: none of its keys is good until it is given another. */
  readonly withdrawn: boolean;
  readonly connected: boolean;
  /**
   * Since when it is connected, or was when it came last; null: not since the venue was started.
   */
  readonly since: number | null;
  /** When it was last heard. */
  readonly seen: number | null;
  /** From which address it came last. */
  readonly address: string;
  /** By which program; of a page, the file it began with. */
  readonly client: string;
  /** Whether its page is the one this venue has now; null where it is no page. */
  readonly current: boolean | null;
  /** Whether staff have taken it out of service. */
  readonly failed: boolean;
  readonly barred: boolean;
  readonly locked: boolean;
  /** When its key was last seen in two hands at once [D38]. */
  readonly doubled: number | null;
}

/** Every result there is, in the order in which exposure is shown. */
export interface ResultList {
  readonly language: Language;
  readonly results: readonly ResultView[];
}

/** One of the 56 distinct results: its faces, their total, how many throws of 216 show it. */
export interface ResultView {
  readonly faces: Faces;
  readonly total: number;
  readonly ways: number;
  readonly call: string;
  readonly triple: boolean;
}

/** What can go wrong at a table, and what would come of each now; what awaits a ruling. */
export interface IrregularityList {
  readonly table: string;
  readonly irregularities: readonly IrregularityView[];
  /** What was reported and is left to the shift manager, by its code: in which round [D29]. */
  readonly unruled: { readonly [name: string]: number };
}

/** An irregularity: the command that reports it, and what would happen if it were given now. */
export interface IrregularityView {
  readonly code: string;
  readonly name: string;
  readonly clause: string | null;
  /**
   * The command to give once `fields` are filled in, and `optional` ones if wanted; null where
   * the venue notes it by itself.
   */
  readonly command: WireCommand | null;
  readonly fields: readonly string[];
  readonly optional: readonly string[];
  /** The roles that may give the command. */
  readonly may: readonly string[];
  readonly standing: "open" | "refused";
  /** Why it is refused now, and by which clause. */
  readonly sentence: string | null;
  readonly refusal_clause: string | null;
  /** Whether it waits for a second person, and which roles that person may have. */
  readonly second: boolean;
  readonly seconds: readonly string[];
  /** What happens at once. */
  readonly will: readonly Consequence[];
  /** What happens once the second person agrees. */
  readonly agreed: readonly Consequence[];
  /** Whether the round under way is void by it, now or once a second person agrees. */
  readonly voids: boolean;
  /** How many bets go back by that, and how much in all. */
  readonly bets: number;
  readonly returned: number;
  /** Whether the table stops. */
  readonly stops: boolean;
}

/** Something that would happen, in a sentence, and the clause or decision behind it. */
export interface Consequence {
  readonly sentence: string;
  readonly clause: string | null;
}

/** A round as it is settled: losing boxes first, then winning ones, as on the layout. */
export interface PayoutGuide {
  readonly table: string;
  readonly round: number;
  readonly faces: Faces;
  readonly call: string;
  /** Whether it has been settled so; otherwise it would be. */
  readonly settled: boolean;
  /** The clause by which losing bets are collected before winning ones are paid. */
  readonly clause: string | null;
  readonly collect: readonly CollectedBox[];
  readonly collected: number;
  readonly pay: readonly PaidBox[];
  readonly paid: number;
  readonly back: number;
}

/** A losing box: what is collected from it, of how many terminals. */
export interface CollectedBox {
  readonly box: string;
  readonly name: string;
  readonly stake: number;
  readonly bets: number;
}

/** A winning box: what is on it, at which odds, what it is paid and what goes back in all. */
export interface PaidBox {
  readonly box: string;
  readonly name: string;
  readonly stake: number;
  readonly odds: string;
  readonly won: number;
  readonly back: number;
  readonly bets: number;
  /** The first terminals, and how many more there are. */
  readonly terminals: readonly PaidTerminal[];
  readonly more: number;
}

/** One terminal's bet on a box that pays. */
export interface PaidTerminal {
  readonly terminal: string;
  readonly stake: number;
  readonly won: number;
  readonly back: number;
}

/** What is on the boxes of a table against its limits and its Differential. */
export interface Gauges {
  readonly table: string;
  readonly phase: string;
  /** Whether a maximum counts all players together on a box, or each player alone. */
  readonly scope: "box" | "player";
  /** The command that gives the excess back; null where the rulebook has no Differential. */
  readonly rejects: string | null;
  readonly boxes: readonly BoxGauge[];
  readonly pairs: readonly PairGauge[];
}

/** A box with money on it, against its limits. */
export interface BoxGauge {
  readonly box: string;
  readonly name: string;
  readonly staked: number;
  readonly minimum: number;
  readonly maximum: number;
  /**
   * How much more it takes of all players together; null where each player has their own
   * maximum.
   */
  readonly room: number | null;
  /** What ends the room: the maximum of the box, or the Differential. */
  readonly by: "differential" | "maximum" | null;
  readonly sentence: string | null;
}

/** Two sides, how far they are apart, how far they may be, and what goes back at the close. */
export interface PairGauge {
  readonly sides: readonly [Side, Side];
  readonly apart: number;
  /** The Differential; null where none is set. */
  readonly limit: number | null;
  /** The larger side, where it is further ahead than that, and by how much. */
  readonly ahead: string | null;
  readonly over: number;
  /** What is given back when the bets are closed: more than `over` where a rest is too small. */
  readonly rejected: number;
  readonly bets: number;
  readonly sentence: string;
  readonly clause: string | null;
}

/** One side of a Differential pair. */
export interface Side {
  readonly box: string;
  readonly name: string;
  readonly staked: number;
}

/** What is wanted before a table opens, in its order; the last is to open it. */
export interface Opening {
  readonly table: string;
  readonly phase: string;
  /** Whether it has been opened. */
  readonly open: boolean;
  /** Whether nothing is wanted any more but to open it. */
  readonly ready: boolean;
  /** Who makes the checks, as the document calls them. */
  readonly checked_by: string | null;
  readonly wanted: readonly Wanted[];
}

/** Something wanted before a table opens: whether it is there, and the step that brings it. */
export interface Wanted {
  readonly code: string;
  readonly name: string;
  readonly done: boolean;
  /** What is there: which rulebook, which set of dice. */
  readonly value: string | null;
  readonly clause: string | null;
  readonly step: Step;
  /** How it is taken away again, of dice and equipment that are there. */
  readonly withdraw: Step | null;
}

/** What a command would come to: in sentences, in accounts, session by session. */
export interface CommandPreview {
  readonly table: string;
  readonly will: readonly Consequence[];
  readonly more_will: number;
  /** Whether the round under way is void by it. */
  readonly voids: boolean;
  readonly accounts: readonly AccountPreview[];
  readonly more_accounts: number;
  readonly netted: readonly NettedPreview[];
  readonly more_netted: number;
  /** What could not be recovered in all. */
  readonly shortfall: number;
  /** The roles of the second person whom it takes; none where it takes nobody. */
  readonly seconds: readonly string[];
}

/**
 * An account before and after: of which position or session, where it is somebody's.
 *
 * What a chip table's own money is by the books is null: it is in the rack, counted blind.
 */
export interface AccountPreview {
  readonly account: "credits" | "floor" | "house" | "shortfall" | "stakes" | "unclaimed";
  readonly of: string | null;
  readonly change: number;
  readonly before: number | null;
  readonly after: number | null;
}

/** What a position or an ended session would be given, owe and fall short of. */
export interface NettedPreview {
  readonly of: string;
  readonly ended: boolean;
  readonly given: number;
  readonly taken: number;
  /** What could not be recovered, and what was due and had before. */
  readonly shortfall: number;
  readonly covered: number;
}

/** A session that staff ended, with its code: the cage pays what is set aside against it. */
export interface EndedSession {
  readonly id: string;
  readonly terminal: string;
  /** The code, to be handed to the player; it is written down nowhere else. */
  readonly session: string;
  readonly amount: number;
  readonly at: number;
}

/**
 * The last rounds of the session at a terminal, the newest first, and its code.
 *
 * What the session is owed after it has ended, the cage pays against the code. Without a session
 * there is neither; for ten minutes whoever lost all still has theirs.
 */
export interface Recall {
  readonly table: string;
  readonly terminal: string;
  readonly rounds: readonly RecalledRound[];
  readonly session: string | null;
}

/**
 * A round that a terminal had bets in, or that was void for everybody.
 *
 * `void` says that its bets were returned, or its settlement reversed later. A round that was
 * void from the start has no dice; its lines say what came back, `sentence` why, and `clause` by
 * what. `lit` are all boxes that won; none where the table plays by other rules by now.
 */
export interface RecalledRound {
  readonly round: number;
  readonly void: boolean;
  readonly faces: Faces | null;
  readonly call: string | null;
  readonly lines: readonly RecalledLine[];
  readonly lit: readonly string[];
  readonly clause: string | null;
  readonly sentence: string | null;
}

/**
 * One box of a terminal's round: what became of the stake, by which clause, and why in words.
 *
 * `odds` is null where it lost, `clause` where the table plays by other rules by now.
 */
export interface RecalledLine {
  readonly box: string;
  readonly name: string;
  readonly stake: number;
  readonly odds: string | null;
  readonly won: number;
  readonly back: number;
  readonly clause: string | null;
  readonly reason: string;
}

/**
 * A table's stream at a moment: its durable version, the hash there, and the venue's signature.
 *
 * Every event before it is bound by that hash. Whoever keeps it can show later whether a journal
 * still has what the venue had then: `taisai audit receipt`.
 */
export interface Receipt {
  readonly stream: string;
  readonly version: number;
  readonly hash: string;
  readonly at: number;
  readonly key: string;
  readonly signature: string;
}

/**
 * A voucher, with its number, which is written down nowhere else and shown to nobody else.
 *
 * `id` is what it was sold by, or the transit of the cash-out that it was printed for.
 */
export interface IssuedVoucher {
  readonly id: string;
  readonly serial: number;
  readonly number: string;
  readonly value: number;
  readonly expires: number;
  /**
   * The code of the session whose credits it was printed for: what that is owed later, the cage
   * pays against it.
   */
  readonly session: string | null;
}

/** A voucher taken; its value is on its way to the terminal's credits. */
export interface Taken {
  readonly id: string;
  readonly serial: number;
  readonly value: number;
  readonly transit: string;
  readonly at: number;
}

/** The rulebooks at hand. */
export interface RulebookList {
  readonly rulebooks: readonly RulebookEntry[];
}

/** A rulebook with its pay tables. */
export interface RulebookEntry {
  readonly key: string;
  readonly title: string;
  readonly version: string | null;
  readonly effective: string | null;
  readonly sha256: string;
  readonly pay_tables: readonly PayTableEntry[];
}

/** A pay table in the list of its rulebook. */
export interface PayTableEntry {
  readonly address: string;
  readonly layout: string;
  readonly boxes: number;
}

/** A whole approved document version as data, in force from when it says [D30]. */
export interface RulebookContent {
  readonly key: string;
  readonly title: string;
  readonly publisher: string;
  readonly version?: string | null;
  readonly effective?: string | null;
  readonly zone?: string | null;
  readonly approval: ApprovalContent;
  /** What is different about this game in a sentence or two, by language. */
  readonly summary?: { readonly [name: string]: string };
  readonly clauses: readonly ClauseContent[];
  readonly people: readonly PersonContent[];
  readonly kinds: { readonly [name: string]: KindContent };
  readonly triple_winners: readonly TripleWinnersContent[];
  readonly procedure: ProcedureContent;
  readonly limits: LimitsContent;
  readonly irregularities: readonly IrregularityContent[];
  readonly pay_tables: readonly PayTableContent[];
}

/**
 * Which operator, forms of table and sources of dice a document is for [D30].
 *
 * Without an operator the document names none.
 */
export interface ApprovalContent {
  readonly operator?: string | null;
  readonly forms: readonly ("chips" | "terminals")[];
  readonly forms_clause: string;
  readonly dice: readonly ("keyed" | "reader" | "simulated" | "verifiable")[];
  readonly dice_clause: string;
}

/** A numbered or lettered item of the document and its gist in our words. */
export interface ClauseContent {
  readonly number: string;
  readonly gist: string;
}

/** A role of the software with the title the document gives to it. */
export interface PersonContent {
  readonly role: "dealer" | "pit-manager" | "shift-manager" | "supervisor";
  readonly title: string;
  readonly clause?: string | null;
  readonly decision?: string | null;
}

/**
 * Which clause a loss cites; for Small, Big, Odd and Even also the totals that win.
 *
 * Those four lose to every triple, and name the clause that says so.
 */
export interface KindContent {
  readonly loses: string;
  readonly totals?: readonly number[];
  readonly loses_to_triple?: string | null;
}

/** One entry of the document's own list of bets that win when all three dice are alike. */
export interface TripleWinnersContent {
  readonly clause: string;
  readonly kind: string;
  readonly boxes?: readonly string[];
}

/** The round as the document tells it. */
export interface ProcedureContent {
  readonly tumble: TumbleContent;
  readonly betting: BettingContent;
  readonly entry: EntryContent;
  readonly amendment: AmendmentContent;
  readonly settlement: SettlementContent;
  readonly opening?: OpeningContent | null;
  readonly equipment?: readonly EquipmentContent[];
}

/** How the dice are tumbled, and when, counted from the announcements [D5]. */
export interface TumbleContent {
  readonly cover: "covered" | "open";
  readonly at_least: number;
  readonly order: "after-close" | "before-bets" | "either";
  readonly by: readonly ("dealer" | "pit-manager" | "shift-manager" | "supervisor")[];
  readonly clause: string;
  readonly order_clause: string;
}

/** When bets are taken, by which call or notice, and what answers a late one. */
export interface BettingContent {
  readonly opens: "announcement" | "terminal-notice";
  readonly opens_words?: string | null;
  readonly opens_clause: string;
  readonly closes: "announcement" | "terminal-notice";
  readonly closes_words: string;
  readonly closes_clause: string;
  readonly bell: boolean;
  readonly by: readonly ("dealer" | "pit-manager" | "shift-manager" | "supervisor")[];
  readonly late_clause: string;
  readonly after_payment_clause?: string | null;
  readonly on_behalf_clause?: string | null;
  readonly oral_clause?: string | null;
}

/**
 * How the dice become a result: who reads and enters them, whether an LED shows them first.
 *
 * With `echo`, what the LED shows is what is entered, and nothing else can be.
 */
export interface EntryContent {
  readonly dice_clause: string;
  readonly by: readonly ("dealer" | "pit-manager" | "shift-manager" | "supervisor")[];
  readonly echo: boolean;
  readonly echo_clause?: string | null;
  readonly clause?: string | null;
  readonly call_clause?: string | null;
  readonly lights_clause?: string | null;
}

/**
 * Under whom a wrong entry is put right, and until when [D11].
 *
 * Of the two persons that it takes, one is of these roles [D14].
 */
export interface AmendmentContent {
  readonly by: readonly ("dealer" | "pit-manager" | "shift-manager" | "supervisor")[];
  readonly until: "any-time" | "settlement";
  readonly clause: string;
  readonly decision?: string | null;
}

/** Which position of a bet counts, who collects and pays, and in which order if in any. */
export interface SettlementContent {
  readonly basis: "close" | "result";
  readonly basis_clause: string;
  readonly by: readonly ("dealer" | "pit-manager" | "shift-manager" | "supervisor")[];
  readonly clause: string;
  readonly order?: "collect-then-pay" | null;
  readonly void_clause: string;
  readonly corrections_clause?: string | null;
}

/** What comes before the table opens: who checks it, and what the document calls them. */
export interface OpeningContent {
  readonly by: readonly ("dealer" | "pit-manager" | "shift-manager" | "supervisor")[];
  readonly title: string;
  readonly clause: string;
  readonly checks: readonly OpeningCheckContent[];
}

/** Something a supervisor makes sure of before the table opens. */
export interface OpeningCheckContent {
  readonly code: "dice-sealed" | "equipment-on" | "test-runs-light" | "tumbler-works";
  readonly clause: string;
}

/** A piece of equipment that must be registered: always, with chips, or with coloured ones. */
export interface EquipmentContent {
  readonly code: "bell" | "change-block" | "display-rack" | "marker-buttons" | "tumbler";
  readonly clause: string;
  readonly when?: "always" | "chips" | "colours";
}

/**
 * Whose bets a limit counts, and what becomes of a bet outside it.
 *
 * With `scope` "box" the maximum counts all players' bets on a box together, with "player" each
 * player's own [D6]. The minimum is each player's on each box in any case [D33].
 */
export interface LimitsContent {
  readonly scope: "box" | "player";
  readonly over_maximum: "pro-rata" | "refused";
  readonly below_minimum: "refused" | "stands";
  readonly displayed_clause?: string | null;
  readonly balance_clause?: string | null;
  readonly rejected_clause?: string | null;
  readonly pro_rata_clause?: string | null;
  readonly exempt_clause?: string | null;
  readonly advised_clause?: string | null;
  readonly stands_clause?: string | null;
  readonly differential_clause?: string | null;
  readonly differential_pairs?: readonly (readonly [string, string])[];
  readonly decision?: string | null;
}

/** Something that goes wrong, what is ruled, and the clause or decision that rules it. */
export interface IrregularityContent {
  readonly code: "bad-tumble" | "below-minimum" | "bet-in-error" | "bet-moved" | "damaged-dice" | "dice-exposed" | "die-not-flat" | "display-wrong" | "interrupted-with-outcome" | "interrupted-without-outcome" | "late-error" | "lights-fail" | "malfunction" | "no-tumble" | "not-covered" | "over-limit" | "second-tumble" | "terminal-lost-registered" | "terminal-lost-unregistered" | "touching-line" | "tumbled-too-early" | "uncovered-tumble" | "walked-away" | "wrong-entry" | "wrong-result-settled";
  readonly ruling: "activate-tumbler" | "advise-then-stands" | "amend-before-settlement" | "conclude" | "dice-prevail" | "no-effect-on-later-rounds" | "operator-may-correct" | "operator-may-pay" | "player-answers" | "refuse" | "reject-then-pro-rata" | "return-bets" | "reverse-and-settle-again" | "settle" | "shift-manager-rules" | "stop-until-rectified" | "void-affected-rounds" | "void-round";
  readonly clause?: string | null;
  readonly decision?: string | null;
  readonly stops_table?: boolean;
  readonly stops_clause?: string | null;
  /** What the dealer announces of it. */
  readonly words?: string | null;
}

/** One pay table: the clause that sets it, its bets and its layout. */
export interface PayTableContent {
  readonly number: number;
  readonly clause: string;
  readonly bets: readonly BetsContent[];
  readonly layout: LayoutContent;
}

/** The boxes of one kind, in the document's order, and the rows that price them. */
export interface BetsContent {
  readonly kind: string;
  readonly boxes: readonly string[];
  readonly rows: readonly RowContent[];
}

/**
 * A row of the pay table: the document's name for the bet and what it pays.
 *
 * Without `boxes` the row prices every box of its kind.
 */
export interface RowContent {
  readonly name: string;
  readonly pays: string | number | { readonly [name: string]: string | number };
  readonly boxes?: readonly string[];
}

/** A layout as its appendix prints it: a grid, areas on it, captions between them [D10]. */
export interface LayoutContent {
  readonly name: string;
  readonly clause: string;
  readonly columns: number;
  readonly rows: number;
  readonly areas: readonly AreaContent[];
  readonly captions?: readonly CaptionContent[];
  readonly examples_clause?: string | null;
  readonly decision?: string | null;
}

/** A printed area: the box it belongs to, and what it prints beside its name and odds [D31]. */
export interface AreaContent {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly box: string;
  readonly prints?: readonly ("loses-to-triple" | "totals")[];
}

/** Words printed outside any box, by code; the odds in them come from the box named. */
export interface CaptionContent {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly code: "any-triple-pays" | "each-domino" | "each-double" | "each-pair" | "each-single" | "each-three" | "each-triple" | "pair-pays" | "triple-pays";
  readonly pays_of: string;
}

/** The odds of a pay table, its boxes in the order of the document. */
export interface OddsView {
  readonly pay_table: string;
  readonly rulebook: RulebookIdentity;
  readonly layout: string;
  readonly boxes: readonly BoxOdds[];
}

/** Which document, which version, and the fingerprint of its content. */
export interface RulebookIdentity {
  readonly key: string;
  readonly title: string;
  readonly version: string | null;
  readonly effective: string | null;
  readonly sha256: string;
}

/** A betting box: what it pays, and its exact chance and house edge as fractions. */
export interface BoxOdds {
  readonly box: string;
  readonly kind: string;
  readonly name: string;
  readonly pays: string | { readonly [name: string]: string };
  readonly ways: number;
  readonly probability: string;
  readonly house_edge: string;
  readonly clause: string;
}

/** The layout of a pay table: a grid, the areas on it, the captions between them. */
export interface LayoutView {
  readonly pay_table: string;
  readonly sha256: string;
  readonly name: string;
  readonly clause: string;
  readonly columns: number;
  readonly rows: number;
  readonly areas: readonly Area[];
  readonly captions: readonly Caption[];
}

/** A printed area of the layout: its rectangle on the grid, its box, and what that pays. */
export interface Area {
  readonly box: string;
  readonly kind: string;
  readonly name: string;
  /** What a dealer keys for the box. */
  readonly code: string;
  readonly pays: string | { readonly [name: string]: string };
  /** What else is printed: the totals that win, and that a triple loses. */
  readonly prints: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Words printed on the layout outside any box. */
export interface Caption {
  readonly code: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** The sentences of reasons, in their order. */
export interface Sentences {
  readonly language: string;
  readonly sentences: readonly string[];
}

/** The wording of a language: names of boxes and irregularities, sentences with their blanks. */
export interface WordsView {
  readonly language: string;
  readonly boxes: { readonly [name: string]: string };
  readonly kinds: { readonly [name: string]: string };
  readonly sentences: { readonly [name: string]: string };
  readonly captions: { readonly [name: string]: string };
  readonly records: { readonly [name: string]: string };
  readonly irregularities: { readonly [name: string]: string };
}

/** A session that has begun; a program gets its token, a page of the venue a cookie instead. */
export interface LoggedIn {
  readonly session: SessionView;
  readonly token: string | null;
  /** In a demo alone: the PIN with which its people approve what somebody else asked for. */
  readonly pin: string | null;
}

/** Who is logged in, and until when: at the latest, and if nothing is done. */
export interface SessionView {
  readonly person: string;
  readonly role: Role;
  readonly began: number;
  readonly expires: number;
  readonly idle_at: number;
}

/** A command that waits for a second person, who names its hash and this version. */
export interface Waiting {
  readonly pending: string;
  readonly version: number;
  /** The last moment to answer it; null where it waits until somebody does. */
  readonly expires: number | null;
}

/** A person on the staff; `ready` when they have set a password and a PIN. */
export interface StaffMember {
  readonly person: string;
  readonly roles: readonly string[];
  readonly ready: boolean;
  /** The roles in which they are logged in now. */
  readonly logged_in: readonly string[];
  /**
   * Whether a code was made for them that is not used yet, and whether half of it waits to be
   * shown to whoever asks.
   */
  readonly coded: boolean;
  readonly half: boolean;
  /** Whether they are kept out until two persons decide about them. */
  readonly suspended: boolean;
}

/**
 * Half of a code with which a person sets password and PIN; it is shown here and never again.
 *
 * The other of the two who had it made is shown the other half; who asked has the first.
 */
export interface HalfACode {
  readonly person: string;
  readonly half: string;
}

/** A machine waits to become a terminal: it shows the code, and asks by the secret. */
export interface EnrolmentBegun {
  readonly code: string;
  readonly secret: string;
}

/** The key of the terminal that the machine has become; none as long as it waits. */
export interface EnrolmentGiven {
  readonly terminal: TerminalKey | null;
}

/**
 * A command that waits for a second person: who asked for what, and until when.
 *
 * What lasts waits until somebody answers it: it has no end, and is declined with a reason
 * [D20].
 */
export interface Awaited {
  readonly to: string;
  readonly pending: string;
  readonly version: number;
  readonly person: string;
  readonly role: Role;
  /** What was asked for, as the second person reads it. */
  readonly sentence: string;
  readonly command: { readonly [name: string]: unknown };
  readonly at: number;
  readonly expires: number | null;
  /** The roles that the second person may have. */
  readonly approved_by: readonly string[];
}

/** Vouchers that are out, by serial; `after` asks for the ones after them. */
export interface OutstandingVouchers {
  readonly count: number;
  readonly worth: number;
  readonly vouchers: readonly OutstandingVoucher[];
  readonly after: number | null;
}

/** A voucher that is out; of its number only the last digits are shown. */
export interface OutstandingVoucher {
  readonly serial: number;
  readonly last_four: string;
  readonly value: number;
  readonly place: string;
  readonly at: number;
  readonly expires: number;
}

/** A voucher paid in cash. */
export interface PaidVoucher {
  readonly id: string;
  readonly serial: number;
  readonly value: number;
  readonly at: number;
}

/** A voucher that is out and good, as the cashier sees it before it is paid or voided. */
export interface FoundVoucher {
  readonly serial: number;
  readonly value: number;
  readonly place: string;
  readonly at: number;
  readonly expires: number;
  /** Whether it was sold over the counter: such a sale may be taken back. */
  readonly sold: boolean;
  /** Whether paying it takes a second person. */
  readonly takes_two: boolean;
}

/** What is set aside for a session, and would be paid. */
export interface SetAside {
  readonly table: string;
  readonly session: string;
  readonly amount: number;
  /** Whether the chips are handed over that a chip table set aside; else it is paid in cash. */
  readonly in_chips: boolean;
}

/** The rounds of a session that its table still holds, the newest first. */
export interface PlayedRounds {
  readonly table: string;
  readonly session: string;
  readonly rounds: readonly PlayedRound[];
}

/** A round that a session bet in: its dice, what was staked and what went back. */
export interface PlayedRound {
  readonly round: number;
  readonly faces: Faces | null;
  readonly void: boolean;
  readonly staked: number;
  readonly back: number;
}

/**
 * What a round came to for one player, and the event of the journal that says so, signed.
 *
 * The hash is that of the event by which the round stands as it does, which binds every event
 * before it. `taisai audit receipt` finds by a journal whether it has the round so.
 */
export interface RoundReceipt {
  readonly stream: string;
  readonly version: number;
  readonly hash: string;
  readonly round: number;
  /** The session that bet, by its name: the position, and the how manieth player there. */
  readonly session: string;
  readonly faces: Faces | null;
  /** Whether the round was voided after it was settled: then the stakes went back. */
  readonly void: boolean;
  readonly bets: readonly ReceiptLine[];
  /** When it was signed. */
  readonly at: number;
  readonly key: string;
  readonly signature: string;
}

/** The bets of a player on one box, settled: what they won, and what went back in all. */
export interface ReceiptLine {
  readonly box: string;
  readonly stake: number;
  readonly won: number;
  readonly back: number;
}

/** The cage's drawer: the shift under way, chips between cage and tables, and past shifts. */
export interface DrawerView {
  readonly currency: string;
  readonly at: number;
  readonly shift: DrawerShift | null;
  /** Sent to tables by the cage, and to the cage by tables. */
  readonly fills: readonly OnItsWay[];
  readonly credits: readonly OnItsWay[];
  /** The chip tables; of one that is suspended nothing is shown. */
  readonly tables: readonly FilledTable[];
  /** Wins that wait to be paid by hand, or for their lock to be cleared. */
  readonly locked: readonly LockedWin[];
  /** The newest first; null while older events are still being read. */
  readonly shifts: readonly PastShift[] | null;
}

/** The shift of the cashier who has the drawer. */
export interface DrawerShift {
  readonly cashier: string;
  readonly opened_at: number | null;
  /** What was counted at the beginning. */
  readonly count: number;
  /** What should be in the drawer now; for auditors alone, since all others may count it. */
  readonly expected: number | null;
}

/** Chips that left the cage or a table and have not come to the other yet, as counted out. */
export interface OnItsWay {
  readonly transit: string;
  readonly table: string;
  readonly amount: number;
  /** Empty, and the rest null, while older events of the journal are still being read. */
  readonly chips: readonly Pieces[];
  readonly by: string | null;
  readonly sent_at: number | null;
  /** Whether they have been on their way for more than a quarter of an hour. */
  readonly late: boolean;
}

/** A chip table that the cage sends fills to: its denominations, and its gaming day. */
export interface FilledTable {
  readonly table: string;
  /** The chips that it plays with, ascending. */
  readonly values: readonly number[];
  /** Null where no day is open: nobody would receive a fill. */
  readonly date: string | null;
}

/** A terminal that a large win has locked: the win may be paid by hand. */
export interface LockedWin {
  readonly table: string;
  readonly terminal: string;
  readonly amount: number;
}

/** A shift that is over: counted at its end, what should have been there, and the difference. */
export interface PastShift {
  readonly cashier: string;
  readonly opened_at: number;
  readonly opening: number;
  readonly closed_at: number;
  readonly count: number;
  readonly expected: number;
  readonly difference: number;
}

/** The meters of the venue, table by table, and when they were read. */
export interface MeterReport {
  readonly at: number;
  readonly currency: string;
  readonly meters: readonly MeterView[];
}

/** Running sums since the table was created, in minor units; `hold` is collected less won. */
export interface MeterView {
  readonly table: string;
  readonly meter: "dealer" | "kind" | "table";
  readonly name: string | null;
  readonly turnover: number;
  readonly collected: number;
  readonly won: number;
  readonly hold: number;
  /** Null at a chip table whose drop box is still to be counted by whoever asks. */
  readonly drop: number | null;
  readonly out: number;
  readonly voided: number;
  readonly corrections: number;
}

/** The terminals of a table. */
export interface TerminalReport {
  readonly table: string;
  readonly currency: string;
  readonly terminals: readonly TerminalMeters[];
}

/** A terminal: its place, what it holds, and what went through it since it was enrolled. */
export interface TerminalMeters {
  readonly terminal: string;
  readonly place: string;
  readonly connected: boolean;
  readonly barred: boolean;
  /** Whether staff have taken it out of service. */
  readonly failed: boolean;
  readonly locked: boolean;
  /** Whether limits hold there that a player has set for themself. */
  readonly bound: boolean;
  /** Whether a player's session is there, which staff could end. */
  readonly session: boolean;
  readonly credits: number;
  readonly staked: number;
  /** Null in a seat, as long as the drop box is still to be counted by whoever asks. */
  readonly bought: number | null;
  readonly cashed: number;
  readonly back: number;
  readonly corrections: number;
  readonly turnover: number;
  readonly won: number;
  readonly hold: number;
}

/** Gaming days, table by table, the newest date first, as they stood at a moment. */
export interface DayList {
  readonly at: number;
  readonly currency: string;
  readonly since: string;
  readonly until: string;
  readonly day_starts: number;
  readonly time_zone: string;
  readonly days: readonly DayOfTable[];
  readonly missing: readonly string[];
}

/** A gaming day at one table: what stands of its rounds, and what the books say it won. */
export interface DayOfTable {
  readonly table: string;
  readonly form: "chips" | "terminals";
  readonly date: string;
  /** Whether the day is still under way. */
  readonly open: boolean;
  /** The rounds of the day as they stand now. */
  readonly figures: FiguresView;
  /** As the rounds were settled; and what was given that day to put something right. */
  readonly collected: number;
  readonly paid: number;
  readonly corrections: number;
  /** Collected less paid and corrections, and what was counted beyond the books. */
  readonly win: number;
  /**
   * What players brought to the table, and what they took from it; what was brought is null at a
   * chip table whose drop box is still to be counted by whoever asks.
   */
  readonly drop: number | null;
  readonly out: number;
  /** Null at a terminal table. */
  readonly count: DayCount | null;
}

/** What the rounds that stand come to, and the win against what their bets lead to expect. */
export interface FiguresView {
  readonly rounds: number;
  readonly turnover: number;
  readonly win: number;
  /** The sum of each stake times its house edge, to the nearest minor unit. */
  readonly theory: number;
  /** One standard deviation of the win. */
  readonly sigma: number;
  readonly band: WinBand;
  /** How far the win is from theory, in standard deviations. */
  readonly deviation: number;
  readonly standing: "outside" | "watch" | "within";
  /** Win and theory in percent of the turnover; null before any bet. */
  readonly hold_percent: number | null;
  readonly theory_percent: number | null;
  readonly void: number;
  readonly reversed: number;
  readonly bets: number;
  readonly amendments: number;
  readonly irregularities: number;
  readonly first_at: number | null;
  readonly last_at: number | null;
  /** Rounds in an hour of dealing, pauses left out; null before there were two. */
  readonly rounds_per_hour: number | null;
}

/** What chance alone makes of a theoretical win: 95 of a hundred within, 99 within the wider. */
export interface WinBand {
  readonly low: number;
  readonly high: number;
  readonly lowest: number;
  readonly highest: number;
}

/** What two persons counted at a chip table on a gaming day, beside what the books said. */
export interface DayCount {
  readonly opened_at: number;
  readonly opened_by: string;
  readonly opening: number;
  readonly opening_expected: number;
  /** Given to players less taken from them while no day was open, since the day before. */
  readonly between: number;
  readonly fills: number;
  readonly credits: number;
  readonly drop_cash: number;
  readonly drop_chips: number;
  readonly drop_expected: number;
  readonly drop_counted_at: number | null;
  readonly closed_at: number | null;
  readonly closed_by: string | null;
  readonly closing: number | null;
  readonly closing_expected: number | null;
  /** Missing of credits that were put back into the rack. */
  readonly missing: number;
  /** Cash and chips for value together. */
  readonly drop: number;
  /** Drop + closing - opening - fills + credits; null until the day is closed. */
  readonly win: number | null;
  /** Counted beyond what the books said, in the drop box and at the close. */
  readonly difference: number;
  /** Counted at the opening beyond what the books said: it is in no day's win. */
  readonly opening_difference: number;
}

/** A gaming day of the venue: every table on it, then all tables together. */
export interface DayReport {
  readonly venue: string;
  readonly currency: string;
  readonly date: string;
  /** The hour at which a gaming day starts, on the clocks of the time zone. */
  readonly day_starts: number;
  readonly time_zone: string;
  readonly produced_at: number;
  /** Whether the date is today's, or a table's day is still open. */
  readonly open: boolean;
  readonly tables: readonly DayTable[];
  /** The tables of which the figures are not known now: nothing of them is in any sum. */
  readonly missing: readonly string[];
  readonly total: FiguresView;
  /** The win by the books of all tables. */
  readonly win: number;
  readonly dealers: readonly DealerFigures[];
  readonly kinds: readonly KindFigures[];
}

/** A gaming day at one table, by dealer and by kind of bet. */
export interface DayTable {
  readonly day: DayOfTable;
  readonly dealers: readonly DealerFigures[];
  readonly kinds: readonly KindFigures[];
}

/**
 * A dealer: the tables they dealt at, and what their rounds come to.
 *
 * A dealer without a name stands for all beyond the hundredth of one table on one day.
 */
export interface DealerFigures {
  readonly person: string;
  readonly automatic: boolean;
  readonly tables: readonly string[];
  readonly figures: FiguresView;
}

/** A kind of bet: the rounds it was bet on in, and its win against what was to be expected. */
export interface KindFigures {
  readonly rounds: number;
  readonly turnover: number;
  readonly win: number;
  /** The sum of each stake times its house edge, to the nearest minor unit. */
  readonly theory: number;
  /** One standard deviation of the win. */
  readonly sigma: number;
  readonly band: WinBand;
  /** How far the win is from theory, in standard deviations. */
  readonly deviation: number;
  readonly standing: "outside" | "watch" | "within";
  /** Win and theory in percent of the turnover; null before any bet. */
  readonly hold_percent: number | null;
  readonly theory_percent: number | null;
  readonly kind: string;
  readonly name: string;
}

/** The pit as it stands now. */
export interface Pit {
  readonly at: number;
  readonly currency: string;
  /** The gaming date of this moment. */
  readonly date: string;
  readonly tables: readonly PitTable[];
  readonly dealers: readonly DealerFigures[];
  readonly kinds: readonly KindFigures[];
  readonly alerts: readonly Alert[];
  /** Null when the figures are complete. */
  readonly catching_up: CatchingUp | null;
  /** Null when the clocks agree. */
  readonly clock: ClockInDoubt | null;
}

/** A table in the pit: its entry in the list of tables, its money now and its figures so far. */
export interface PitTable {
  readonly table: string;
  readonly phase: string;
  readonly round: number;
  readonly suspended: boolean;
  readonly dealer: "automatic" | "person";
  readonly title: string | null;
  readonly pay_table: string | null;
  /** Who publishes the rulebook, and in which version. */
  readonly publisher: string | null;
  readonly version: string | null;
  readonly layout: string | null;
  /** Betting boxes of the pay table. */
  readonly boxes: number;
  readonly limits: LimitsAsked | null;
  readonly tumbler: string | null;
  /** Player Terminals of the table, and those that are connected */
  readonly terminals: number;
  readonly connected: number;
  /** The last round with a result. */
  readonly last: FinishedRound | null;
  /** Played from Player Terminals, or with chips on a chip table. */
  readonly form: "chips" | "terminals";
  /** Column and row on the map of the floor; null where the floor plan has none. */
  readonly place: readonly [number, number] | null;
  /**
   * Who opened or closed the bets last; null where nobody has, or the figures are not read yet.
   */
  readonly dealt_by: string | null;
  /** Why the table is suspended. */
  readonly why: string | null;
  readonly notice_given: boolean;
  /** The clause that stops the table. */
  readonly stopped: string | null;
  readonly in_doubt: string | null;
  readonly waiting: boolean;
  /** Whether a command waits for its second person. */
  readonly pending: boolean;
  readonly locked: number;
  readonly barred: number;
  /** What is on the table now, and the most it can cost the house. */
  readonly staked: number;
  readonly worst: number;
  /** The gaming day of a chip table; null between two of them, and at a terminal table. */
  readonly day: PitDay | null;
  /** What was brought to the table; null where it is still to be counted by whoever asks. */
  readonly drop: number | null;
  readonly out: number;
  /** Null while older events are still being read. */
  readonly figures: FiguresView | null;
  /** Those of the gaming day under way; null where nothing was played on it yet. */
  readonly today: FiguresView | null;
  /** The sets of dice, the one in use first. */
  readonly fairness: readonly Fairness[];
  /** Kinds of bet, those with the most turnover first. */
  readonly kinds: readonly KindFigures[];
}

/** The gaming day that is open at a chip table, and what the books say of it. */
export interface PitDay {
  readonly date: string;
  readonly opening: number;
  readonly fills: number;
  readonly credits: number;
  readonly drop: number;
  /** What should be in the drop box; for auditors alone, since all others may count it. */
  readonly in_box: number | null;
  /**
   * What the value chips in the rack are worth by the books; null while it is to be counted by
   * whoever asks.
   */
  readonly rack: number | null;
  readonly seats: number;
  /**
   * Collected less paid and put right, and what was counted beyond the books; null as the rack.
   */
  readonly win: number | null;
  readonly difference: number;
}

/** The watch over a set of dice: the evidence against them, and whether it raised an alarm. */
export interface Fairness {
  readonly dice_set: string;
  readonly throws: number;
  /** What one unit bet against fair dice has become; the alarm is raised at `alarm_at`. */
  readonly e_value: number;
  readonly alarm_at: number;
  readonly confidence: number;
  /** The throw at which the alarm was raised; null where none was. */
  readonly alarmed_at: number | null;
  readonly in_use: boolean;
}

/** Something the pit should know of; `at` is null where it simply is so now. */
export interface Alert {
  readonly at: number | null;
  readonly table: string | null;
  readonly code: string;
  readonly level: "act" | "info" | "watch";
  readonly sentence: string;
  /** What it is known by, until it is over. */
  readonly alert: string;
  /** When it began, or was first found since the venue was started. */
  readonly since: number;
  /** Null where nobody has done anything about it. */
  readonly care: Care | null;
}

/** What people did about an alert. */
export interface Care {
  /** Who acknowledged it; null where nobody has. */
  readonly acknowledged: AlertStep | null;
  /** In whose hands it is; null where nobody took it. */
  readonly person: string | null;
  /** Everything that was done, the oldest first. */
  readonly steps: readonly AlertStep[];
}

/** What somebody did about an alert: acknowledged it, or gave it to a person. */
export interface AlertStep {
  readonly at: number;
  readonly by: string;
  readonly note: string;
  /** Who has it from now on; none where it was acknowledged. */
  readonly person: string | null;
}

/** How many older events of how many have been read for the figures. */
export interface CatchingUp {
  readonly seen: number;
  readonly total: number;
}

/** What the clocks say while they do not agree; two persons may accept the machine's [D35]. */
export interface ClockInDoubt {
  /** The venue's time, the machine's, and the database's where that is in doubt. */
  readonly venue: number;
  readonly machine: number;
  readonly database: number | null;
  /** As `AcceptClock` wants them. */
  readonly ahead_ms: number;
  readonly database_ms: number;
  /** Whether whoever looks may ask for it; somebody else agrees. */
  readonly may_ask: boolean;
}

/** Alerts that somebody did something about, those touched last first. */
export interface AlertHistory {
  readonly alerts: readonly PastAlert[];
  /** Asks for those before; null where there are none. */
  readonly before: string | null;
}

/** An alert that somebody did something about, and whether it is over. */
export interface PastAlert {
  readonly alert: string;
  readonly table: string | null;
  readonly sentence: string;
  readonly over: boolean;
  readonly acknowledged: AlertStep | null;
  readonly person: string | null;
  /** Everything that was done, the oldest first. */
  readonly steps: readonly AlertStep[];
}

/** All nodes and all streams, as the node that answers sees them. */
export interface Nodes {
  readonly at: number;
  /** Whether the venue has nodes at all; where not, it is one process. */
  readonly several: boolean;
  readonly nodes: readonly NodeView[];
  readonly streams: readonly StreamView[];
  /** Gateways have no lease and beat nowhere: here are those that this node has a lane to. */
  readonly gateways: readonly GatewayView[];
  /** Whether whoever looks may ask for something; somebody else agrees. */
  readonly may_ask: boolean;
}

/** A node: what it does, when it was heard of, and how many streams it has. */
export interface NodeView {
  readonly node: string;
  readonly roles: readonly string[];
  /** Whether it was heard of just now, and how long ago that is. */
  readonly heard: boolean;
  readonly silent_ms: number;
  readonly draining: boolean;
  /** Whether it is the node that answers. */
  readonly here: boolean;
  readonly streams: number;
  readonly address: string;
}

/** A stream: which node has it, since when, and how often it has passed on. */
export interface StreamView {
  readonly stream: string;
  /** The table that it is of; null: the cage, or the venue's own. */
  readonly table: string | null;
  readonly node: string | null;
  readonly passed: number;
  readonly since: number;
  /** Where it is wanted, and goes once it is at rest. */
  readonly wanted: string | null;
  /** Events that are in the journal, and not known yet to the node that answers. */
  readonly behind: number;
  /** The nodes that it could be moved to. */
  readonly could: readonly string[];
}

/** A process that holds sockets, as the office that answers knows it. */
export interface GatewayView {
  readonly gateway: string;
  /** How many are connected there who have said who they are. */
  readonly connected: number;
  /** How often it has called since this office was started. */
  readonly starts: number;
}

/** Everything the journal tells of a round, re-created from it alone; its chain was checked. */
export interface RoundStoryView {
  readonly table: string;
  readonly round: number;
  readonly rulebook: RulebookIdentity;
  readonly pay_table: string;
  /** Who operates the house; nobody does a demo. Then what its rulebook is not approved for. */
  readonly operator: string | null;
  readonly apart: readonly Apart[];
  readonly limits: Limits | null;
  readonly form: "chips" | "terminals";
  readonly equipment: Equipment;
  readonly dice_set: string | null;
  readonly began_at: number;
  readonly ended_at: number | null;
  readonly result: StoryEnd | null;
  readonly events: readonly EventView[];
  readonly bets: readonly StoryLine[];
  readonly moves: readonly StoryMove[];
  readonly postings: readonly StoryPosting[];
  readonly balances: readonly Balance[];
  readonly corrections: readonly StoryCorrection[];
  readonly secret: StorySecret | null;
  readonly chain_unbroken_to: number;
}

/** Limits in force on a pay table: in general, and of the boxes that have their own. */
export interface Limits {
  readonly step: number;
  readonly general: BoxLimits;
  readonly boxes: { readonly [name: string]: BoxLimits };
  readonly differential: number | null;
}

/** The least that each player may have on a box [D33], and the most that may be on it. */
export interface BoxLimits {
  readonly minimum: number;
  readonly maximum: number;
}

/** How a round ended. */
export interface StoryEnd {
  readonly end: "settled" | "void";
  readonly dice: Faces | null;
  readonly total: number | null;
  readonly call: string | null;
  readonly winners: readonly string[];
  readonly collected: number;
  readonly paid: number;
  readonly code: string | null;
  readonly clause: string | null;
}

/** An event: when, where, who was behind it, what it says as a sentence and in parts. */
export interface EventView {
  readonly at: number;
  readonly stream: string;
  readonly version: number;
  readonly event: string;
  readonly round: number | null;
  readonly terminal: string | null;
  readonly role: string | null;
  readonly person: string | null;
  readonly order: string | null;
  readonly second: string | null;
  readonly second_role: string | null;
  readonly clause: string | null;
  readonly note: string | null;
  readonly summary: string;
  readonly details: { readonly [name: string]: unknown };
}

/** What one terminal had on one box, what became of it, by which clause and why. */
export interface StoryLine {
  readonly terminal: string;
  readonly box: string;
  readonly stake: number;
  readonly outcome: string;
  readonly odds: string | null;
  readonly won: number;
  readonly back: number;
  readonly clause: string;
  readonly reason: string | null;
}

/**
 * A bet put on a box, or with a minus taken off it, and the event that did it.
 *
 * At a chip table it is a seat's, and its chips are counted: those that come off with a minus.
 */
export interface StoryMove {
  readonly version: number;
  readonly terminal: string;
  readonly box: string;
  readonly amount: number;
  readonly chips: readonly Pieces[];
}

/** Money moved, and the event that moved it. */
export interface StoryPosting {
  readonly version: number;
  readonly event: string;
  readonly source: string;
  readonly destination: string;
  readonly amount: number;
}

/**
 * A terminal's free credits before and after a round, and what changed them, signed.
 *
 * At a chip table it is a seat, and the chips known to be in front of its player.
 */
export interface Balance {
  readonly terminal: string;
  readonly before: number;
  readonly after: number;
  readonly received: number;
  readonly cashed: number;
  readonly staked: number;
  readonly taken_back: number;
  readonly back: number;
  readonly put_right: number;
}

/** Something that put the round right later; with its bets, where it was settled again. */
export interface StoryCorrection {
  readonly event: EventView;
  readonly bets: readonly StoryLine[];
  readonly netted: readonly StoryNetting[];
}

/**
 * What a correction gave a terminal or took from it, and what could not be taken.
 *
 * `covered` is what it was due and had before, because an earlier correction could not take it.
 */
export interface StoryNetting {
  readonly terminal: string;
  readonly given: number;
  readonly taken: number;
  readonly shortfall: number;
  readonly covered: number;
}

/** The secret behind the dice of a verifiable tumbler, and how it compares. */
export interface StorySecret {
  readonly commitment: string;
  readonly before: string;
  /** This and what follows from it is None until it is revealed. */
  readonly secret: string | null;
  readonly drawn: Faces | null;
  readonly links: boolean | null;
  /** Whether the round shows what the secret gives; None where it shows nothing. */
  readonly agrees: boolean | null;
}

/** Significant events, the newest first; `before` asks for the ones before them. */
export interface EventPage {
  readonly events: readonly EventView[];
  readonly before: string | null;
}

/** What a search found, the newest first, and how far it looked. */
export interface FoundPage {
  readonly events: readonly EventView[];
  /** Asks for what lies further back; null where everything was looked at. */
  readonly before: string | null;
  /** Everything since then was looked at. */
  readonly back_to: number | null;
  /** So many events were looked at this time. */
  readonly examined: number;
}

/** Something the pit is to know about the venue itself: a recovery, a suspension, a stop. */
export interface Announcement {
  readonly at: number;
  readonly stream: string;
  readonly code: string;
  readonly text: string;
}

/** A verification: under way, done, stopped by somebody, or given up for a reason. */
export interface Verification {
  readonly number: number;
  readonly by: string;
  readonly began_at: number;
  readonly state: "done" | "failed" | "running" | "stopped";
  readonly seen: number;
  readonly total: number;
  readonly ended_at: number | null;
  readonly outcome: Outcome | null;
  readonly failure: string | null;
  /** Who stopped it. */
  readonly stopped_by: string | null;
}

/** What a verification looked at, what that adds up to, and what is wrong. */
export interface Outcome {
  readonly faults: readonly Fault[];
  /** What could not be checked, or is no fault and worth knowing. */
  readonly notes: readonly string[];
  readonly streams: number;
  readonly events: number;
  readonly decisions: number;
  readonly rounds: number;
  readonly checkpoints: number;
  readonly snapshots: number;
  readonly seals: number;
  readonly copied_events: number;
  readonly newest_checkpoint: NewestCheckpoint | null;
  readonly money: Money;
  readonly seconds: number;
  readonly verified: boolean;
  /** All faults; only the first are shown one by one. */
  readonly faults_found: number;
}

/** Something that does not hold, named by stream and version or by checkpoint. */
export interface Fault {
  readonly in: "anchor" | "audit" | "checkpoint" | "command" | "copy" | "event" | "journal" | "replay" | "seal" | "snapshot" | "stream";
  readonly sentence: string;
  readonly stream: string | null;
  readonly version: number | null;
  readonly checkpoint: number | null;
  readonly field: string | null;
  readonly byte: number | null;
  readonly expected: string | null;
  readonly found: string | null;
}

/** The newest checkpoint: its number, when it was made, and the key that signed it. */
export interface NewestCheckpoint {
  readonly number: number;
  readonly at: number;
  readonly key: string;
}

/** What the books of all streams come to, in minor units. */
export interface Money {
  readonly currency: string;
  readonly turnover: number;
  readonly won: number;
  readonly bank: number;
  readonly credits: number;
  readonly stakes: number;
  readonly vouchers: number;
  readonly unclaimed: number;
  readonly in_transit: number;
}

/** What was out of the ordinary in rounds of a table, by their numbers. */
export interface RoundMarks {
  readonly table: string;
  /** Each of `void`, `amended`, `irregular`, `reversed` and `resettled` at most once. */
  readonly marks: { readonly [name: string]: readonly string[] };
  /** Whether older events are still being read, so that marks may be missing. */
  readonly incomplete: boolean;
}

/** How well the journal is attested now. */
export interface Standing {
  readonly at: number;
  readonly events: number;
  /** Null before the first one is signed. */
  readonly checkpoint: CheckpointStanding | null;
  /** Events that wait for the next checkpoint. */
  readonly waiting: number;
  /** Null where there is none, or it cannot be read. */
  readonly anchor: AnchorStanding | null;
  /** Why the anchor cannot be read. */
  readonly anchor_fault: string | null;
  readonly witnesses: readonly WitnessStanding[];
}

/** The newest checkpoint: all heads at one moment, signed by a key of the venue. */
export interface CheckpointStanding {
  readonly number: number;
  readonly at: number;
  readonly events: number;
  readonly key: string;
}

/** What the anchor remembers, and whether the journal still holds it. */
export interface AnchorStanding {
  readonly number: number;
  readonly at: number;
  readonly fault: string | null;
}

/** What a witness co-signed last, and whether the journal still holds it. */
export interface WitnessStanding {
  readonly public: string;
  readonly number: number;
  readonly at: number;
  /** How many checkpoints there are after it. */
  readonly behind: number;
  readonly fault: string | null;
}

/** The process answers. */
export interface Alive {
  readonly alive: boolean;
  readonly at: number;
}

/** Whether every stream takes commands, and what stands in the way where not. */
export interface Ready {
  readonly ready: boolean;
  readonly stopping: boolean;
  /** Streams that are suspended, by name; why is shown to the pit. */
  readonly suspended: readonly string[];
  readonly journal: boolean;
  readonly room: boolean;
  /**
   * Of a node: its name and roles, whether it is heard of, so that it may decide, and which
   * nodes have streams and are out of its reach.
   */
  readonly node: string | null;
  readonly roles: readonly string[];
  readonly heard: boolean;
  readonly unreached: readonly string[];
}

/** A stream that takes commands. */
export interface Resumed {
  readonly stream: string;
  readonly version: number;
}

/** A Player Terminal with its key and its credits, in minor units. */
export interface DemoTerminal {
  readonly table: string;
  readonly terminal: string;
  readonly key: string;
  readonly credits: number;
}
