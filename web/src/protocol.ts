// Written by `python -m tools.protocol_pages --write`; not edited by hand.

/** The version of the protocol that these types are of. */
export const PROTOCOL = 1;

/** Bytes that a frame may have, from either side. */
export const FRAME_MAX = 65536;

/** Messages that a frame may hold, one a line. */
export const MESSAGES_MAX = 64;

/** The fields of a `TableView` that are maps. */
export const TABLE_MAPS = ["rounds", "totals"] as const;

/** The fields of a `PositionView` that are maps. */
export const POSITION_MAPS = ["bets"] as const;

/** What a client sends. */
export type ClientMessage =
  | Hello
  | Watch
  | Unwatch
  | Ask
  | Grant
  | Deal
  | Ping;

/** What the server sends. */
export type ServerMessage =
  | Welcome
  | TableSnapshot
  | TerminalSnapshot
  | Public
  | Private
  | Staff
  | Steps
  | Exposure
  | ChipTableView
  | Countdown
  | Dealer
  | Suspended
  | VoucherPrinted
  | Registered
  | Refused
  | Done
  | Notice
  | Fault
  | Pong;

/** What can be asked over the socket. */
export type WireCommand =
  | Decline
  | AdoptDepartures
  | PlaceBets
  | WithdrawBets
  | ClearBets
  | EnterRoundByHand
  | CollectLosers
  | AssignColour
  | BuyColour
  | ConvertColour
  | ReleaseColour
  | OpenDay
  | ReceiveFill
  | SendCredit
  | ReturnCredit
  | CountDrop
  | CloseDay
  | RecordBets
  | CorrectRecord
  | TakeBackBets
  | RejectExcess
  | AdvisePlayer
  | PutBetRight
  | LeaveSeat
  | RecordRecovery
  | RefuseLateBet
  | SeparateStack
  | RuleOnBet
  | TakeSeat
  | BuyChips
  | ExchangeChips
  | VoidSettledRounds
  | CorrectSettledRound
  | Rule
  | ReportDamage
  | FindUndamaged
  | RecordInterruption
  | DeclareOutcome
  | ResumePlay
  | ReportIrregularity
  | AnnounceVoid
  | RegisterEquipment
  | WithdrawEquipment
  | SwitchOn
  | RunTest
  | VerifyTest
  | TryTumbler
  | ReadSeal
  | CashOut
  | SetOwnLimits
  | EndOwnLimits
  | BarTerminal
  | LiftBar
  | ClearLock
  | OpenBets
  | CloseBets
  | PressFace
  | EnterResult
  | ConfirmResult
  | AmendResult
  | Settle
  | MarkTerminalFailed
  | ReturnTerminal
  | SetWinAside
  | AdoptRulebook
  | SetLimits
  | RegisterDice
  | OpenTable
  | GiveNotice
  | CloseTable
  | Rectify
  | DeclareSafeProcedure
  | RecordTumble
  | LiftCover
  | OpenShift
  | CloseShift
  | SendFill
  | ReceiveCredit
  | ReturnFill
  | PayUnclaimed
  | SetVoucherTerms
  | TakeVoucher
  | RenameVenue
  | PlaceTable
  | AcceptClock;

/** What can be asked at all; over the socket one meets it where it waits for approval. */
export type AnyCommand =
  | Approve
  | Decline
  | CloseTransit
  | SetDepartures
  | AdoptDepartures
  | PlaceBets
  | WithdrawBets
  | ClearBets
  | EnterRoundByHand
  | CollectLosers
  | AssignColour
  | BuyColour
  | ConvertColour
  | ReleaseColour
  | OpenDay
  | ReceiveFill
  | SendCredit
  | ReturnCredit
  | CountDrop
  | CloseDay
  | RecordBets
  | CorrectRecord
  | TakeBackBets
  | RejectExcess
  | AdvisePlayer
  | PutBetRight
  | LeaveSeat
  | RecordRecovery
  | RefuseLateBet
  | SeparateStack
  | RuleOnBet
  | TakeSeat
  | BuyChips
  | ExchangeChips
  | VoidSettledRounds
  | CorrectSettledRound
  | Rule
  | ReportDamage
  | FindUndamaged
  | RecordInterruption
  | DeclareOutcome
  | ResumePlay
  | ReportIrregularity
  | AnnounceVoid
  | RegisterEquipment
  | WithdrawEquipment
  | SwitchOn
  | RunTest
  | VerifyTest
  | TryTumbler
  | ReadSeal
  | ReceiveCredits
  | CashOut
  | LoseTerminal
  | RestoreTerminal
  | SetOwnLimits
  | EndOwnLimits
  | BarTerminal
  | LiftBar
  | ClearLock
  | ReleaseUnclaimed
  | PublishChain
  | RevealSecret
  | AbandonChain
  | RetireChain
  | OpenBets
  | CloseBets
  | PressFace
  | EnterResult
  | ConfirmResult
  | AmendResult
  | Settle
  | MarkTerminalFailed
  | ReturnTerminal
  | EndSession
  | SetWinAside
  | CreateTable
  | EnrolTerminal
  | AdoptRulebook
  | SetLimits
  | RegisterDice
  | OpenTable
  | GiveNotice
  | CloseTable
  | Rectify
  | DeclareSafeProcedure
  | RecordTumble
  | LiftCover
  | OpenShift
  | CloseShift
  | SendFill
  | ReceiveCredit
  | ReturnFill
  | PayUnclaimed
  | CloseClaim
  | OpenCage
  | SetVoucherTerms
  | SellVoucher
  | PrintVoucher
  | TakeVoucher
  | PayVoucher
  | VoidVoucher
  | SkipSerials
  | ReplaceVoucherKey
  | AcknowledgeAlert
  | AssignAlert
  | DrainNode
  | MoveStream
  | OpenVenue
  | RenameVenue
  | RecordDealer
  | PlaceTable
  | AdmitTable
  | ReplaceSealingKey
  | AcceptClock
  | RestoreVenue
  | TakeOverVenue
  | EngageStaff
  | AppointStaff
  | ChangeRoles
  | SuspendStaff
  | ReinstateStaff
  | DismissStaff
  | MakeCode
  | GiveCode
  | RecordCredentials
  | RecordLogIn
  | RecordLockOut
  | RecordLogOut
  | IssueTerminalKey
  | WithdrawTerminal
  | RecordSecondConnection;

/** What everybody who watches a table is sent. */
export type AnyPublicEvent =
  | PublicRulebookAdopted
  | PublicLimitsSet
  | PublicTableOpened
  | PublicNoticeGiven
  | PublicTableClosed
  | PublicRoundStarted
  | PublicBetsOpened
  | PublicTumbleRecorded
  | PublicBetsClosed
  | PublicResultsDisagreed
  | PublicResultEntered
  | PublicResultConfirmed
  | PublicResultAmended
  | PublicRoundSettled
  | PublicRoundVoided
  | PublicChainPublished
  | PublicSecretRevealed
  | PublicChainAbandoned
  | PublicChainRetired
  | PublicIrregularityReported
  | PublicReportDeclined
  | PublicVoidAnnounced
  | PublicInterruptionRecorded
  | PublicPlayResumed
  | PublicTableStopped
  | PublicTableRectified
  | PublicSafeProcedureDeclared
  | PublicRoundsReversed
  | PublicRoundResettled
  | PublicSeatTaken
  | PublicSeatLeft
  | PublicColourAssigned
  | PublicColourReleased
  | PublicLosersCollected;

/** What one terminal alone is sent. */
export type AnyPrivateEvent =
  | PrivateBetsRegistered
  | PrivateBetsWithdrawn
  | PrivateBetsRejected
  | PrivateRoundSettled
  | PrivateRoundVoided
  | PrivateRoundsCorrected
  | PrivateCreditsReceived
  | PrivateCashedOut
  | PrivateSessionEnded
  | PrivateSessionEndedByStaff
  | PrivateWinSetAside
  | PrivateOwnLimitsSet
  | PrivateOwnLimitsEnded
  | PrivateTerminalLost
  | PrivateTerminalRestored
  | PrivateTerminalFailed
  | PrivateTerminalReturned
  | PrivateTerminalBarred
  | PrivateBarLifted
  | PrivateTerminalLocked
  | PrivateLockCleared
  | PrivateRulingRecorded;

/** What staff are sent, as the journal has it. */
export type AnyEvent =
  | ApprovalRequested
  | CommandApproved
  | CommandDeclined
  | TransitClosed
  | DeparturesSet
  | DeparturesAdopted
  | BetsRegistered
  | BetsWithdrawn
  | RoundVoided
  | RoundDealtByHand
  | HandPaymentDiffered
  | LosersCollected
  | ColourAssigned
  | ColourBought
  | ColourConverted
  | ColourReleased
  | DayOpened
  | FloatFilled
  | FloatCredited
  | CreditReturned
  | DropCounted
  | DayClosed
  | BetsRecorded
  | RecordCorrected
  | BetsTakenBack
  | ExcessRejected
  | PlayerAdvised
  | AdvisedBetReturned
  | BetPutRight
  | RecoveryRecorded
  | LateBetRefused
  | StackSeparated
  | BetRuled
  | SeatTaken
  | SeatLeft
  | PlayerWalkedAway
  | UnclaimedSetAside
  | ChipsBought
  | ChipsExchanged
  | RoundsReversed
  | RoundResettled
  | RulingRecorded
  | DiceQuarantined
  | DiceFoundUndamaged
  | InterruptionRecorded
  | OutcomeTestified
  | PlayResumed
  | IrregularityReported
  | ReportDeclined
  | VoidAnnounced
  | EquipmentRegistered
  | EquipmentWithdrawn
  | EquipmentSwitchedOn
  | LayoutTested
  | LightsVerified
  | TumblerTried
  | SealRead
  | CreditsReceived
  | CashedOut
  | SessionEnded
  | TerminalLost
  | TerminalRestored
  | OwnLimitsSet
  | OwnLimitsEnded
  | TerminalBarred
  | BarLifted
  | TerminalLocked
  | LockCleared
  | UnclaimedReleased
  | ChainPublished
  | SecretRevealed
  | ChainAbandoned
  | ChainRetired
  | RoundStarted
  | BetsOpened
  | BetsClosed
  | FacePressed
  | ResultReported
  | ResultsDisagreed
  | ResultEntered
  | ResultConfirmed
  | ResultAmended
  | RoundSettled
  | TerminalFailed
  | TerminalReturned
  | SessionEndedByStaff
  | WinSetAside
  | TableCreated
  | TerminalEnrolled
  | RulebookAdopted
  | LimitsSet
  | DiceRegistered
  | TableOpened
  | NoticeGiven
  | TableClosed
  | TableStopped
  | TableRectified
  | SafeProcedureDeclared
  | TumbleRecorded
  | CoverLifted
  | ShiftOpened
  | ShiftClosed
  | FillSent
  | CreditReceived
  | FillReturned
  | UnclaimedPaid
  | ClaimClosed
  | CageOpened
  | VoucherTermsSet
  | VoucherIssued
  | VoucherTaken
  | VoucherPaid
  | VoucherVoided
  | SerialsSkipped
  | VoucherKeyReplaced
  | AlertAcknowledged
  | AlertAssigned
  | NodeDrained
  | StreamMoved
  | VenueOpened
  | VenueRenamed
  | DealerChanged
  | TablePlaced
  | TableAdmitted
  | SealingKeyReplaced
  | ClockAccepted
  | VenueRestored
  | VenueTakenOver
  | StaffAppointed
  | RolesChanged
  | StaffSuspended
  | StaffReinstated
  | StaffDismissed
  | CodeMade
  | CredentialsSet
  | LoggedIn
  | LockedOut
  | LoggedOut
  | TerminalKeyIssued
  | TerminalWithdrawn
  | TerminalConnectedTwice;

/** Three dice. */
export type Faces = readonly [number, number, number];

/** Who somebody is in the venue. */
export type Role =
  | "dealer"
  | "pit-manager"
  | "shift-manager"
  | "supervisor"
  | "auditor"
  | "cage"
  | "device"
  | "system"
  | "technician"
  | "terminal";

/** A language that sentences are made in. */
export type Language =
  | "en"
  | "zh-Hans"
  | "zh-Hant";

/**
 * Say who this is: a terminal with its key, staff with a session, or a visitor with neither.
 *
 * In a browser the session comes as a cookie instead. `after` is the last sequence that a
 * terminal has of its private channel: what it missed is sent, or a snapshot. `checkpoint` is
 * the newest that one was ever told of: where a venue ends before it, its pit is told. `client`
 * is which program this is, so that the house sees which machine has an old page.
 */
export interface Hello {
  readonly type: "Hello";
  /** The version of the protocol. */
  readonly protocol: number;
  /** The terminal and its key; with neither this nor a session one is a visitor. */
  readonly terminal?: TerminalKey | null;
  /** The token of a session, from logging in over HTTP. */
  readonly session?: string | null;
  /** The language of the sentences that are sent. */
  readonly language?: Language;
  /** The last sequence one has of the terminal's private channel. */
  readonly after?: number | null;
  /** The number of the newest checkpoint: that was seen, that there is, or that a backup holds. */
  readonly checkpoint?: number | null;
  /** Which program this is, and of which version: of a page, the file it began with. */
  readonly client?: string;
}

/** A Player Terminal, and the key it was given when it was enrolled. */
export interface TerminalKey {
  /** The table's name. */
  readonly table: string;
  /** The terminal's name. */
  readonly terminal: string;
  /** The key that the terminal got when it was enrolled. */
  readonly key: string;
}

/**
 * Watch a table's public channel, and its staff channel where one may.
 *
 * `after` is the last sequence one has of the channel.
 */
export interface Watch {
  readonly type: "Watch";
  /** The table's name. */
  readonly table: string;
  /** The last sequence one has of the table's public channel. */
  readonly after?: number | null;
}

/** Watch a table no longer. */
export interface Unwatch {
  readonly type: "Unwatch";
  /** The table's name. */
  readonly table: string;
}

/**
 * Ask a table, or `cage`, to do something; the id is the sender's own and begins with the time.
 *
 * The same id with the same content gets the same answer, whenever and however often it is sent.
 */
export interface Ask {
  readonly type: "Ask";
  /** A table's name, `cage`, or for approvals `venue`. */
  readonly to: string;
  /**
   * The sender's own: the time it was made in milliseconds, a dash, and any text; 80 characters
   * at most.
   */
  readonly id: string;
  /** What is asked for. */
  readonly command: WireCommand;
}

/** The second person does not agree; what lasts is declined with a reason. */
export interface Decline {
  readonly type: "Decline";
  /** The hash of the command that waits for its second person. */
  readonly pending: string;
  /** In the words of whoever did it. */
  readonly note?: string;
}

/** Have written departures stand at this table besides those of its plan: all of them, anew. */
export interface AdoptDepartures {
  readonly type: "AdoptDepartures";
  /**
   * Written departures from what a rulebook is approved for: rulebook, aspect, who approved it,
   * reference.
   */
  readonly departures: readonly Departure[];
}

/** A written departure from what a rulebook is approved for: who approved it, which paper. */
export type Departure = readonly [
  /** Which rules the table plays by. */
  rulebook: string,
  /** What is departed from: `operator`, `form`, `dice` or `date`. */
  aspect: "date" | "dice" | "form" | "operator",
  /** Who approved it. */
  approved_by: string,
  /** The paper that says so. */
  reference: string,
];

/** Put amounts on boxes for a terminal; all of them are registered, or none. */
export interface PlaceBets {
  readonly type: "PlaceBets";
  /** The terminal's name. */
  readonly terminal: string;
  /** The boxes and how much on each. */
  readonly bets: readonly BoxStake[];
  /** The round that is meant: in any other it is refused; null: whichever is under way. */
  readonly round?: number | null;
}

/** An amount on a box. */
export type BoxStake = readonly [
  /** The betting box. */
  box: string,
  /** How much is on it, in minor units. */
  stake: number,
];

/** Take amounts back from boxes while bets are open. */
export interface WithdrawBets {
  readonly type: "WithdrawBets";
  /** The terminal's name. */
  readonly terminal: string;
  /** The boxes and how much on each. */
  readonly bets: readonly BoxStake[];
  /** The round that is meant: in any other it is refused; null: whichever is under way. */
  readonly round?: number | null;
}

/** Take back everything that is bet for a terminal. */
export interface ClearBets {
  readonly type: "ClearBets";
  /** The terminal's name. */
  readonly terminal: string;
  /** The round that is meant: in any other it is refused; null: whichever is under way. */
  readonly round?: number | null;
}

/**
 * Enter a round that was dealt by hand: its stacks, its dice and what was paid.
 *
 * Without stacks it is the round under way with those that are recorded.
 */
export interface EnterRoundByHand {
  readonly type: "EnterRoundByHand";
  /** What the dice showed. */
  readonly faces: readonly number[];
  /** What each player was paid by hand, beside the stakes; who is not named was paid nothing. */
  readonly paid: readonly SeatPaid[];
  /** What lay on the layout at the close; null: what is recorded of the round under way. */
  readonly stacks?: readonly SeatStack[] | null;
  /** In the words of whoever did it. */
  readonly note?: string;
}

/** What a player was paid by hand for all winning bets, beside the stakes. */
export type SeatPaid = readonly [
  /** The seat at a chip table, by its number. */
  seat: string,
  /** What was paid, in cents. */
  amount: number,
];

/** Chips of a player on a box, as they lay at the close. */
export type SeatStack = readonly [
  /** The seat at a chip table, by its number. */
  seat: string,
  /** The betting box. */
  box: string,
  /** Chips, each kind once, from the bottom of the stack up. */
  chips: readonly Pieces[],
];

/** So many pieces of one chip: a value chip by its denomination, another by its colour. */
export type Pieces = readonly [
  /** A value chip by its denomination, another by its colour. */
  chip: number | string,
  /** How many pieces. */
  count: number,
];

/** Say that the losing bets are collected, and that what was collected wrongly is back. */
export interface CollectLosers {
  readonly type: "CollectLosers";
}

/** Give a player a colour at a value, marked on the display rack. */
export interface AssignColour {
  readonly type: "AssignColour";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The colour of non-value chips. */
  readonly colour: string;
  /** What one piece of the colour is worth. */
  readonly value: number;
}

/** Buy chips of the player's own colour, for cash or for value chips. */
export interface BuyColour {
  readonly type: "BuyColour";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** How many pieces. */
  readonly count: number;
  /** What was paid or counted in cash. */
  readonly cash?: number;
  /** The value chips that the player pays with. */
  readonly given?: readonly Pieces[];
}

/** Turn chips of the player's own colour back into value chips. */
export interface ConvertColour {
  readonly type: "ConvertColour";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** How many pieces. */
  readonly count: number;
}

/** Take a player's colour back, when no piece of it is out. */
export interface ReleaseColour {
  readonly type: "ReleaseColour";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
}

/** Open a gaming day with a count of the rack. */
export interface OpenDay {
  readonly type: "OpenDay";
  /** The date of the gaming day. */
  readonly date: string;
  /** What was counted in the rack. */
  readonly count: readonly Pieces[];
}

/** Take a fill from the cage into the rack. */
export interface ReceiveFill {
  readonly type: "ReceiveFill";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
}

/** Send chips of the rack to the cage. */
export interface SendCredit {
  readonly type: "SendCredit";
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
}

/** Put chips back into the rack that were sent to the cage and not received there. */
export interface ReturnCredit {
  readonly type: "ReturnCredit";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
}

/** Count the drop box: its cash, and its chips for value. */
export interface CountDrop {
  readonly type: "CountDrop";
  /** What was paid or counted in cash. */
  readonly cash: number;
  /** What the chips in the drop box are worth. */
  readonly chips: number;
}

/** Close the gaming day with a count of the rack. */
export interface CloseDay {
  readonly type: "CloseDay";
  /** What was counted in the rack. */
  readonly count: readonly Pieces[];
}

/**
 * Record chips as they are on the layout, of one player on several boxes.
 *
 * Once dice can be seen, one box at a time, with a reason and a supervisor's agreement.
 */
export interface RecordBets {
  readonly type: "RecordBets";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The chips on each box. */
  readonly bets: readonly BoxChips[];
  /** Whether the bet was spoken, its chips handed to the dealer. */
  readonly oral?: boolean;
  /** Whether staff did it for the player. */
  readonly on_behalf?: boolean;
  /** In the words of whoever did it. */
  readonly note?: string;
}

/** Chips on a box. */
export type BoxChips = readonly [
  /** The betting box. */
  box: string,
  /** Chips, each kind once, from the bottom of the stack up. */
  chips: readonly Pieces[],
];

/** Record anew what one player has on one box. */
export interface CorrectRecord {
  readonly type: "CorrectRecord";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The betting box. */
  readonly box: string;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Give a player back what they no longer want to bet. */
export interface TakeBackBets {
  readonly type: "TakeBackBets";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The chips on each box. */
  readonly bets: readonly BoxChips[];
}

/** Reject chips that lie beyond a limit, before the close. */
export interface RejectExcess {
  readonly type: "RejectExcess";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The betting box. */
  readonly box: string;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
}

/** Tell a player that a bet is below the minimum. */
export interface AdvisePlayer {
  readonly type: "AdvisePlayer";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The betting box. */
  readonly box: string;
}

/** Move a bet to where its player had meant it, in a case that the document allows. */
export interface PutBetRight {
  readonly type: "PutBetRight";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The box that the bet was recorded on. */
  readonly from_box: string;
  /** The box that it was meant for. */
  readonly to_box: string;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
  /** Which of the cases that the document allows. */
  readonly reason: "moved-by-dealer" | "moved-by-patron" | "touching-line";
  /** In the words of whoever did it. */
  readonly note: string;
}

/**
 * Leave the table; with bets on the layout the player walks away from them.
 *
 * Pieces of a colour do not leave the table: `converts` turns them into value chips first.
 */
export interface LeaveSeat {
  readonly type: "LeaveSeat";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** Whether pieces in front of the player are converted first; else whoever has any stays. */
  readonly converts?: boolean;
}

/** Say how much of what a reversal takes from a player could not be had. */
export interface RecordRecovery {
  readonly type: "RecordRecovery";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** How much could not be had. */
  readonly missing: number;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Refuse chips that were placed after the close, and note it. */
export interface RefuseLateBet {
  readonly type: "RefuseLateBet";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The betting box. */
  readonly box: string;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
  /** In the words of whoever did it. */
  readonly note?: string;
}

/** Put a player's value chips and coloured ones on a box beside each other. */
export interface SeparateStack {
  readonly type: "SeparateStack";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The betting box. */
  readonly box: string;
}

/** The shift manager's ruling on a bet: it stands, plays with less, or is returned. */
export interface RuleOnBet {
  readonly type: "RuleOnBet";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The betting box. */
  readonly box: string;
  /** Whether it stands as it lies, plays with a part, or is returned. */
  readonly verdict: "plays" | "returned" | "stands";
  /** In the words of whoever did it. */
  readonly note: string;
  /** How much of the bet plays, where a part does; null otherwise. */
  readonly plays?: number | null;
}

/** Let a player sit down at a chip table. */
export interface TakeSeat {
  readonly type: "TakeSeat";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
}

/** Buy value chips for cash, or for chips for value, which both go into the drop box. */
export interface BuyChips {
  readonly type: "BuyChips";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
  /** What was paid or counted in cash. */
  readonly cash: number;
  /** What was paid in chips for value, into the drop box. */
  readonly dropped?: number;
}

/** Change chips at the change block. */
export interface ExchangeChips {
  readonly type: "ExchangeChips";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The chips that the player gives. */
  readonly given: readonly Pieces[];
  /** The chips that the player takes. */
  readonly taken: readonly Pieces[];
}

/**
 * Void the rounds that damaged dice touched.
 *
 * Without a name the set in use is meant, or the last that was put away.
 */
export interface VoidSettledRounds {
  readonly type: "VoidSettledRounds";
  /** From which round on. */
  readonly first: number;
  /** In the words of whoever did it. */
  readonly note: string;
  /** The name of the set; null: the one in use. */
  readonly dice_set?: string | null;
}

/** Settle a settled round again by the dice that were really shown. */
export interface CorrectSettledRound {
  readonly type: "CorrectSettledRound";
  /** The number of the round. */
  readonly round: number;
  /** The dice. */
  readonly faces: readonly number[];
  /** In the words of whoever did it. */
  readonly note: string;
}

/** The shift manager's ruling where no clause covers what happened. */
export interface Rule {
  readonly type: "Rule";
  /** In the words of whoever did it. */
  readonly note: string;
  /** The money to be moved. */
  readonly postings?: readonly Posting[];
  /** Whether the round under way is void. */
  readonly voids_round?: boolean;
}

/** Money moved from one account to another; there is no other way to move it. */
export type Posting = readonly [
  /** The account the money comes from. */
  source: string,
  /** The account the money goes to. */
  destination: string,
  /** How much, in minor units. */
  amount: number,
];

/** Say that dice are damaged; without a name, the set in use is meant. */
export interface ReportDamage {
  readonly type: "ReportDamage";
  /** In the words of whoever did it. */
  readonly note: string;
  /** The name of the set of dice. */
  readonly dice_set?: string | null;
}

/** Say that dice in quarantine are not damaged after all. */
export interface FindUndamaged {
  readonly type: "FindUndamaged";
  /** The name of the set of dice. */
  readonly dice_set: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Record a technical interruption; what becomes of the round depends on how far it was. */
export interface RecordInterruption {
  readonly type: "RecordInterruption";
  /** In the words of whoever did it. */
  readonly note?: string;
}

/**
 * Say what the dice showed, or with no faces that no outcome was established.
 *
 * `testified` is what both persons saw and the journal lacks.
 */
export interface DeclareOutcome {
  readonly type: "DeclareOutcome";
  /** The dice; null: no outcome was established. */
  readonly faces?: readonly number[] | null;
  /**
   * What both persons saw and the journal lacks: that the bets were closed, that the dice were
   * tumbled.
   */
  readonly testified?: readonly ("closed" | "tumbled")[];
}

/** Say that everything which happened meanwhile is entered, and play goes on as it stands. */
export interface ResumePlay {
  readonly type: "ResumePlay";
  /** In the words of whoever did it. */
  readonly note?: string;
}

/** Report something that is not as it should be; the rulebook says what follows. */
export interface ReportIrregularity {
  readonly type: "ReportIrregularity";
  /** Which irregularity, as the rulebook names it. */
  readonly code: string;
  /** In the words of whoever did it. */
  readonly note?: string;
}

/** Record that the dealer has announced what the document has announced of a void round. */
export interface AnnounceVoid {
  readonly type: "AnnounceVoid";
}

/** Say which piece of equipment is in use: its rack, its bell, its reader, by number or name. */
export interface RegisterEquipment {
  readonly type: "RegisterEquipment";
  /** Which piece of equipment, as the rulebook names it. */
  readonly equipment: string;
  /** Its number or name. */
  readonly identity: string;
}

/** Take a registered piece of equipment, or the set of dice in use, away from the table. */
export interface WithdrawEquipment {
  readonly type: "WithdrawEquipment";
  /** What the dice come from. */
  readonly equipment: string;
}

/** Say that the electronic equipment is on, and what it has its power from. */
export interface SwitchOn {
  readonly type: "SwitchOn";
  /** What the electronic equipment has its power from. */
  readonly power: string;
}

/** Enter faces on the closed table, so that the layout lights as it would for them. */
export interface RunTest {
  readonly type: "RunTest";
  /** The dice. */
  readonly faces: readonly number[];
}

/** Say whether the areas that were lit are the right ones. */
export interface VerifyTest {
  readonly type: "VerifyTest";
  /** Whether the areas that were lit are the right ones. */
  readonly right: boolean;
  /** In the words of whoever did it. */
  readonly note?: string;
}

/** Say how often the tumbler tumbled when it was activated to try it. */
export interface TryTumbler {
  readonly type: "TryTumbler";
  /** How many times. */
  readonly times: number;
}

/** Read the seal of the dice in the tumbler: what is on it, and whether it is whole. */
export interface ReadSeal {
  readonly type: "ReadSeal";
  /** The number of its seal. */
  readonly seal: string;
  /** Whether the seal is whole. */
  readonly intact?: boolean;
}

/** Turn all free credits of a terminal into a voucher. */
export interface CashOut {
  readonly type: "CashOut";
  /** The terminal's name. */
  readonly terminal: string;
}

/** Set a player's own limits on loss and time; null sets none. */
export interface SetOwnLimits {
  readonly type: "SetOwnLimits";
  /** The terminal's name. */
  readonly terminal: string;
  /** The most the player wants to lose; null: no limit. */
  readonly loss?: number | null;
  /** How long the player wants to play, in seconds; null: no limit. */
  readonly session_seconds?: number | null;
}

/** End the limits that a player has set for themself, as they ask for. */
export interface EndOwnLimits {
  readonly type: "EndOwnLimits";
  /** The terminal's name. */
  readonly terminal: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Let a terminal take no more bets. */
export interface BarTerminal {
  readonly type: "BarTerminal";
  /** The terminal's name. */
  readonly terminal: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Let a barred terminal bet again. */
export interface LiftBar {
  readonly type: "LiftBar";
  /** The terminal's name. */
  readonly terminal: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Unlock a terminal that a large win had locked. */
export interface ClearLock {
  readonly type: "ClearLock";
  /** The terminal's name. */
  readonly terminal: string;
}

/** Begin a round: bets may be placed. */
export interface OpenBets {
  readonly type: "OpenBets";
}

/** Say “no more bets”: what came before it is taken, what comes after is refused. */
export interface CloseBets {
  readonly type: "CloseBets";
  /** Whether the bell was rung. */
  readonly bell?: boolean;
}

/** Press one face on the dealer's keys; three of them are a result to enter. */
export interface PressFace {
  readonly type: "PressFace";
  /** The face: 1 to 6. */
  readonly face: number;
}

/** Enter three faces; without them, the last three pressed. */
export interface EnterResult {
  readonly type: "EnterResult";
  /** The dice; null: the last three faces pressed. */
  readonly faces?: readonly number[] | null;
}

/** Confirm the result that was entered: the winning boxes are lit and the result called. */
export interface ConfirmResult {
  readonly type: "ConfirmResult";
}

/** Put right a result that was entered wrongly, before it is settled. */
export interface AmendResult {
  readonly type: "AmendResult";
  /** The dice. */
  readonly faces: readonly number[];
}

/** Collect losing bets and pay winning ones. */
export interface Settle {
  readonly type: "Settle";
}

/** Take a terminal that does not work out of service. */
export interface MarkTerminalFailed {
  readonly type: "MarkTerminalFailed";
  /** The terminal's name. */
  readonly terminal: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Let a terminal that works again take bets and credits. */
export interface ReturnTerminal {
  readonly type: "ReturnTerminal";
  /** The terminal's name. */
  readonly terminal: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Take a win that locked a terminal off it, to be paid by hand at the cage. */
export interface SetWinAside {
  readonly type: "SetWinAside";
  /** The terminal's name. */
  readonly terminal: string;
}

/** Take a rulebook for a closed table, with one of its pay tables. */
export interface AdoptRulebook {
  readonly type: "AdoptRulebook";
  /** The rulebook's canonical content, as JSON in a string. */
  readonly canonical: string;
  /** The number of the pay table. */
  readonly pay_table: number;
}

/** Set the minimum, the maximum, the step and the Differential of a table. */
export interface SetLimits {
  readonly type: "SetLimits";
  /** The limits, as they were asked for. */
  readonly limits: LimitsAsked;
}

/** Limits as a person sets them on a table; `boxes` overrides by box or kind. */
export interface LimitsAsked {
  /** The least that may lie on a box. */
  readonly minimum: number;
  /** The most that may lie on a box. */
  readonly maximum: number;
  /** Stakes are multiples of this; null: of what the odds need to pay whole units. */
  readonly step?: number | null;
  /** How far Big and Small, or Odd and Even, may be apart; null: no such limit. */
  readonly differential?: number | null;
  /** For a box or a kind of box its own minimum and maximum; null: the table's. */
  readonly boxes?: { readonly [name: string]: readonly [number | null, number | null] };
}

/** Put a sealed set of dice into use. */
export interface RegisterDice {
  readonly type: "RegisterDice";
  /** The name of the set of dice. */
  readonly dice_set: string;
  /** The number of its seal. */
  readonly seal: string;
}

/** Open a table that has its rulebook, limits, dice and checks. */
export interface OpenTable {
  readonly type: "OpenTable";
}

/** Say that the table closes after this round. */
export interface GiveNotice {
  readonly type: "GiveNotice";
}

/** Close a table between rounds. */
export interface CloseTable {
  readonly type: "CloseTable";
}

/** Say that the trouble which stopped the table has been put right. */
export interface Rectify {
  readonly type: "Rectify";
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Let a stopped table play on by a procedure that was found safe. */
export interface DeclareSafeProcedure {
  readonly type: "DeclareSafeProcedure";
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Record that the dice were tumbled, and whether they lay as they must. */
export interface RecordTumble {
  readonly type: "RecordTumble";
  /** How many times. */
  readonly times: number;
  /** Whether every die lay flat. */
  readonly flat?: boolean;
  /** Whether the dice were covered. */
  readonly concealed?: boolean;
}

/** Say that the cover is lifted: from here on the dice can be seen. */
export interface LiftCover {
  readonly type: "LiftCover";
}

/** Open a cashier's shift with a count of the drawer. */
export interface OpenShift {
  readonly type: "OpenShift";
  /** What was counted in the drawer. */
  readonly count: number;
}

/** Close a cashier's shift, one's own or another's, with a count of the drawer. */
export interface CloseShift {
  readonly type: "CloseShift";
  /** What was counted in the drawer. */
  readonly count: number;
}

/** Send chips from the cage to a table. */
export interface SendFill {
  readonly type: "SendFill";
  /** The table's name. */
  readonly table: string;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
}

/** Take chips that a table sent into the cage. */
export interface ReceiveCredit {
  readonly type: "ReceiveCredit";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** The table's name. */
  readonly table: string;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
}

/** Put chips back into the cage that were sent to a table and not received there. */
export interface ReturnFill {
  readonly type: "ReturnFill";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
}

/**
 * Pay all that a table has set aside for a session, against its code.
 *
 * What a chip table has set aside are chips, and those are handed over; else it is cash.
 */
export interface PayUnclaimed {
  readonly type: "PayUnclaimed";
  /** The code of the session, sixteen digits; never journaled. */
  readonly code: string;
  /** The table's name. */
  readonly table: string;
  /** The session of a position, by the name it has at its table; empty where it is of none. */
  readonly session: string;
  /** How much, in minor units. */
  readonly amount: number;
  /** Whether the chips are handed over that a chip table set aside; else it is paid in cash. */
  readonly in_chips?: boolean;
}

/** Say how long vouchers are good from now on, and above what two persons are asked. */
export interface SetVoucherTerms {
  readonly type: "SetVoucherTerms";
  /** For how many days a voucher is good. */
  readonly voucher_days: number;
  /** Vouchers above this take two persons; null: none do. */
  readonly approve_above?: number | null;
}

/** Take a voucher at a terminal: its value goes into transit to the table. */
export interface TakeVoucher {
  readonly type: "TakeVoucher";
  /** The voucher's number, as it is printed. */
  readonly number: string;
  /** The table's name. */
  readonly table: string;
  /** The terminal's name. */
  readonly terminal: string;
}

/** Call the house by another name; its currency and its operator stay. */
export interface RenameVenue {
  readonly type: "RenameVenue";
  /** What the house is to be called. */
  readonly name: string;
}

/**
 * Say where a table stands on the map of the floor: column and row, from 1 on.
 *
 * Without a place it stands where the floor plan has it, or in the rows of the others.
 */
export interface PlaceTable {
  readonly type: "PlaceTable";
  /** The journal's name of it: `table/` and the table's name, `cage`, or `venue`. */
  readonly stream: string;
  /** Where the terminal stands. */
  readonly place?: readonly [number, number] | null;
}

/**
 * Accept that the machine's clock is right, so far ahead of the venue's time [D35].
 *
 * `database_ms` is how far the database's clock is ahead of the machine's, where that is in
 * doubt.
 */
export interface AcceptClock {
  readonly type: "AcceptClock";
  /** How far the machine's clock is ahead of the venue's time, in milliseconds. */
  readonly ahead_ms: number;
  /**
   * How far the database's clock is ahead of the machine's, in milliseconds; 0 where they agree.
   */
  readonly database_ms?: number;
}

/** Approve what waits for a second person, with one's own PIN; `to` may be `venue` too. */
export interface Grant {
  readonly type: "Grant";
  /** A table's name, `cage`, or for approvals `venue`. */
  readonly to: string;
  /**
   * The sender's own: the time it was made in milliseconds, a dash, and any text; 80 characters
   * at most.
   */
  readonly id: string;
  /** The hash of the command that waits for its second person. */
  readonly pending: string;
  /** The `last` of the answer to whoever asked first. */
  readonly version: number;
  /** The second person's own PIN. */
  readonly pin: string;
}

/** Hand a table over to the automatic dealer, or take it back as the person who asks. */
export interface Deal {
  readonly type: "Deal";
  /** The table's name. */
  readonly table: string;
  /**
   * The sender's own: the time it was made in milliseconds, a dash, and any text; 80 characters
   * at most.
   */
  readonly id: string;
  /** Whether the automatic dealer is to deal. */
  readonly automatic: boolean;
}

/** Ask for a `Pong`. */
export interface Ping {
  readonly type: "Ping";
  /** Any number; the `Pong` has the same. */
  readonly number?: number;
}

/**
 * Who one is taken for, the venue, and its time, which ids must begin with.
 *
 * `checkpoint` is the number of the newest that the venue has signed, to be remembered.
 * `gateways` are all addresses at which the venue is reached: whoever loses this one comes back
 * by another.
 */
export interface Welcome {
  readonly type: "Welcome";
  /** The version of the protocol. */
  readonly protocol: number;
  /** The venue's name. */
  readonly venue: string;
  /** The currency, by its three letters; amounts are in its minor units. */
  readonly currency: string;
  /** The venue's time now, in milliseconds since 1970; ids begin with it. */
  readonly at: number;
  /** The tables one may watch. */
  readonly tables: readonly string[];
  /** Who one is taken for. */
  readonly role: Role | "visitor";
  /** The person's or the terminal's name; missing for a visitor. */
  readonly name?: string | null;
  /** Whether this is a venue for trying things out, with play money. */
  readonly demo?: boolean;
  /** The number of the newest checkpoint: that was seen, that there is, or that a backup holds. */
  readonly checkpoint?: number;
  /** Addresses of the venue, each like https://10.0.0.5:8888; none where there is but this one. */
  readonly gateways?: readonly string[];
}

/** A table as it is at a sequence; everything known of its public channel before is replaced. */
export interface TableSnapshot {
  readonly type: "TableSnapshot";
  /** The table's name. */
  readonly table: string;
  /** What this message brings the channel to. */
  readonly sequence: number;
  /** The venue's time now. */
  readonly at: number;
  /** Everything one may see now. */
  readonly view: TableView;
  /** When the automatic dealer will close the bets, by the venue's time. */
  readonly closes_at?: number | null;
  /** Who deals. */
  readonly dealer?: "automatic" | "person";
  /** Whether the table takes nothing for now. */
  readonly suspended?: boolean;
}

/** A table as everybody may see it. */
export interface TableView {
  /** The table's name. */
  readonly table: string;
  /** The currency, by its three letters; amounts are in its minor units. */
  readonly currency: string;
  /**
   * `new`, `closed`, `ready` (open, no round under way), `tumbled` (where that comes first),
   * `betting`, `no-more-bets`, `result` (entered, to be confirmed) or `confirmed` (to be
   * settled).
   */
  readonly phase: string;
  /** The number of the round under way, or of the last one. */
  readonly round: number;
  /**
   * Where the dice come from: `keyed` by a person, `simulated`, `verifiable` by a secret, or by
   * a `reader`.
   */
  readonly tumbler: string;
  /** Which rules the table plays by. */
  readonly rulebook: RulebookName | null;
  /** Who operates the house; nobody does a demo. */
  readonly operator: string | null;
  /** What the rulebook is not approved for and is played all the same. */
  readonly apart: readonly Apart[];
  /** The limits in force; `boxes` has those of every box that has its own. */
  readonly limits: LimitsAsked | null;
  /**
   * The limit sign line by line, where limits differ; empty where they are the same on every
   * box.
   */
  readonly sign: readonly SignLine[];
  /** What is bet in all on each box that has anything, in minor units. */
  readonly totals: { readonly [name: string]: number };
  /** How many terminals are enrolled. */
  readonly terminals: number;
  /** Whether the dice of the round are tumbled. */
  readonly tumbled: boolean;
  /** Whether those dice can be seen: they have no cover, it is lifted, or they were read. */
  readonly uncovered: boolean;
  /** The dice entered in this round; null: none yet. */
  readonly faces: Faces | null;
  /** The result as the dealer calls it. */
  readonly call: string | null;
  /** The winning boxes. */
  readonly winners: readonly string[];
  /** The faces of a test run on the closed table, until somebody has said what was lit. */
  readonly tested: Faces | null;
  /** The boxes that are lit, in the order of the document. */
  readonly lit: readonly string[];
  /** Sets of dice that are damaged and put away, the newest last. */
  readonly put_away: readonly string[];
  /** Whether the table closes after this round. */
  readonly notice_given: boolean;
  /** Why the table has stopped: the clause; null: it has not. */
  readonly stopped: string | null;
  /**
   * What was reported of the dice and waits for a supervisor: the bets are closed, and the round
   * is in doubt.
   */
  readonly doubts: readonly string[];
  /** Whether an interrupted round waits for two persons to declare its outcome. */
  readonly waiting: boolean;
  /** The commitment to the secrets of a verifiable tumbler; null: there is none. */
  readonly commitment: string | null;
  /** The latest finished rounds, by their numbers. */
  readonly rounds: { readonly [name: string]: RoundSummary };
  /** Whether bets come through terminals, or a dealer records chips on a layout. */
  readonly form: "chips" | "terminals";
  /** How many seats a chip table has; an electronic one has none. */
  readonly seats: number;
  /** The seats of a chip table that are taken. */
  readonly taken: readonly string[];
  /** The display rack of a chip table: whose colour is worth what. */
  readonly marked: readonly MarkedColour[];
  /** Whether the losing bets of a chip table are collected, and the winning ones not yet paid. */
  readonly paying: boolean;
  /**
   * Whether two persons have yet to say what happened at a chip table while the system was away.
   */
  readonly interrupted: boolean;
}

/** Which rules a table plays by; the rest of them is at `/api/rulebooks`. */
export interface RulebookName {
  /** The rulebook's name among those of the venue. */
  readonly key: string;
  /** The title of the document. */
  readonly title: string;
  /** The version of the document, if it has one. */
  readonly version: string | null;
  /** The fingerprint of the rulebook's canonical content. */
  readonly sha256: string;
  /** The rulebook and the number of the pay table, as odds and layouts are asked for. */
  readonly pay_table: string;
}

/**
 * Something that a rulebook is not approved for and is played all the same [D30].
 *
 * A real house has a written departure for it; a demo has nobody's.
 */
export interface Apart {
  /** What is departed from: `operator`, `form`, `dice` or `date`. */
  readonly aspect: string;
  /** Who approved the departure; null in a demo, where nobody did. */
  readonly approved_by: string | null;
  /** The paper that says so; null in a demo. */
  readonly reference: string | null;
}

/** A line of the limit sign: the limits of one box, or of each box of a kind without a line. */
export interface SignLine {
  /** A box, or a kind: then it is of all boxes of it that have no line of their own. */
  readonly name: string;
  /** The least that may lie on a box. */
  readonly minimum: number;
  /** The most that may lie on a box. */
  readonly maximum: number;
}

/** A finished round, for the roads; without faces it was void before any were entered. */
export interface RoundSummary {
  /** The number of the round. */
  readonly round: number;
  /** The dice; null: the round was void before any were entered. */
  readonly faces: Faces | null;
  /** Whether the round was void. */
  readonly void: boolean;
  /** The sum of the three dice. */
  readonly total: number | null;
  /**
   * How the dice are entered on the road of Big and Small; null: the round was void before any
   * were entered.
   */
  readonly size: "big" | "small" | "triple" | null;
  /**
   * How the dice are entered on the road of Odd and Even; null: the round was void before any
   * were entered.
   */
  readonly parity: "even" | "odd" | "triple" | null;
}

/** A colour on the display rack: whose it is, and what the marker button says a piece is. */
export interface MarkedColour {
  /** The colour of non-value chips. */
  readonly colour: string;
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** What one piece of the colour is worth. */
  readonly value: number;
}

/** A terminal as it is at a sequence of its private channel. */
export interface TerminalSnapshot {
  readonly type: "TerminalSnapshot";
  /** What this message brings the channel to. */
  readonly sequence: number;
  /** The venue's time now. */
  readonly at: number;
  /** Everything one may see now. */
  readonly view: PositionView;
}

/** A terminal as it is: its money, and its bets on the table. */
export interface PositionView {
  /** The table's name. */
  readonly table: string;
  /** The terminal's name. */
  readonly terminal: string;
  /** Where the terminal stands. */
  readonly place: string;
  /** Its free credits, in minor units. */
  readonly credits: number;
  /** What it has bet on the table, in minor units. */
  readonly staked: number;
  /** What it has on each box, in minor units. */
  readonly bets: { readonly [name: string]: number };
  /** Whether a large win has locked it. */
  readonly locked: boolean;
  /** Whether it may not bet. */
  readonly barred: boolean;
  /** Whether staff have taken it out of service. */
  readonly failed: boolean;
  /** The most the player wants to lose; null: no limit. */
  readonly loss_limit: number | null;
  /** How long the player wants to play, in seconds; null: no limit. */
  readonly session_seconds: number | null;
  /** When the player's session began; null: there is none. */
  readonly session_began: number | null;
  /** The last round it had bets in, settled or void. */
  readonly last: RoundOutcome | null;
}

/** How a round came out for a terminal; a void one has no faces, and says by which clause. */
export interface RoundOutcome {
  /** The number of the round. */
  readonly round: number;
  /** What came of each of its bets. */
  readonly lines: readonly Line[];
  /** Everything that came back: stake and winnings. */
  readonly back: number;
  /** What was won beyond the stake. */
  readonly won?: number;
  /** The dice; null: the round was void. */
  readonly faces?: Faces | null;
  /** The clause of the rulebook that says so. */
  readonly clause?: string | null;
}

/** One box settled: what it won, everything that came back, and by which clause. */
export interface Line {
  /** The betting box. */
  readonly box: string;
  /** How much is on it, in minor units. */
  readonly stake: number;
  /** What was won beyond the stake. */
  readonly won?: number;
  /** Everything that came back: stake and winnings. */
  readonly back?: number;
  /** Odds to 1 that were paid, as a whole number or a fraction. */
  readonly odds?: string | null;
  /** The clause of the rulebook that says so. */
  readonly clause?: string | null;
  /** Why, in the language of the `Hello`. */
  readonly sentence?: string | null;
}

/**
 * What happened at a table, and what it changed in the table's view.
 *
 * Bets are announced to nobody else: what they change in `totals` comes ten times a second at
 * the most, with no events.
 */
export interface Public {
  readonly type: "Public";
  /** The table's name. */
  readonly table: string;
  /** What this message brings the channel to. */
  readonly sequence: number;
  /** The sequence that this message follows. */
  readonly after: number;
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
  /** What happened, in its order. */
  readonly events?: readonly AnyPublicEvent[];
  /** What is different in the view now; see [the changes](#changes). */
  readonly changes?: TableChanges;
}

/** The table plays by this rulebook from now on. */
export interface PublicRulebookAdopted {
  readonly type: "RulebookAdopted";
  /** The rulebook's name among those of the venue. */
  readonly key: string;
  /** The fingerprint of the rulebook's canonical content. */
  readonly sha256: string;
  /** The number of the pay table. */
  readonly pay_table: number;
}

/** Other limits are in force; they are in the table's view. */
export interface PublicLimitsSet {
  readonly type: "LimitsSet";
}

/** The table is open. */
export interface PublicTableOpened {
  readonly type: "TableOpened";
}

/** The table will close after this round. */
export interface PublicNoticeGiven {
  readonly type: "NoticeGiven";
}

/** The table is closed. */
export interface PublicTableClosed {
  readonly type: "TableClosed";
}

/** A round began. */
export interface PublicRoundStarted {
  readonly type: "RoundStarted";
  /** The number of the round. */
  readonly round: number;
  /** When the round began. */
  readonly at: number;
}

/** Bets may be placed. */
export interface PublicBetsOpened {
  readonly type: "BetsOpened";
  /** What the dealer says; null: the Player Terminals gave notice of it. */
  readonly words: string | null;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
}

/** The dice were tumbled. */
export interface PublicTumbleRecorded {
  readonly type: "TumbleRecorded";
  /** How many times. */
  readonly times: number;
}

/** Bets are closed, by the dealer's words or at once for a report that may void the round. */
export interface PublicBetsClosed {
  readonly type: "BetsClosed";
  /** What the dealer says. */
  readonly words: string;
  /** Whether the bell was rung. */
  readonly bell: boolean;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /**
   * The irregularity for which the bets are closed at once; null: they were closed in their
   * turn.
   */
  readonly report: string | null;
  /** Whether the Player Terminals display the words, instead of a dealer who calls them. */
  readonly displayed: boolean;
}

/** Two readings of the dice differ: neither is the result. */
export interface PublicResultsDisagreed {
  readonly type: "ResultsDisagreed";
}

/** The dice, and the call in words. */
export interface PublicResultEntered {
  readonly type: "ResultEntered";
  /** The dice. */
  readonly faces: Faces;
  /** The sum of the three dice. */
  readonly total: number;
  /** The result as the dealer calls it. */
  readonly call: string;
}

/** The winning boxes, to be lit. */
export interface PublicResultConfirmed {
  readonly type: "ResultConfirmed";
  /** The dice. */
  readonly faces: Faces;
  /** The winning boxes. */
  readonly winners: readonly string[];
}

/** The result was entered wrongly and has been put right before settlement. */
export interface PublicResultAmended {
  readonly type: "ResultAmended";
  /** The dice. */
  readonly faces: Faces;
  /** The sum of the three dice. */
  readonly total: number;
  /** The result as the dealer calls it. */
  readonly call: string;
  /** The dice as they had been entered. */
  readonly before: Faces;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
}

/** Losing bets are collected and winning ones paid; `odds` are of the winning boxes. */
export interface PublicRoundSettled {
  readonly type: "RoundSettled";
  /** The number of the round. */
  readonly round: number;
  /** The dice. */
  readonly faces: Faces;
  /** The odds to 1 that each winning box with bets on it paid. */
  readonly odds: { readonly [name: string]: string };
  /** The sum of the three dice. */
  readonly total: number;
  /**
   * How the dice are entered on the road of Big and Small; null: the round was void before any
   * were entered.
   */
  readonly size: "big" | "small" | "triple";
  /**
   * How the dice are entered on the road of Odd and Even; null: the round was void before any
   * were entered.
   */
  readonly parity: "even" | "odd" | "triple";
}

/** Every bet of the round was returned; `sentence` says why. */
export interface PublicRoundVoided {
  readonly type: "RoundVoided";
  /** The number of the round. */
  readonly round: number;
  /** For which irregularity. */
  readonly code: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** Why, in the language of the `Hello`. */
  readonly sentence: string;
}

/** The commitment to the secrets of a verifiable tumbler, from round `first` on. */
export interface PublicChainPublished {
  readonly type: "ChainPublished";
  /** The end of the chain of secrets, as hexadecimal digits. */
  readonly commitment: string;
  /** How many secrets the chain has. */
  readonly length: number;
  /** The first round that it serves. */
  readonly first: number;
}

/** The secret of a round that is over: whoever has the commitment can check the dice. */
export interface PublicSecretRevealed {
  readonly type: "SecretRevealed";
  /** The number of the round. */
  readonly round: number;
  /** The secret of the round, as hexadecimal digits. */
  readonly secret: string;
  /** The dice that follow from the secret. */
  readonly drawn: Faces;
  /** Whether those dice were shown. */
  readonly agrees: boolean;
}

/** No secret of the chain serves another round. */
export interface PublicChainAbandoned {
  readonly type: "ChainAbandoned";
}

/**
 * The venue cannot show that its journal is the newest: no secret of the chain serves another
 * round.
 */
export interface PublicChainRetired {
  readonly type: "ChainRetired";
}

/** Something is not as it should be; `ruling` says what follows by the rulebook. */
export interface PublicIrregularityReported {
  readonly type: "IrregularityReported";
  /** Which irregularity, as the rulebook names it. */
  readonly code: string;
  /** What follows by the rulebook. */
  readonly ruling: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
  /** Whether the round is in doubt until a supervisor, not who reported it, agrees or declines. */
  readonly in_doubt: boolean;
}

/** What put the round in doubt is found not to have happened: it goes on, bets closed. */
export interface PublicReportDeclined {
  readonly type: "ReportDeclined";
  /** The number of the round. */
  readonly round: number;
  /** What it is, as a word that programs compare. */
  readonly code: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** Whether the dice are tumbled anew before the round goes on. */
  readonly tumbles_again: boolean;
}

/** The dealer has announced a void spin by the document's words; it is void without, too. */
export interface PublicVoidAnnounced {
  readonly type: "VoidAnnounced";
  /** The number of the round. */
  readonly round: number;
  /** What the dealer says. */
  readonly words: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
}

/**
 * A technical interruption: the round goes on, waits for a declaration, or is void; at a chip
 * table two persons say what happened meanwhile.
 */
export interface PublicInterruptionRecorded {
  readonly type: "InterruptionRecorded";
  /** What follows by the rulebook. */
  readonly ruling: "conclude" | "none" | "testify" | "void-round" | "wait";
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
}

/** It has been said what happened at a chip table meanwhile, and play goes on. */
export interface PublicPlayResumed {
  readonly type: "PlayResumed";
}

/** The table has stopped until its trouble is put right. */
export interface PublicTableStopped {
  readonly type: "TableStopped";
  /** The clause of the rulebook that says so. */
  readonly clause: string;
}

/** The trouble that stopped the table has been put right. */
export interface PublicTableRectified {
  readonly type: "TableRectified";
}

/** The table plays on by a procedure that was found safe. */
export interface PublicSafeProcedureDeclared {
  readonly type: "SafeProcedureDeclared";
}

/** Settled rounds were voided afterwards; each terminal is netted over all of them. */
export interface PublicRoundsReversed {
  readonly type: "RoundsReversed";
  /** The numbers of the rounds. */
  readonly rounds: readonly number[];
  /** The clause of the rulebook that says so. */
  readonly clause: string;
}

/** A settled round was settled again by the dice that were really shown. */
export interface PublicRoundResettled {
  readonly type: "RoundResettled";
  /** The number of the round. */
  readonly round: number;
  /** The dice. */
  readonly faces: Faces;
  /** The dice as they had been entered. */
  readonly before: Faces;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** The sum of the three dice. */
  readonly total: number;
  /**
   * How the dice are entered on the road of Big and Small; null: the round was void before any
   * were entered.
   */
  readonly size: "big" | "small" | "triple";
  /**
   * How the dice are entered on the road of Odd and Even; null: the round was void before any
   * were entered.
   */
  readonly parity: "even" | "odd" | "triple";
}

/** A player sat down. */
export interface PublicSeatTaken {
  readonly type: "SeatTaken";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
}

/** A seat of a chip table is free, and so is the colour its player had. */
export interface PublicSeatLeft {
  readonly type: "SeatLeft";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
}

/** A colour is one player's, at the value marked on the display rack. */
export interface PublicColourAssigned {
  readonly type: "ColourAssigned";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The colour of non-value chips. */
  readonly colour: string;
  /** What one piece of the colour is worth. */
  readonly value: number;
}

/** A colour is nobody's any more. */
export interface PublicColourReleased {
  readonly type: "ColourReleased";
  /** The colour of non-value chips. */
  readonly colour: string;
}

/** Losing bets are collected at a chip table; the winning ones are paid next. */
export interface PublicLosersCollected {
  readonly type: "LosersCollected";
  /** The number of the round. */
  readonly round: number;
}

/** New values of some fields of a `TableView`; of maps, the entries to set. */
export interface TableChanges {
  /** What the rulebook is not approved for and is played all the same. */
  readonly apart?: readonly Apart[];
  /** The result as the dealer calls it. */
  readonly call?: string | null;
  /** The commitment to the secrets of a verifiable tumbler; null: there is none. */
  readonly commitment?: string | null;
  /** The currency, by its three letters; amounts are in its minor units. */
  readonly currency?: string;
  /**
   * What was reported of the dice and waits for a supervisor: the bets are closed, and the round
   * is in doubt.
   */
  readonly doubts?: readonly string[];
  /** The dice entered in this round; null: none yet. */
  readonly faces?: Faces | null;
  /** Whether bets come through terminals, or a dealer records chips on a layout. */
  readonly form?: "chips" | "terminals";
  /**
   * Whether two persons have yet to say what happened at a chip table while the system was away.
   */
  readonly interrupted?: boolean;
  /** The limits in force; `boxes` has those of every box that has its own. */
  readonly limits?: LimitsAsked | null;
  /** The boxes that are lit, in the order of the document. */
  readonly lit?: readonly string[];
  /** The display rack of a chip table: whose colour is worth what. */
  readonly marked?: readonly MarkedColour[];
  /** Whether the table closes after this round. */
  readonly notice_given?: boolean;
  /** Who operates the house; nobody does a demo. */
  readonly operator?: string | null;
  /** Whether the losing bets of a chip table are collected, and the winning ones not yet paid. */
  readonly paying?: boolean;
  /**
   * `new`, `closed`, `ready` (open, no round under way), `tumbled` (where that comes first),
   * `betting`, `no-more-bets`, `result` (entered, to be confirmed) or `confirmed` (to be
   * settled).
   */
  readonly phase?: string;
  /** Sets of dice that are damaged and put away, the newest last. */
  readonly put_away?: readonly string[];
  /** The number of the round under way, or of the last one. */
  readonly round?: number;
  /** The latest finished rounds, by their numbers. */
  readonly rounds?: { readonly [name: string]: RoundSummary | null } | null;
  /** Which rules the table plays by. */
  readonly rulebook?: RulebookName | null;
  /** How many seats a chip table has; an electronic one has none. */
  readonly seats?: number;
  /**
   * The limit sign line by line, where limits differ; empty where they are the same on every
   * box.
   */
  readonly sign?: readonly SignLine[];
  /** Why the table has stopped: the clause; null: it has not. */
  readonly stopped?: string | null;
  /** The table's name. */
  readonly table?: string;
  /** The seats of a chip table that are taken. */
  readonly taken?: readonly string[];
  /** How many terminals are enrolled. */
  readonly terminals?: number;
  /** The faces of a test run on the closed table, until somebody has said what was lit. */
  readonly tested?: Faces | null;
  /** What is bet in all on each box that has anything, in minor units. */
  readonly totals?: { readonly [name: string]: number | null } | null;
  /** Whether the dice of the round are tumbled. */
  readonly tumbled?: boolean;
  /**
   * Where the dice come from: `keyed` by a person, `simulated`, `verifiable` by a secret, or by
   * a `reader`.
   */
  readonly tumbler?: string;
  /** Whether those dice can be seen: they have no cover, it is lifted, or they were read. */
  readonly uncovered?: boolean;
  /** Whether an interrupted round waits for two persons to declare its outcome. */
  readonly waiting?: boolean;
  /** The winning boxes. */
  readonly winners?: readonly string[];
}

/**
 * What happened to this terminal, and what it changed in the terminal's view.
 *
 * With an `id` it is the answer, too, to the bets that were sent under that id: they are
 * registered, with `sequence` as their version, and no `Registered` follows.
 */
export interface Private {
  readonly type: "Private";
  /** The table's name. */
  readonly table: string;
  /** What this message brings the channel to. */
  readonly sequence: number;
  /** The sequence that this message follows. */
  readonly after: number;
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
  /** What happened, in its order. */
  readonly events?: readonly AnyPrivateEvent[];
  /** What is different in the view now; see [the changes](#changes). */
  readonly changes?: PositionChanges;
  /** The id of the bets that this answers. */
  readonly id?: string | null;
}

/** Bets on the table, for good; `on_behalf` when staff placed them for the player. */
export interface PrivateBetsRegistered {
  readonly type: "BetsRegistered";
  /** The boxes and how much on each. */
  readonly bets: readonly BoxStake[];
  /** Whether staff did it for the player. */
  readonly on_behalf?: boolean;
}

/** Bets were taken back from the table. */
export interface PrivateBetsWithdrawn {
  readonly type: "BetsWithdrawn";
  /** The boxes and how much on each. */
  readonly bets: readonly BoxStake[];
  /** Whether staff did it for the player. */
  readonly on_behalf?: boolean;
}

/** What the Differential left as excess at the close, given back. */
export interface PrivateBetsRejected {
  readonly type: "BetsRejected";
  /** The boxes and how much on each. */
  readonly bets: readonly BoxStake[];
  /** The clause of the rulebook that says so. */
  readonly clause?: string | null;
}

/** A round that the terminal had bets in is settled; its lines are in `last` of the view. */
export interface PrivateRoundSettled {
  readonly type: "RoundSettled";
  /** The number of the round. */
  readonly round: number;
}

/** A void round: what was bet on it is returned, and is in `last` of the view. */
export interface PrivateRoundVoided {
  readonly type: "RoundVoided";
  /** The number of the round. */
  readonly round: number;
  /** For which irregularity. */
  readonly code: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
}

/** Settled rounds put right: given to the terminal, or taken from its free credits. */
export interface PrivateRoundsCorrected {
  readonly type: "RoundsCorrected";
  /** The numbers of the rounds. */
  readonly rounds: readonly number[];
  /** What it was given. */
  readonly given: number;
  /** What was taken from its free credits. */
  readonly taken: number;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
}

/** Credits arrived at the terminal. */
export interface PrivateCreditsReceived {
  readonly type: "CreditsReceived";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** How much, in minor units. */
  readonly amount: number;
}

/** Credits on their way to the cage; the voucher follows as `VoucherPrinted`. */
export interface PrivateCashedOut {
  readonly type: "CashedOut";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** How much, in minor units. */
  readonly amount: number;
}

/** A player without credits has left; their own limits go with them. */
export interface PrivateSessionEnded {
  readonly type: "SessionEnded";
}

/** Staff ended the session; what it held is set aside, and paid at the cage by its code. */
export interface PrivateSessionEndedByStaff {
  readonly type: "SessionEndedByStaff";
  /** How much, in minor units. */
  readonly amount: number;
}

/** The win that locked the terminal is set aside, and paid by hand at the cage by its code. */
export interface PrivateWinSetAside {
  readonly type: "WinSetAside";
  /** How much, in minor units. */
  readonly amount: number;
}

/** The limits that the player set for themselves. */
export interface PrivateOwnLimitsSet {
  readonly type: "OwnLimitsSet";
  /** The most the player wants to lose; null: no limit. */
  readonly loss: number | null;
  /** How long the player wants to play, in seconds; null: no limit. */
  readonly session_seconds: number | null;
}

/** The player's own limits are over, by staff or ten minutes after the session. */
export interface PrivateOwnLimitsEnded {
  readonly type: "OwnLimitsEnded";
}

/** The terminal is out of reach; what is registered for it stays and settles. */
export interface PrivateTerminalLost {
  readonly type: "TerminalLost";
  /** The clause of the rulebook that says so. */
  readonly clause?: string | null;
}

/** The terminal is back. */
export interface PrivateTerminalRestored {
  readonly type: "TerminalRestored";
}

/** The terminal is out of service; its registered bets settle. */
export interface PrivateTerminalFailed {
  readonly type: "TerminalFailed";
  /** The clause of the rulebook that says so. */
  readonly clause?: string | null;
}

/** The terminal is in service again. */
export interface PrivateTerminalReturned {
  readonly type: "TerminalReturned";
}

/** The terminal takes no more bets. */
export interface PrivateTerminalBarred {
  readonly type: "TerminalBarred";
}

/** The terminal may bet again. */
export interface PrivateBarLifted {
  readonly type: "BarLifted";
}

/** A large win locks the terminal until an attendant comes. */
export interface PrivateTerminalLocked {
  readonly type: "TerminalLocked";
  /** What was won beyond the stake. */
  readonly won: number;
}

/** The terminal is unlocked. */
export interface PrivateLockCleared {
  readonly type: "LockCleared";
}

/** A ruling of the shift manager moved money of this terminal. */
export interface PrivateRulingRecorded {
  readonly type: "RulingRecorded";
  /** The clause of the rulebook that says so. */
  readonly clause: string;
}

/** New values of some fields of a `PositionView`; of maps, the entries to set. */
export interface PositionChanges {
  /** Whether it may not bet. */
  readonly barred?: boolean;
  /** What it has on each box, in minor units. */
  readonly bets?: { readonly [name: string]: number | null } | null;
  /** Its free credits, in minor units. */
  readonly credits?: number;
  /** Whether staff have taken it out of service. */
  readonly failed?: boolean;
  /** The last round it had bets in, settled or void. */
  readonly last?: RoundOutcome | null;
  /** Whether a large win has locked it. */
  readonly locked?: boolean;
  /** The most the player wants to lose; null: no limit. */
  readonly loss_limit?: number | null;
  /** Where the terminal stands. */
  readonly place?: string;
  /** When the player's session began; null: there is none. */
  readonly session_began?: number | null;
  /** How long the player wants to play, in seconds; null: no limit. */
  readonly session_seconds?: number | null;
  /** What it has bet on the table, in minor units. */
  readonly staked?: number;
  /** The table's name. */
  readonly table?: string;
  /** The terminal's name. */
  readonly terminal?: string;
}

/**
 * What happened at a table or in the cage, for staff: the events as the journal has them.
 *
 * Bets are not among them: their boxes are in the table's view. `log` has each event in the
 * reader's language, in the same order; null stands for one that a log leaves out. It is empty
 * where the message would be too long with it.
 */
export interface Staff {
  readonly type: "Staff";
  /** A table's name, `cage` or `venue`. */
  readonly to: string;
  /** What this message brings the channel to. */
  readonly sequence: number;
  /** The sequence that this message follows. */
  readonly after: number;
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
  /** What happened, in its order. */
  readonly events: readonly AnyEvent[];
  /** What a log says of each of the `events`; null: it says nothing of that one. */
  readonly log?: readonly (LogLine | null)[];
}

/** A command that takes two persons waits for the second. */
export interface ApprovalRequested {
  readonly type: "ApprovalRequested";
  /** The hash of the command that waits for its second person. */
  readonly pending: string;
  /** The command that waits: its id, who asked, and what for. */
  readonly order: Order;
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
}

/** A command with the id its sender chose for it and who that is. */
export interface Order {
  /**
   * The sender's own: the time it was made in milliseconds, a dash, and any text; 80 characters
   * at most.
   */
  readonly id: string;
  /** Who asks. */
  readonly actor: Actor;
  /** What is asked for. */
  readonly command: AnyCommand;
}

/** Who asks: a person in a role, a terminal, a device, or the system itself. */
export interface Actor {
  /** The person's name, the terminal's, or the device's. */
  readonly person: string;
  /** In which role. */
  readonly role: Role;
}

/** The second person's own command: it names what is pending and the version it was asked at. */
export interface Approve {
  readonly type: "Approve";
  /** The hash of the command that waits for its second person. */
  readonly pending: string;
  /** The `last` of the answer to whoever asked first. */
  readonly version: number;
}

/** Close what was in transit: it has arrived. */
export interface CloseTransit {
  readonly type: "CloseTransit";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
}

/** Say which written departures stand in the plan of this table: all of them, anew. */
export interface SetDepartures {
  readonly type: "SetDepartures";
  /**
   * Written departures from what a rulebook is approved for: rulebook, aspect, who approved it,
   * reference.
   */
  readonly departures: readonly Departure[];
}

/** Give a terminal the credits that are in transit to it. */
export interface ReceiveCredits {
  readonly type: "ReceiveCredits";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** The terminal's name. */
  readonly terminal: string;
  /** How much, in minor units. */
  readonly amount: number;
}

/** Note that a terminal is out of reach. */
export interface LoseTerminal {
  readonly type: "LoseTerminal";
  /** The terminal's name. */
  readonly terminal: string;
}

/** Note that a terminal is back. */
export interface RestoreTerminal {
  readonly type: "RestoreTerminal";
  /** The terminal's name. */
  readonly terminal: string;
}

/** Give up what is set aside for a session: the cage has paid it. */
export interface ReleaseUnclaimed {
  readonly type: "ReleaseUnclaimed";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** The session of a position, by the name it has at its table; empty where it is of none. */
  readonly session: string;
  /** How much, in minor units. */
  readonly amount: number;
}

/** Publish the end of a chain of secrets, with its beginning sealed for the venue alone. */
export interface PublishChain {
  readonly type: "PublishChain";
  /** The end of the chain of secrets, as hexadecimal digits. */
  readonly commitment: string;
  /** How many secrets the chain has. */
  readonly length: number;
  /** The beginning of the chain, sealed with a key of the venue. */
  readonly sealed: string;
}

/** Reveal the secret of a round that is over. */
export interface RevealSecret {
  readonly type: "RevealSecret";
  /** The number of the round. */
  readonly round: number;
  /** The secret of the round, as hexadecimal digits. */
  readonly secret: string;
}

/** Use no more secrets of a chain: from a backup on, those that follow may be known. */
export interface AbandonChain {
  readonly type: "AbandonChain";
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Use no more secrets of a chain: the venue cannot show that its history is the newest. */
export interface RetireChain {
  readonly type: "RetireChain";
  /** In the words of whoever did it. */
  readonly note: string;
}

/** End a player's session; its credits are set aside for whoever has its code. */
export interface EndSession {
  readonly type: "EndSession";
  /** The terminal's name. */
  readonly terminal: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Make a table, with its currency and its equipment. */
export interface CreateTable {
  readonly type: "CreateTable";
  /** The table's name. */
  readonly table: string;
  /** The currency, by its three letters; amounts are in its minor units. */
  readonly currency: string;
  /** What the dice come from. */
  readonly equipment: Equipment;
  /** A win above this locks the terminal until an attendant comes. */
  readonly handpay_threshold: number | null;
  /** The chips of a chip table; an electronic one has none. */
  readonly chips: ChipSet | null;
  /** Who operates the house; nobody does a demo. */
  readonly operator: string | null;
}

/** What the dice come from, and whether a person's reading must agree with it. */
export interface Equipment {
  /**
   * Where the dice come from: `keyed` by a person, `simulated`, `verifiable` by a secret, or by
   * a `reader`.
   */
  readonly tumbler: "keyed" | "reader" | "simulated" | "verifiable";
  /** Whether a person's reading must agree with the device's. */
  readonly read_by_dealer_too: boolean;
}

/** The chips of a chip table: denominations, colours with the pieces of each, and its seats. */
export interface ChipSet {
  /** The denominations, ascending. */
  readonly values: readonly number[];
  /** How many seats there are. */
  readonly seats: number;
  /** The colours of non-value chips. */
  readonly colours: readonly string[];
  /** How many pieces there are of each colour. */
  readonly pieces: number;
}

/** Enrol a Player Terminal at a table. */
export interface EnrolTerminal {
  readonly type: "EnrolTerminal";
  /** The terminal's name. */
  readonly terminal: string;
  /** Where the terminal stands. */
  readonly place: string;
}

/** Note that the table has let go of what was paid here for it. */
export interface CloseClaim {
  readonly type: "CloseClaim";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
}

/** Open the cage, with how long vouchers are good for. */
export interface OpenCage {
  readonly type: "OpenCage";
  /** The currency, by its three letters; amounts are in its minor units. */
  readonly currency: string;
  /** For how many days a voucher is good. */
  readonly voucher_days: number;
  /** Vouchers above this take two persons; null: none do. */
  readonly approve_above: number | null;
}

/** Take cash over the counter and print a voucher for it. */
export interface SellVoucher {
  readonly type: "SellVoucher";
  /** What the voucher is worth, in minor units. */
  readonly value: number;
  /** At which counter. */
  readonly place: string;
}

/** Turn what a terminal cashed out, now in transit, into a voucher. */
export interface PrintVoucher {
  readonly type: "PrintVoucher";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** The table's name. */
  readonly table: string;
  /** The terminal's name. */
  readonly terminal: string;
  /** What the voucher is worth, in minor units. */
  readonly value: number;
  /** The session of a position, by the name it has at its table; empty where it is of none. */
  readonly session: string;
}

/** Pay a voucher out in cash over the counter; what waits for approval names its serial. */
export interface PayVoucher {
  readonly type: "PayVoucher";
  /** The voucher's number, as it is printed. */
  readonly number: string;
  /** Set by the venue where the payment waits for approval. */
  readonly serial: number | null;
}

/** Take a sale over the counter back: the slip is void, and its cash is handed back. */
export interface VoidVoucher {
  readonly type: "VoidVoucher";
  /** The voucher's number, as it is printed. */
  readonly number: string;
  /** In the words of whoever did it. */
  readonly note: string;
  /** Set by the venue while it waits for approval. */
  readonly serial: number | null;
}

/** Leave out serials up to a number: from a backup on, they may be those of vouchers out. */
export interface SkipSerials {
  readonly type: "SkipSerials";
  /** The last serial left out. */
  readonly upto: number;
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Number vouchers by a new key from now on; two persons put it in its place. */
export interface ReplaceVoucherKey {
  readonly type: "ReplaceVoucherKey";
  /** What tells the key from any other, and gives nothing of it away. */
  readonly mark: string;
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
}

/** Say that an alert was seen; `reason` is what it says, `table` where that is, if anywhere. */
export interface AcknowledgeAlert {
  readonly type: "AcknowledgeAlert";
  /** What the pit knows an alert by. */
  readonly alert: string;
  /** Why, as a code with parameters, to be worded in any language. */
  readonly reason: Reason;
  /** The table's name. */
  readonly table: string | null;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** A code and what fills the blanks of its sentence. */
export interface Reason {
  /** The reason, as a word that programs compare. */
  readonly code: string;
  /** What fills the blanks of the sentence; names that end in `_cents` are amounts. */
  readonly params: { readonly [name: string]: number | string };
}

/** Give an alert to a person who is to see to it; whoever takes it names themselves. */
export interface AssignAlert {
  readonly type: "AssignAlert";
  /** What the pit knows an alert by. */
  readonly alert: string;
  /** Why, as a code with parameters, to be worded in any language. */
  readonly reason: Reason;
  /** Who it is about. */
  readonly person: string;
  /** The table's name. */
  readonly table: string | null;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Have a node leave all that it has to others, each table between two rounds. */
export interface DrainNode {
  readonly type: "DrainNode";
  /** The node that is to leave all that it has. */
  readonly node: string;
}

/** Have a table, the cage or the venue's own stream go to a node, once it is at rest. */
export interface MoveStream {
  readonly type: "MoveStream";
  /** `table/` and the table, or `cage` or `venue`. */
  readonly stream: string;
  /** The node that is to have it. */
  readonly node: string;
}

/** Open a venue: its one currency, and whether it is a demo, is settled by its first event. */
export interface OpenVenue {
  readonly type: "OpenVenue";
  /** The venue's name. */
  readonly name: string;
  /** The currency, by its three letters; amounts are in its minor units. */
  readonly currency: string;
  /** Whether this is a venue for trying things out, with play money. */
  readonly demo: boolean;
  /** Who operates the house; nobody does a demo. */
  readonly operator: string;
  /** The hour at which gaming days start. */
  readonly day_starts: number;
  /** By which clocks, under their IANA name. */
  readonly time_zone: string;
}

/** Say that a person handed a table over to the automatic dealer, or took it back. */
export interface RecordDealer {
  readonly type: "RecordDealer";
  /** The journal's name of it: `table/` and the table's name, `cage`, or `venue`. */
  readonly stream: string;
  /** Whether the automatic dealer is to deal. */
  readonly automatic: boolean;
  /** Who did it. */
  readonly by: string;
}

/** Take a table, or the cage, into the venue; it must have the venue's currency. */
export interface AdmitTable {
  readonly type: "AdmitTable";
  /** The journal's name of it: `table/` and the table's name, `cage`, or `venue`. */
  readonly stream: string;
  /** The currency, by its three letters; amounts are in its minor units. */
  readonly currency: string;
}

/** Seal with a new key from now on; two persons put it in its place. */
export interface ReplaceSealingKey {
  readonly type: "ReplaceSealingKey";
  /** What tells the key from any other, and gives nothing of it away. */
  readonly mark: string;
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
}

/** Say by whom a venue was restored from a backup, whose newest checkpoint is named. */
export interface RestoreVenue {
  readonly type: "RestoreVenue";
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
  /** The number of the newest checkpoint: that was seen, that there is, or that a backup holds. */
  readonly checkpoint: number;
}

/**
 * Say by whom the journal was taken from a venue that is lost: which that was, as of when.
 *
 * `epoch` counts the venues that have had it: what is sent as of an earlier one is not written.
 */
export interface TakeOverVenue {
  readonly type: "TakeOverVenue";
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
  /** The venue that had the journal: its machine, and its data directory there. */
  readonly node: string;
  /**
   * Counts the venues that have had the journal; what is sent as of an earlier one is not
   * written.
   */
  readonly epoch: number;
}

/** Take a person on where there is no server to ask: two persons are named by the command. */
export interface EngageStaff {
  readonly type: "EngageStaff";
  /** Who it is about. */
  readonly person: string;
  /** The roles a person may act in. */
  readonly roles: readonly string[];
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
  /** Whether it is one of the two who found the house on its page. */
  readonly founds: boolean;
}

/** Take a person on, in one or more roles. */
export interface AppointStaff {
  readonly type: "AppointStaff";
  /** Who it is about. */
  readonly person: string;
  /** The roles a person may act in. */
  readonly roles: readonly string[];
}

/** Give a person on the staff other roles. */
export interface ChangeRoles {
  readonly type: "ChangeRoles";
  /** Who it is about. */
  readonly person: string;
  /** The roles a person may act in. */
  readonly roles: readonly string[];
}

/** Keep a person out at once, until two others reinstate or dismiss them. */
export interface SuspendStaff {
  readonly type: "SuspendStaff";
  /** Who it is about. */
  readonly person: string;
}

/** Let a person who was suspended in again. */
export interface ReinstateStaff {
  readonly type: "ReinstateStaff";
  /** Who it is about. */
  readonly person: string;
}

/** Let a person go, by two others: their sessions end. */
export interface DismissStaff {
  readonly type: "DismissStaff";
  /** Who it is about. */
  readonly person: string;
}

/** Have a code made with which a person sets password and PIN, half of it for each of two. */
export interface MakeCode {
  readonly type: "MakeCode";
  /** Who it is about. */
  readonly person: string;
}

/** Make a code where there is no server to ask: two persons are named by the command. */
export interface GiveCode {
  readonly type: "GiveCode";
  /** Who it is about. */
  readonly person: string;
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
}

/** Say that a person set password and PIN with the code that was made for them. */
export interface RecordCredentials {
  readonly type: "RecordCredentials";
  /** Who it is about. */
  readonly person: string;
}

/** Put on record that somebody logged in. */
export interface RecordLogIn {
  readonly type: "RecordLogIn";
  /** Who it is about. */
  readonly person: string;
  /** The role they act in. */
  readonly role: Role;
  /** From which address. */
  readonly place: string;
}

/** Put on record that a name was locked out. */
export interface RecordLockOut {
  readonly type: "RecordLockOut";
  /** Who it is about. */
  readonly person: string;
  /** From which address. */
  readonly place: string;
}

/** Put on record that somebody logged out. */
export interface RecordLogOut {
  readonly type: "RecordLogOut";
  /** Who it is about. */
  readonly person: string;
}

/** Give a terminal a key; the key itself is never here. */
export interface IssueTerminalKey {
  readonly type: "IssueTerminalKey";
  /** The table's name. */
  readonly table: string;
  /** The terminal's name. */
  readonly terminal: string;
}

/** Take a terminal away from its table: its key is good for nothing from now on. */
export interface WithdrawTerminal {
  readonly type: "WithdrawTerminal";
  /** The table's name. */
  readonly table: string;
  /** The terminal's name. */
  readonly terminal: string;
}

/** Say that a terminal came with its key from a second place while it was at the first. */
export interface RecordSecondConnection {
  readonly type: "RecordSecondConnection";
  /** The table's name. */
  readonly table: string;
  /** The terminal's name. */
  readonly terminal: string;
  /** The address that the terminal came from last. */
  readonly place: string;
  /** The address that it was still connected from. */
  readonly before: string;
}

/** The second person agreed; what waited is carried out by the events that follow. */
export interface CommandApproved {
  readonly type: "CommandApproved";
  /** The hash of the command that waits for its second person. */
  readonly pending: string;
  /** Who agreed, in which role. */
  readonly by: Actor;
}

/** The second person does not agree, and may have said why. */
export interface CommandDeclined {
  readonly type: "CommandDeclined";
  /** The hash of the command that waits for its second person. */
  readonly pending: string;
  /** Who did not agree, in which role. */
  readonly by: Actor;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** What was in transit has arrived at the other end. */
export interface TransitClosed {
  readonly type: "TransitClosed";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** How much, in minor units. */
  readonly amount: number;
}

/** Which written departures stand in the plan of the table. */
export interface DeparturesSet {
  readonly type: "DeparturesSet";
  /**
   * Written departures from what a rulebook is approved for: rulebook, aspect, who approved it,
   * reference.
   */
  readonly departures: readonly Departure[];
}

/** Two persons have these written departures stand, besides those of the plan. */
export interface DeparturesAdopted {
  readonly type: "DeparturesAdopted";
  /**
   * Written departures from what a rulebook is approved for: rulebook, aspect, who approved it,
   * reference.
   */
  readonly departures: readonly Departure[];
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
}

/** Bets were registered for a terminal. */
export interface BetsRegistered {
  readonly type: "BetsRegistered";
  /** The terminal's name. */
  readonly terminal: string;
  /** The boxes and how much on each. */
  readonly bets: readonly BoxStake[];
  /** The member of staff who did it for the player, if one did. */
  readonly on_behalf_by: string | null;
}

/** Bets were taken back from the table. */
export interface BetsWithdrawn {
  readonly type: "BetsWithdrawn";
  /** The terminal's name. */
  readonly terminal: string;
  /** The boxes and how much on each. */
  readonly bets: readonly BoxStake[];
  /** The member of staff who did it for the player, if one did. */
  readonly on_behalf_by: string | null;
}

/** The round is void, and every bet of it was returned. */
export interface RoundVoided {
  readonly type: "RoundVoided";
  /** The number of the round. */
  readonly round: number;
  /** For which irregularity. */
  readonly code: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** What lay on each box, returned. */
  readonly returned: readonly SettledLine[];
  /** At a chip table, what had been collected and goes back to its boxes. */
  readonly put_back: readonly CollectedChips[];
}

/** The bets of a position on one box, settled: what they won, and what went back in all. */
export type SettledLine = readonly [
  /** The position that the bets are of: a terminal's name, or the number of a seat. */
  position: string,
  /** The betting box. */
  box: string,
  /** How much is on it, in minor units. */
  stake: number,
  /** What was won beyond the stake. */
  won: number,
  /** Everything that came back: stake and winnings. */
  back: number,
];

/** Chips taken off a box; where a stack cannot be split, what goes back out of the rack. */
export type CollectedChips = readonly [
  /** The betting box. */
  box: string,
  /** The seat at a chip table, by its number. */
  seat: string,
  /** How much, in minor units. */
  amount: number,
  /** Chips, each kind once, from the bottom of the stack up. */
  chips: readonly Pieces[],
  /** What goes back where a stack could not be split. */
  change: readonly Pieces[],
];

/** The round was dealt by hand while the system was away, and is entered from here on. */
export interface RoundDealtByHand {
  readonly type: "RoundDealtByHand";
  /** The number of the round. */
  readonly round: number;
  /** Who did it. */
  readonly by: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** A player was paid by hand more, or less, than the dice give. */
export interface HandPaymentDiffered {
  readonly type: "HandPaymentDiffered";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** What the player was paid by hand, in cents. */
  readonly paid: number;
  /** What the dice give, in cents. */
  readonly due: number;
}

/** Losing bets taken off the layout; `put_back` are not lost after all, and lie there again. */
export interface LosersCollected {
  readonly type: "LosersCollected";
  /** The number of the round. */
  readonly round: number;
  /**
   * The chips taken off each box; a stack that cannot be split is taken whole, and change given.
   */
  readonly collected: readonly CollectedChips[];
  /** Who did it. */
  readonly by: string;
  /** What had been collected and is not lost after all. */
  readonly put_back: readonly CollectedChips[];
}

/** A colour is one player's, at the value marked on the display rack. */
export interface ColourAssigned {
  readonly type: "ColourAssigned";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The colour of non-value chips. */
  readonly colour: string;
  /** What one piece of the colour is worth. */
  readonly value: number;
  /** Who did it. */
  readonly by: string;
}

/** A player bought chips of their own colour. */
export interface ColourBought {
  readonly type: "ColourBought";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The colour of non-value chips. */
  readonly colour: string;
  /** How many pieces. */
  readonly count: number;
  /** How much, in minor units. */
  readonly amount: number;
  /** What was paid or counted in cash. */
  readonly cash: number;
  /** The value chips that the player paid with. */
  readonly given: readonly Pieces[];
  /** What came out of the player's pocket, and was not known to be in front of them. */
  readonly brought: number;
  /** Who did it. */
  readonly by: string;
}

/** Chips of a colour were turned back into value chips. */
export interface ColourConverted {
  readonly type: "ColourConverted";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The colour of non-value chips. */
  readonly colour: string;
  /** How many pieces. */
  readonly count: number;
  /** How much, in minor units. */
  readonly amount: number;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
  /** Who did it. */
  readonly by: string;
}

/** A colour is nobody's any more. */
export interface ColourReleased {
  readonly type: "ColourReleased";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The colour of non-value chips. */
  readonly colour: string;
}

/** A gaming day begins with what was counted in the rack; `expected` is what the books say. */
export interface DayOpened {
  readonly type: "DayOpened";
  /** The date of the gaming day. */
  readonly date: string;
  /** What was counted in the rack. */
  readonly count: readonly Pieces[];
  /** How much, in minor units. */
  readonly amount: number;
  /** What should be there by the books. */
  readonly expected: number;
  /** Who did it. */
  readonly by: string;
}

/** Chips came from the cage into the rack. */
export interface FloatFilled {
  readonly type: "FloatFilled";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
  /** How much, in minor units. */
  readonly amount: number;
  /** Who did it. */
  readonly by: string;
}

/** Chips left the rack for the cage. */
export interface FloatCredited {
  readonly type: "FloatCredited";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
  /** How much, in minor units. */
  readonly amount: number;
  /** Who did it. */
  readonly by: string;
}

/** Chips on their way to the cage are in the rack again, but for what is missing of them. */
export interface CreditReturned {
  readonly type: "CreditReturned";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
  /** How much, in minor units. */
  readonly amount: number;
  /** How much of what was sent did not come back. */
  readonly missing: number;
  /** Who did it. */
  readonly by: string;
}

/** The drop box was counted and emptied. */
export interface DropCounted {
  readonly type: "DropCounted";
  /** What was paid or counted in cash. */
  readonly cash: number;
  /** What the chips in the drop box are worth. */
  readonly chips: number;
  /** What should be there by the books. */
  readonly expected: number;
  /** Who did it. */
  readonly by: string;
}

/** A gaming day ends: win is drop + closing - opening - fills + credits. */
export interface DayClosed {
  readonly type: "DayClosed";
  /** The date of the gaming day. */
  readonly date: string;
  /** What was counted in the rack. */
  readonly count: readonly Pieces[];
  /** What was counted at the close. */
  readonly closing: number;
  /** What should be there by the books. */
  readonly expected: number;
  /** What was counted at the opening. */
  readonly opening: number;
  /** What came from the cage that day. */
  readonly fills: number;
  /** What went to the cage that day. */
  readonly credits: number;
  /** What was counted in the drop box that day. */
  readonly drop: number;
  /** Drop and closing, less opening and fills, and credits. */
  readonly win: number;
  /** Who did it. */
  readonly by: string;
}

/**
 * Chips as the dealer read them on the layout.
 *
 * Read after the close, they lay there at the moment that the rulebook names (`lay_at`); `late`
 * where dice could be seen by then.
 */
export interface BetsRecorded {
  readonly type: "BetsRecorded";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The chips on each box, with their worth. */
  readonly bets: readonly RecordedBet[];
  /** What came out of the player's pocket, and was not known to be in front of them. */
  readonly brought: number;
  /** Who did it. */
  readonly by: string;
  /** Whether the bet was spoken, its chips handed to the dealer. */
  readonly oral: boolean;
  /** Whether staff did it for the player. */
  readonly on_behalf: boolean;
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
  /**
   * Of which moment the layout was read once the bets were closed, as the rulebook names it;
   * null while they were open.
   */
  readonly lay_at: "close" | "result" | null;
  /** Whether dice could be seen when it was read. */
  readonly late: boolean;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Chips on a box, and what they are worth at the values marked. */
export type RecordedBet = readonly [
  /** The betting box. */
  box: string,
  /** How much, in minor units. */
  amount: number,
  /** Chips, each kind once, from the bottom of the stack up. */
  chips: readonly Pieces[],
];

/** What one player has on one box, read again; `late` where dice could be seen by then. */
export interface RecordCorrected {
  readonly type: "RecordCorrected";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** What had been recorded. */
  readonly before: RecordedBet;
  /** What was read instead. */
  readonly after: RecordedBet;
  /** What came out of the player's pocket, and was not known to be in front of them. */
  readonly brought: number;
  /** In the words of whoever did it. */
  readonly note: string;
  /** Who did it. */
  readonly by: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
  /**
   * Of which moment the layout was read once the bets were closed, as the rulebook names it;
   * null while they were open.
   */
  readonly lay_at: "close" | "result" | null;
  /** Whether dice could be seen when it was read. */
  readonly late: boolean;
}

/** A player took chips back before the close. */
export interface BetsTakenBack {
  readonly type: "BetsTakenBack";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The chips on each box, with their worth. */
  readonly bets: readonly RecordedBet[];
  /** Who did it. */
  readonly by: string;
}

/** Chips beyond a limit were rejected before the close. */
export interface ExcessRejected {
  readonly type: "ExcessRejected";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The chips on a box, with their worth. */
  readonly bet: RecordedBet;
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
  /** Who did it. */
  readonly by: string;
}

/** A player was told of the minimum, and may add to the bet or take it back. */
export interface PlayerAdvised {
  readonly type: "PlayerAdvised";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The betting box. */
  readonly box: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
  /** Who did it. */
  readonly by: string;
}

/** A bet that its player was advised of, and that stayed under the minimum, is given back. */
export interface AdvisedBetReturned {
  readonly type: "AdvisedBetReturned";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The chips on a box, with their worth. */
  readonly bet: RecordedBet;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** The decision of ours that goes with the clause. */
  readonly decision: string;
  /** Who did it. */
  readonly by: string;
}

/** The operator moved a bet to where it was meant. */
export interface BetPutRight {
  readonly type: "BetPutRight";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The box that the bet was recorded on. */
  readonly from_box: string;
  /** The box that it was meant for. */
  readonly to_box: string;
  /** How much, in minor units. */
  readonly amount: number;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
  /** Which of the cases that the document allows. */
  readonly reason: "moved-by-dealer" | "moved-by-patron" | "touching-line";
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** In the words of whoever did it. */
  readonly note: string;
  /** Who did it. */
  readonly by: string;
}

/** So much of what a reversal takes from a player could not be had. */
export interface RecoveryRecorded {
  readonly type: "RecoveryRecorded";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** How much could not be had. */
  readonly missing: number;
  /** In the words of whoever did it. */
  readonly note: string;
  /** Who did it. */
  readonly by: string;
}

/** Chips placed after the close were refused: they are no bet. */
export interface LateBetRefused {
  readonly type: "LateBetRefused";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The chips on a box, with their worth. */
  readonly bet: RecordedBet;
  /** What was wrong with it. */
  readonly irregularity: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** In the words of whoever did it. */
  readonly note: string;
  /** Who did it. */
  readonly by: string;
}

/** Value and coloured chips that were one stack are two. */
export interface StackSeparated {
  readonly type: "StackSeparated";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The betting box. */
  readonly box: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** Who did it. */
  readonly by: string;
}

/** A bet that awaited a ruling was ruled on; `plays` of it does, all, a part or nothing. */
export interface BetRuled {
  readonly type: "BetRuled";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The chips on a box, with their worth. */
  readonly bet: RecordedBet;
  /** Why it awaited a ruling. */
  readonly why: "advised-bet" | "below-minimum" | "mixed-stack" | "over-limit";
  /** Whether it stands as it lies, plays with a part, or is returned. */
  readonly verdict: "plays" | "returned" | "stands";
  /** How much of the bet plays: all of it, a part, or nothing. */
  readonly plays: number;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** In the words of whoever did it. */
  readonly note: string;
  /** Who did it. */
  readonly by: string;
}

/** A player sat down. */
export interface SeatTaken {
  readonly type: "SeatTaken";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
}

/** A player has left with the chips in front of them, which are no longer the table's affair. */
export interface SeatLeft {
  readonly type: "SeatLeft";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** What the player took along. */
  readonly taken: number;
}

/** A player left while their bets were on the layout: they are settled all the same. */
export interface PlayerWalkedAway {
  readonly type: "PlayerWalkedAway";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** What the player took along. */
  readonly taken: number;
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
}

/** What became of the bets of a player who walked away is set aside for them. */
export interface UnclaimedSetAside {
  readonly type: "UnclaimedSetAside";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The session of a position, by the name it has at its table; empty where it is of none. */
  readonly session: string;
  /** How much, in minor units. */
  readonly amount: number;
}

/** A player bought value chips out of the rack. */
export interface ChipsBought {
  readonly type: "ChipsBought";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
  /** What was paid or counted in cash. */
  readonly cash: number;
  /** What was paid in chips for value, into the drop box. */
  readonly dropped: number;
  /** Who did it. */
  readonly by: string;
}

/** Chips changed at the change block; `brought` was not known to be in front of the player. */
export interface ChipsExchanged {
  readonly type: "ChipsExchanged";
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The chips that the player gave. */
  readonly given: readonly Pieces[];
  /** The chips that the player took. */
  readonly taken: readonly Pieces[];
  /** What came out of the player's pocket, and was not known to be in front of them. */
  readonly brought: number;
  /** Who did it. */
  readonly by: string;
}

/**
 * Settled rounds are void; a large reversal is several such events of one decision [D24].
 *
 * Each session is netted once, over all the rounds of all of them.
 */
export interface RoundsReversed {
  readonly type: "RoundsReversed";
  /** The first of the rounds. */
  readonly first: number;
  /** The last of the rounds. */
  readonly last: number;
  /** The numbers of the rounds. */
  readonly rounds: readonly number[];
  /** What each terminal was given and what was taken from it. */
  readonly netted: readonly Netted[];
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** In the words of whoever did it. */
  readonly note: string;
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
  /** Sessions that have ended since: what is set aside for each, or lost. */
  readonly gone: readonly Netted[];
  /** Which part of a large reversal this is. */
  readonly part: number;
  /** How many parts the reversal has; it is netted over all of them. */
  readonly parts: number;
}

/**
 * One position or session netted over what is put right.
 *
 * What is given to it, what is taken from it, what is not recovered, and what of an earlier
 * shortfall is covered by what it is due now.
 */
export type Netted = readonly [
  /** The position that the bets are of: a terminal's name, or the number of a seat. */
  position: string,
  /** What it was given. */
  given: number,
  /** What was taken from its free credits. */
  taken: number,
  /** What could not be recovered. */
  shortfall: number,
  /** What was due and had before: an earlier correction could not recover it. */
  covered: number,
];

/** A settled round was settled again by the dice that were really shown. */
export interface RoundResettled {
  readonly type: "RoundResettled";
  /** The number of the round. */
  readonly round: number;
  /** The dice. */
  readonly faces: Faces;
  /** The dice as they had been entered. */
  readonly before: Faces;
  /** What lay on each box, settled. */
  readonly lines: readonly SettledLine[];
  /** What each terminal was given and what was taken from it. */
  readonly netted: readonly Netted[];
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** In the words of whoever did it. */
  readonly note: string;
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
  /** Sessions that have ended since: what is set aside for each, or lost. */
  readonly gone: readonly Netted[];
  /** The number of the session that bet at each position. */
  readonly sessions: { readonly [name: string]: number };
}

/** The shift manager ruled where no clause covers what happened. */
export interface RulingRecorded {
  readonly type: "RulingRecorded";
  /** In the words of whoever did it. */
  readonly note: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** The money that was moved. */
  readonly postings: readonly Posting[];
  /** Who did it. */
  readonly by: string;
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
}

/** A set of dice is damaged, and out of play. */
export interface DiceQuarantined {
  readonly type: "DiceQuarantined";
  /** The name of the set of dice. */
  readonly dice_set: string;
  /** The number of its seal. */
  readonly seal: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** Who did it. */
  readonly by: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Two persons looked at a set of dice and found it whole: it may be registered again. */
export interface DiceFoundUndamaged {
  readonly type: "DiceFoundUndamaged";
  /** The name of the set of dice. */
  readonly dice_set: string;
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/**
 * A technical interruption: the round goes on, waits for people, or is void.
 *
 * At a chip table two persons say what happened meanwhile.
 */
export interface InterruptionRecorded {
  readonly type: "InterruptionRecorded";
  /** What follows by the rulebook. */
  readonly ruling: "conclude" | "none" | "testify" | "void-round" | "wait";
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Two persons testify to what the journal lacks of a round: its close, its tumble. */
export interface OutcomeTestified {
  readonly type: "OutcomeTestified";
  /** What both persons testify to: that the bets were closed, that the dice were tumbled. */
  readonly facts: readonly ("closed" | "tumbled")[];
  /** Who did it. */
  readonly by: string;
}

/** Two persons have said what happened during an interruption, and play goes on. */
export interface PlayResumed {
  readonly type: "PlayResumed";
  /** Who did it. */
  readonly by: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** What was reported and how it is ruled; in doubt until a supervisor has answered it. */
export interface IrregularityReported {
  readonly type: "IrregularityReported";
  /** Which irregularity, as the rulebook names it. */
  readonly code: string;
  /** What follows by the rulebook. */
  readonly ruling: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
  /** Who did it. */
  readonly by: string;
  /** In the words of whoever did it. */
  readonly note: string;
  /** Whether the round is in doubt until a supervisor, not who reported it, agrees or declines. */
  readonly in_doubt: boolean;
  /** Whether a device read it: then the round is void by itself. */
  readonly device: boolean;
}

/**
 * A supervisor finds that what was reported did not happen, and says why [D20].
 *
 * The round goes on from where it stood, its bets closed as they lay. `tumbles_again` where the
 * tumble on record does not count: the dice are tumbled before the round goes on.
 */
export interface ReportDeclined {
  readonly type: "ReportDeclined";
  /** The number of the round. */
  readonly round: number;
  /** What it is, as a word that programs compare. */
  readonly code: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** Who reported it. */
  readonly reported_by: string;
  /** Who did it. */
  readonly by: Actor;
  /** In the words of whoever did it. */
  readonly note: string;
  /** Whether the dice are tumbled anew before the round goes on. */
  readonly tumbles_again: boolean;
}

/** The dealer has announced a void spin by the document's words [div9 7.1] [D32]. */
export interface VoidAnnounced {
  readonly type: "VoidAnnounced";
  /** The number of the round. */
  readonly round: number;
  /** What it is, as a word that programs compare. */
  readonly code: string;
  /** What the dealer says. */
  readonly words: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** Who did it. */
  readonly by: string;
}

/** A piece of equipment was put into use. */
export interface EquipmentRegistered {
  readonly type: "EquipmentRegistered";
  /** Which piece of equipment, as the rulebook names it. */
  readonly equipment: string;
  /** Its number or name. */
  readonly identity: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
  /** Who did it. */
  readonly by: string;
}

/** A piece of equipment is no longer at the table: which one it was. */
export interface EquipmentWithdrawn {
  readonly type: "EquipmentWithdrawn";
  /** What the dice come from. */
  readonly equipment: string;
  /** The number or name that it had. */
  readonly identity: string;
  /** Who did it. */
  readonly by: string;
}

/** The electronic equipment was found on. */
export interface EquipmentSwitchedOn {
  readonly type: "EquipmentSwitchedOn";
  /** What the electronic equipment has its power from. */
  readonly power: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
  /** Who did it. */
  readonly by: string;
}

/** Faces were entered as a test: no round, no bets, no money; these boxes were lit. */
export interface LayoutTested {
  readonly type: "LayoutTested";
  /** The dice. */
  readonly faces: Faces;
  /** The boxes that are lit, in the order of the document. */
  readonly lit: readonly string[];
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
  /** Who did it. */
  readonly by: string;
}

/** A test run was found to have lit the right areas, or not. */
export interface LightsVerified {
  readonly type: "LightsVerified";
  /** The dice. */
  readonly faces: Faces;
  /** Whether the areas that were lit are the right ones. */
  readonly right: boolean;
  /** In the words of whoever did it. */
  readonly note: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
  /** Who did it. */
  readonly by: string;
}

/** The tumbler was activated, and works or does not. */
export interface TumblerTried {
  readonly type: "TumblerTried";
  /** How many times. */
  readonly times: number;
  /** Whether the tumbler tumbled as often as in a round. */
  readonly works: boolean;
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
  /** Who did it. */
  readonly by: string;
}

/** The seal of the dice was read, and agrees with the registered one or does not. */
export interface SealRead {
  readonly type: "SealRead";
  /** The name of the set of dice. */
  readonly dice_set: string;
  /** The number of its seal. */
  readonly seal: string;
  /** Whether the seal is whole. */
  readonly intact: boolean;
  /** Whether the seal is whole, and the one that was registered. */
  readonly agrees: boolean;
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
  /** Who did it. */
  readonly by: string;
}

/** Credits arrived at the terminal. */
export interface CreditsReceived {
  readonly type: "CreditsReceived";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** The terminal's name. */
  readonly terminal: string;
  /** How much, in minor units. */
  readonly amount: number;
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
}

/** A terminal's free credits are on their way to the cage. */
export interface CashedOut {
  readonly type: "CashedOut";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** The terminal's name. */
  readonly terminal: string;
  /** How much, in minor units. */
  readonly amount: number;
  /** The session of a position, by the name it has at its table; empty where it is of none. */
  readonly session: string;
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
}

/** A player without credits has left, and ends the limits they set for themselves. */
export interface SessionEnded {
  readonly type: "SessionEnded";
  /** The terminal's name. */
  readonly terminal: string;
}

/** A terminal is out of reach; what is registered for it stays and settles. */
export interface TerminalLost {
  readonly type: "TerminalLost";
  /** The terminal's name. */
  readonly terminal: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
}

/** The terminal is back. */
export interface TerminalRestored {
  readonly type: "TerminalRestored";
  /** The terminal's name. */
  readonly terminal: string;
}

/** The limits that the player set for themselves. */
export interface OwnLimitsSet {
  readonly type: "OwnLimitsSet";
  /** The terminal's name. */
  readonly terminal: string;
  /** The most the player wants to lose; null: no limit. */
  readonly loss: number | null;
  /** How long the player wants to play, in seconds; null: no limit. */
  readonly session_seconds: number | null;
}

/** A player's own limits are over: staff ended them, or their session ended ten minutes ago. */
export interface OwnLimitsEnded {
  readonly type: "OwnLimitsEnded";
  /** The terminal's name. */
  readonly terminal: string;
  /** Who did it. */
  readonly by: string | null;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** The terminal takes no more bets. */
export interface TerminalBarred {
  readonly type: "TerminalBarred";
  /** The terminal's name. */
  readonly terminal: string;
  /** Who did it. */
  readonly by: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** The terminal may bet again. */
export interface BarLifted {
  readonly type: "BarLifted";
  /** The terminal's name. */
  readonly terminal: string;
  /** Who did it. */
  readonly by: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** A large win locks a terminal; of all that it won in the round, `due` was given just now. */
export interface TerminalLocked {
  readonly type: "TerminalLocked";
  /** The terminal's name. */
  readonly terminal: string;
  /** What was won beyond the stake. */
  readonly won: number;
  /** The number of the round. */
  readonly round: number;
  /** The command that comes now, whoever gives it; null: something must be seen to first. */
  readonly due: number;
}

/** The terminal is unlocked. */
export interface LockCleared {
  readonly type: "LockCleared";
  /** The terminal's name. */
  readonly terminal: string;
  /** Who did it. */
  readonly by: string;
}

/** What the cage paid is no longer set aside; what was taken meanwhile is lost to the house. */
export interface UnclaimedReleased {
  readonly type: "UnclaimedReleased";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** The session of a position, by the name it has at its table; empty where it is of none. */
  readonly session: string;
  /** How much, in minor units. */
  readonly amount: number;
  /** What could not be recovered. */
  readonly shortfall: number;
  /** Whether the chips are handed over that a chip table set aside; else it is paid in cash. */
  readonly in_chips: boolean;
}

/** The end of a chain of secrets, one for each round from `first` on, before any bet on them. */
export interface ChainPublished {
  readonly type: "ChainPublished";
  /** The end of the chain of secrets, as hexadecimal digits. */
  readonly commitment: string;
  /** How many secrets the chain has. */
  readonly length: number;
  /** The beginning of the chain, sealed with a key of the venue. */
  readonly sealed: string;
  /** The first round that it serves. */
  readonly first: number;
}

/** The secret of a round that is over, the dice it gives, and whether those were shown. */
export interface SecretRevealed {
  readonly type: "SecretRevealed";
  /** The number of the round. */
  readonly round: number;
  /** The secret of the round, as hexadecimal digits. */
  readonly secret: string;
  /** The dice that follow from the secret. */
  readonly drawn: Faces;
  /** Whether those dice were shown. */
  readonly agrees: boolean;
}

/** No secret of the chain serves another round; the one that is owed still comes out. */
export interface ChainAbandoned {
  readonly type: "ChainAbandoned";
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** No secret of the chain serves another round; the one that is owed still comes out. */
export interface ChainRetired {
  readonly type: "ChainRetired";
  /** In the words of whoever did it. */
  readonly note: string;
}

/** A round began. */
export interface RoundStarted {
  readonly type: "RoundStarted";
  /** The number of the round. */
  readonly round: number;
  /** When the round began. */
  readonly at: number;
}

/** Bets are taken from now on; without words the Player Terminals gave the notice of it. */
export interface BetsOpened {
  readonly type: "BetsOpened";
  /** What the dealer says; null: the Player Terminals gave notice of it. */
  readonly words: string | null;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** Who did it. */
  readonly by: string;
}

/**
 * Bets are closed; what the Differential left as excess is given back, newest first.
 *
 * With a `report` they are closed at once, since somebody reported what voids the round [D20].
 */
export interface BetsClosed {
  readonly type: "BetsClosed";
  /** What the dealer says. */
  readonly words: string;
  /** Whether the bell was rung. */
  readonly bell: boolean;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** Who did it. */
  readonly by: string;
  /** What was given back at the close: terminal, box and amount. */
  readonly rejected: readonly (readonly [string, string, number])[];
  /** The clause by which it was given back. */
  readonly rejected_clause: string | null;
  /**
   * The irregularity for which the bets are closed at once; null: they were closed in their
   * turn.
   */
  readonly report: string | null;
  /** Whether the Player Terminals display the words, instead of a dealer who calls them. */
  readonly displayed: boolean;
}

/** One face was pressed on the dealer's keys. */
export interface FacePressed {
  readonly type: "FacePressed";
  /** The face: 1 to 6. */
  readonly face: number;
}

/** One of two sources has read the dice. */
export interface ResultReported {
  readonly type: "ResultReported";
  /** Where the reading comes from. */
  readonly source: string;
  /** The dice. */
  readonly faces: Faces;
}

/** Two readings of the dice differ: neither is the result. */
export interface ResultsDisagreed {
  readonly type: "ResultsDisagreed";
}

/** A result was entered; it can still be amended. */
export interface ResultEntered {
  readonly type: "ResultEntered";
  /** The dice. */
  readonly faces: Faces;
  /** Where the reading comes from. */
  readonly source: string;
  /** Who did it. */
  readonly by: string;
}

/** The winning areas are lit and the result is called. */
export interface ResultConfirmed {
  readonly type: "ResultConfirmed";
  /** The dice. */
  readonly faces: Faces;
  /** The winning boxes. */
  readonly winners: readonly string[];
  /** Who did it. */
  readonly by: string;
}

/** The result was entered wrongly and has been put right before settlement. */
export interface ResultAmended {
  readonly type: "ResultAmended";
  /** The dice. */
  readonly faces: Faces;
  /** The dice as they had been entered. */
  readonly before: Faces;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
}

/**
 * Losing bets collected, then winning ones paid; what each box paid and by which clause.
 *
 * At a chip table it is the payment: `playing` has whose bets were outside the limits, and what
 * of them played; `chips` is what was paid out of the rack.
 */
export interface RoundSettled {
  readonly type: "RoundSettled";
  /** The number of the round. */
  readonly round: number;
  /** The dice. */
  readonly faces: Faces;
  /** What lay on each box, settled. */
  readonly lines: readonly SettledLine[];
  /** The odds to 1 that each box with bets on it paid; null: it lost. */
  readonly odds: { readonly [name: string]: string | null };
  /** The clause that decided each box with bets on it. */
  readonly clauses: { readonly [name: string]: string };
  /** What the house collected from losing bets. */
  readonly collected: number;
  /** What the house paid to winning bets, beyond their stakes. */
  readonly paid: number;
  /** Who did it. */
  readonly by: string;
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
  /** At a chip table, whose bets were outside the limits, and what of them played. */
  readonly playing: readonly PlayedPart[];
  /** At a chip table, what was paid out of the rack. */
  readonly chips: readonly Pieces[];
  /** The number of the session that bet at each position. */
  readonly sessions: { readonly [name: string]: number };
}

/** How much of one player's bets on one box plays, why, and by which clause. */
export type PlayedPart = readonly [
  /** The position that the bets are of: a terminal's name, or the number of a seat. */
  position: string,
  /** The betting box. */
  box: string,
  /** How much is on it, in minor units. */
  stake: number,
  /** How much of it plays. */
  playing: number,
  /** What limited it: maximum or differential; or what let it play whole. */
  by: string,
  /** The clause of the rulebook that says so. */
  clause: string | null,
];

/** A terminal is out of service: what is registered for it stays and settles. */
export interface TerminalFailed {
  readonly type: "TerminalFailed";
  /** The terminal's name. */
  readonly terminal: string;
  /** Who did it. */
  readonly by: string;
  /** In the words of whoever did it. */
  readonly note: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
}

/** A terminal is in service again. */
export interface TerminalReturned {
  readonly type: "TerminalReturned";
  /** The terminal's name. */
  readonly terminal: string;
  /** Who did it. */
  readonly by: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** Staff ended a session: its credits are set aside for it, and its own limits are over. */
export interface SessionEndedByStaff {
  readonly type: "SessionEndedByStaff";
  /** The terminal's name. */
  readonly terminal: string;
  /** The session of a position, by the name it has at its table; empty where it is of none. */
  readonly session: string;
  /** How much, in minor units. */
  readonly amount: number;
  /** Who did it. */
  readonly by: string;
  /** In the words of whoever did it. */
  readonly note: string;
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
}

/** A win that locked a terminal is set aside for its session; the lock is cleared. */
export interface WinSetAside {
  readonly type: "WinSetAside";
  /** The terminal's name. */
  readonly terminal: string;
  /** The session of a position, by the name it has at its table; empty where it is of none. */
  readonly session: string;
  /** How much, in minor units. */
  readonly amount: number;
  /** Who did it. */
  readonly by: string;
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
}

/** A table was made. */
export interface TableCreated {
  readonly type: "TableCreated";
  /** The table's name. */
  readonly table: string;
  /** The currency, by its three letters; amounts are in its minor units. */
  readonly currency: string;
  /** What the dice come from. */
  readonly equipment: Equipment;
  /** A win above this locks the terminal until an attendant comes. */
  readonly handpay_threshold: number | null;
  /** The chips of a chip table; an electronic one has none. */
  readonly chips: ChipSet | null;
  /** Who operates the house; nobody does a demo. */
  readonly operator: string | null;
}

/** A Player Terminal was enrolled at the table. */
export interface TerminalEnrolled {
  readonly type: "TerminalEnrolled";
  /** The terminal's name. */
  readonly terminal: string;
  /** Where the terminal stands. */
  readonly place: string;
}

/** Carries the rulebook's canonical content, so that the journal alone replays the table. */
export interface RulebookAdopted {
  readonly type: "RulebookAdopted";
  /** The rulebook's name among those of the venue. */
  readonly key: string;
  /** The fingerprint of the rulebook's canonical content. */
  readonly sha256: string;
  /** The rulebook's canonical content, as JSON in a string. */
  readonly canonical: string;
  /** The number of the pay table. */
  readonly pay_table: number;
  /**
   * Written departures from what a rulebook is approved for: rulebook, aspect, who approved it,
   * reference.
   */
  readonly departures: readonly Departure[];
}

/** The table's limits from now on. */
export interface LimitsSet {
  readonly type: "LimitsSet";
  /** The limits, as they were asked for. */
  readonly limits: LimitsAsked;
}

/** A sealed set of dice was put into use. */
export interface DiceRegistered {
  readonly type: "DiceRegistered";
  /** The name of the set of dice. */
  readonly dice_set: string;
  /** The number of its seal. */
  readonly seal: string;
  /** Who did it. */
  readonly by: string;
}

/** The table is open. */
export interface TableOpened {
  readonly type: "TableOpened";
  /** Who did it. */
  readonly by: string;
}

/** The table closes after this round. */
export interface NoticeGiven {
  readonly type: "NoticeGiven";
  /** Who did it. */
  readonly by: string;
}

/** The table is closed. */
export interface TableClosed {
  readonly type: "TableClosed";
  /** Who did it. */
  readonly by: string;
}

/** The table has stopped until its trouble is put right. */
export interface TableStopped {
  readonly type: "TableStopped";
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** The trouble that stopped the table has been put right. */
export interface TableRectified {
  readonly type: "TableRectified";
  /** Who did it. */
  readonly by: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** The table plays on by a procedure that was found safe. */
export interface SafeProcedureDeclared {
  readonly type: "SafeProcedureDeclared";
  /** Who did it. */
  readonly by: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** The dice were tumbled. */
export interface TumbleRecorded {
  readonly type: "TumbleRecorded";
  /** How many times. */
  readonly times: number;
  /** Whether every die lay flat. */
  readonly flat: boolean;
  /** Whether the dice were covered. */
  readonly concealed: boolean;
  /** Who did it. */
  readonly by: string;
}

/** The cover of the tumbler is lifted, and the dice can be seen. */
export interface CoverLifted {
  readonly type: "CoverLifted";
  /** The clause of the rulebook that says so. */
  readonly clause: string;
  /** Who did it. */
  readonly by: string;
}

/** A cashier's shift begins with what was counted in the drawer. */
export interface ShiftOpened {
  readonly type: "ShiftOpened";
  /** Who has the drawer. */
  readonly cashier: string;
  /** What was counted in the drawer. */
  readonly count: number;
}

/**
 * A cashier's shift ends: what was counted, beside what should be there.
 *
 * `by` is who closed it where that was not the cashier.
 */
export interface ShiftClosed {
  readonly type: "ShiftClosed";
  /** Who has the drawer. */
  readonly cashier: string;
  /** What was counted in the drawer. */
  readonly count: number;
  /** What should be there by the books. */
  readonly expected: number;
  /** Who closed it; null where the cashier did. */
  readonly by: string | null;
}

/** The cage sent chips to a chip table. */
export interface FillSent {
  readonly type: "FillSent";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** The table's name. */
  readonly table: string;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
  /** How much, in minor units. */
  readonly amount: number;
  /** Who did it. */
  readonly by: string;
}

/** The cage received chips that a chip table sent. */
export interface CreditReceived {
  readonly type: "CreditReceived";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** The table's name. */
  readonly table: string;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
  /** How much, in minor units. */
  readonly amount: number;
  /** Who did it. */
  readonly by: string;
}

/** Chips on their way to a table are in the cage again, but for what is missing of them. */
export interface FillReturned {
  readonly type: "FillReturned";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** The table's name. */
  readonly table: string;
  /** Chips, each kind once, from the bottom of the stack up. */
  readonly chips: readonly Pieces[];
  /** How much, in minor units. */
  readonly amount: number;
  /** How much of what was sent did not come back. */
  readonly missing: number;
  /** Who did it. */
  readonly by: string;
}

/** The cage paid what a table had set aside for a session, against its code. */
export interface UnclaimedPaid {
  readonly type: "UnclaimedPaid";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** The table's name. */
  readonly table: string;
  /** The session of a position, by the name it has at its table; empty where it is of none. */
  readonly session: string;
  /** How much, in minor units. */
  readonly amount: number;
  /** Whether the chips are handed over that a chip table set aside; else it is paid in cash. */
  readonly in_chips: boolean;
  /** Who did it. */
  readonly by: string;
}

/** The table has let go of what was paid here for it. */
export interface ClaimClosed {
  readonly type: "ClaimClosed";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** How much, in minor units. */
  readonly amount: number;
}

/** The cage was opened. */
export interface CageOpened {
  readonly type: "CageOpened";
  /** The currency, by its three letters; amounts are in its minor units. */
  readonly currency: string;
  /** For how many days a voucher is good. */
  readonly voucher_days: number;
  /** Vouchers above this take two persons; null: none do. */
  readonly approve_above: number | null;
}

/** Vouchers issued from now on are good so long; those that are out keep their last day. */
export interface VoucherTermsSet {
  readonly type: "VoucherTermsSet";
  /** For how many days a voucher is good. */
  readonly voucher_days: number;
  /** Vouchers above this take two persons; null: none do. */
  readonly approve_above: number | null;
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
}

/** A voucher, by its serial and last four digits; a live number is never written down. */
export interface VoucherIssued {
  readonly type: "VoucherIssued";
  /** The voucher's serial, by which the journal knows it. */
  readonly serial: number;
  /** The last four digits of its number. */
  readonly last_four: string;
  /** What the voucher is worth, in minor units. */
  readonly value: number;
  /** At which counter, or at which terminal. */
  readonly place: string;
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
  /** Until when the voucher is good. */
  readonly expires: number;
  /** The id of the command that it was printed for. */
  readonly order: string;
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string | null;
  /** The session of a position, by the name it has at its table; empty where it is of none. */
  readonly session: string;
}

/** A voucher was taken at a terminal; its value is on the way there. */
export interface VoucherTaken {
  readonly type: "VoucherTaken";
  /** The voucher's serial, by which the journal knows it. */
  readonly serial: number;
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** The table's name. */
  readonly table: string;
  /** The terminal's name. */
  readonly terminal: string;
  /** What the voucher is worth, in minor units. */
  readonly value: number;
}

/** A voucher was paid out in cash. */
export interface VoucherPaid {
  readonly type: "VoucherPaid";
  /** The voucher's serial, by which the journal knows it. */
  readonly serial: number;
  /** What the voucher is worth, in minor units. */
  readonly value: number;
  /** Who did it. */
  readonly by: string;
}

/** A voucher sold over the counter is void: the cash for it went back out of the drawer. */
export interface VoucherVoided {
  readonly type: "VoucherVoided";
  /** The voucher's serial, by which the journal knows it. */
  readonly serial: number;
  /** What the voucher is worth, in minor units. */
  readonly value: number;
  /** Who did it. */
  readonly by: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/** No voucher will have a serial up to this one that none has yet. */
export interface SerialsSkipped {
  readonly type: "SerialsSkipped";
  /** The last serial left out. */
  readonly upto: number;
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
  /** In the words of whoever did it. */
  readonly note: string;
}

/**
 * Vouchers after a serial are numbered by a new key; those that are out keep their numbers.
 *
 * Codes of sessions by the old key are good for as long as a voucher that was printed then.
 */
export interface VoucherKeyReplaced {
  readonly type: "VoucherKeyReplaced";
  /** What tells the key from any other, and gives nothing of it away. */
  readonly mark: string;
  /** The last serial that the old key numbers. */
  readonly after: number;
  /** Until when codes of sessions by the old key are good. */
  readonly until: number;
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
}

/** Somebody has seen an alert, and says so. */
export interface AlertAcknowledged {
  readonly type: "AlertAcknowledged";
  /** What the pit knows an alert by. */
  readonly alert: string;
  /** What the alert said, as a code with parameters. */
  readonly reason: Reason;
  /** The table that it is about, if any. */
  readonly table: string | null;
  /** Who did it. */
  readonly by: string;
  /** In the words of whoever did it. */
  readonly note: string;
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
}

/** An alert is in the hands of a person. */
export interface AlertAssigned {
  readonly type: "AlertAssigned";
  /** What the pit knows an alert by. */
  readonly alert: string;
  /** What the alert said, as a code with parameters. */
  readonly reason: Reason;
  /** The table that it is about, if any. */
  readonly table: string | null;
  /** Who has it in hand from now on. */
  readonly person: string;
  /** Who did it. */
  readonly by: string;
  /** In the words of whoever did it. */
  readonly note: string;
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
}

/** A node is to leave all that it has, until it is started again. */
export interface NodeDrained {
  readonly type: "NodeDrained";
  /** The node that leaves all that it has. */
  readonly node: string;
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
}

/** A stream is wanted at a node, and goes there once it is at rest. */
export interface StreamMoved {
  readonly type: "StreamMoved";
  /** `table/` and the table, or `cage` or `venue`. */
  readonly stream: string;
  /** The node that is to have it. */
  readonly node: string;
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
}

/** The first event of a venue: its currency is pinned for good, and whether it is a demo. */
export interface VenueOpened {
  readonly type: "VenueOpened";
  /** The venue's name. */
  readonly name: string;
  /** The currency, by its three letters; amounts are in its minor units. */
  readonly currency: string;
  /** Whether this is a venue for trying things out, with play money. */
  readonly demo: boolean;
  /** Who operates the house; nobody does a demo. */
  readonly operator: string;
  /** The hour at which gaming days start. */
  readonly day_starts: number;
  /** By which clocks, under their IANA name. */
  readonly time_zone: string;
}

/** The house has another name from now on, as two persons agreed. */
export interface VenueRenamed {
  readonly type: "VenueRenamed";
  /** What the house is called from now on. */
  readonly name: string;
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
}

/** The automatic dealer deals at a table from now on, or a person does. */
export interface DealerChanged {
  readonly type: "DealerChanged";
  /** The journal's name of it: `table/` and the table's name, `cage`, or `venue`. */
  readonly stream: string;
  /** Whether the automatic dealer is to deal. */
  readonly automatic: boolean;
  /** Who did it. */
  readonly by: string;
}

/** A table stands somewhere else on the map of the floor. */
export interface TablePlaced {
  readonly type: "TablePlaced";
  /** The journal's name of it: `table/` and the table's name, `cage`, or `venue`. */
  readonly stream: string;
  /** Where the terminal stands. */
  readonly place: readonly [number, number] | null;
  /** Who did it. */
  readonly by: string;
}

/** A table, or the cage, belongs to the venue. */
export interface TableAdmitted {
  readonly type: "TableAdmitted";
  /** The journal's name of it: `table/` and the table's name, `cage`, or `venue`. */
  readonly stream: string;
}

/** Secrets are sealed by a new key; what earlier ones sealed is still opened by them. */
export interface SealingKeyReplaced {
  readonly type: "SealingKeyReplaced";
  /** What tells the key from any other, and gives nothing of it away. */
  readonly mark: string;
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
}

/** Two persons say that the machine's clock is right; until then it was not believed. */
export interface ClockAccepted {
  readonly type: "ClockAccepted";
  /** How far the machine's clock is ahead of the venue's time, in milliseconds. */
  readonly ahead_ms: number;
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
  /**
   * How far the database's clock is ahead of the machine's, in milliseconds; 0 where they agree.
   */
  readonly database_ms: number;
}

/** From here on the venue goes on from a backup; what came after that was made is not here. */
export interface VenueRestored {
  readonly type: "VenueRestored";
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
  /** The number of the newest checkpoint: that was seen, that there is, or that a backup holds. */
  readonly checkpoint: number;
}

/** From here on another venue may go on; nothing that the former still sends is written. */
export interface VenueTakenOver {
  readonly type: "VenueTakenOver";
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
  /** The venue that had the journal: its machine, and its data directory there. */
  readonly node: string;
  /**
   * Counts the venues that have had the journal; what is sent as of an earlier one is not
   * written.
   */
  readonly epoch: number;
}

/** A person is on the staff, in the roles that two others say. */
export interface StaffAppointed {
  readonly type: "StaffAppointed";
  /** Who it is about. */
  readonly person: string;
  /** The roles a person may act in. */
  readonly roles: readonly string[];
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
  /** Whether it is one of the two who found the house on its page. */
  readonly founds: boolean;
}

/** A person on the staff has other roles, as two others say. */
export interface RolesChanged {
  readonly type: "RolesChanged";
  /** Who it is about. */
  readonly person: string;
  /** The roles a person may act in. */
  readonly roles: readonly string[];
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
}

/** A person is out, and stays on the staff; who asked for what is pending may be that one. */
export interface StaffSuspended {
  readonly type: "StaffSuspended";
  /** Who it is about. */
  readonly person: string;
  /** Who did it. */
  readonly by: string;
}

/** A person who was suspended may come again, in the roles that they have. */
export interface StaffReinstated {
  readonly type: "StaffReinstated";
  /** Who it is about. */
  readonly person: string;
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
}

/** A person has left; who asked for what is pending may be that one, so it ends. */
export interface StaffDismissed {
  readonly type: "StaffDismissed";
  /** Who it is about. */
  readonly person: string;
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
}

/** A code was made for a person, half of it shown to each of two; an earlier one is no good. */
export interface CodeMade {
  readonly type: "CodeMade";
  /** Who it is about. */
  readonly person: string;
  /** Who did it. */
  readonly by: string;
  /** The second person who agreed. */
  readonly second: string;
}

/** A person set password and PIN; the code for it is used up. */
export interface CredentialsSet {
  readonly type: "CredentialsSet";
  /** Who it is about. */
  readonly person: string;
}

/** Somebody logged in. */
export interface LoggedIn {
  readonly type: "LoggedIn";
  /** Who it is about. */
  readonly person: string;
  /** The role they act in. */
  readonly role: Role;
  /** From which address. */
  readonly place: string;
}

/** Too many wrong passwords or PINs: nobody gets in under this name for a time. */
export interface LockedOut {
  readonly type: "LockedOut";
  /** Who it is about. */
  readonly person: string;
  /** From which address. */
  readonly place: string;
}

/** Somebody logged out. */
export interface LoggedOut {
  readonly type: "LoggedOut";
  /** Who it is about. */
  readonly person: string;
}

/** A terminal has a key of its own; one that it had before is good for nothing. */
export interface TerminalKeyIssued {
  readonly type: "TerminalKeyIssued";
  /** The table's name. */
  readonly table: string;
  /** The terminal's name. */
  readonly terminal: string;
  /** Who did it. */
  readonly by: string;
}

/** A terminal is withdrawn until two persons give it another key; its money is at the table. */
export interface TerminalWithdrawn {
  readonly type: "TerminalWithdrawn";
  /** The table's name. */
  readonly table: string;
  /** The terminal's name. */
  readonly terminal: string;
  /** Who did it. */
  readonly by: string;
}

/** Two had the key of one terminal at once; the second has its seat, until it gets a new key. */
export interface TerminalConnectedTwice {
  readonly type: "TerminalConnectedTwice";
  /** The table's name. */
  readonly table: string;
  /** The terminal's name. */
  readonly terminal: string;
  /** The address that the terminal came from last. */
  readonly place: string;
  /** The address that it was still connected from. */
  readonly before: string;
  /** When it was seen. */
  readonly at: number;
}

/** What happened, in sentences; who, why and by which clause, where no sentence says it. */
export interface LogLine {
  /** What happened, each sentence in the language of the `Hello`. */
  readonly sentences: readonly Said[];
  /** Who did it; null: nobody did, or a sentence says who. */
  readonly by?: string | null;
  /** Why, in the words of a person; null: nobody said so, or a sentence has it. */
  readonly note?: string | null;
  /** The clause by which it is so; null: there is none, or a sentence names it. */
  readonly clause?: string | null;
}

/** A sentence in the reader's language, with the reason by which another language has it. */
export interface Said {
  /** The sentence. */
  readonly sentence: string;
  /** Its code and what fills its blanks, by which it is said in another language. */
  readonly reason: Reason;
}

/**
 * How each step of the Game Console stands, for staff who watch a table; the newest counts.
 *
 * `due` is the step that comes now, whoever takes it: a person, a device, the automatic dealer.
 */
export interface Steps {
  readonly type: "Steps";
  /** The table's name. */
  readonly table: string;
  /** The command that comes now, whoever gives it; null: something must be seen to first. */
  readonly due: string | null;
  /** Every step: the round's in the order of the rulebook, then the others. */
  readonly steps: readonly Step[];
  /** The last faces pressed in this round, at most three, the newest last. */
  readonly pressed: readonly number[];
}

/**
 * One step of the Game Console, as it stands for the person it is sent to.
 *
 * Found by asking the rules, and nothing carried out. The one `next` step is the one that the
 * rulebook has a person take now; a `refused` one says why, and by which clause.
 */
export interface Step {
  /** The command, by its `type`. */
  readonly command: string;
  /** The name of the step, in the language of the `Hello`. */
  readonly label: string;
  /** `next`: a person takes it now; `open`: it would be taken; `refused`: it would not. */
  readonly standing: "next" | "open" | "refused";
  /** Whether it takes a second person. */
  readonly second: boolean;
  /** Who takes it in the ordinary course. */
  readonly by: "automatic-dealer" | "dealer" | "device" | "pit";
  /** Why it is refused, in the language of the `Hello`; null: it is not. */
  readonly sentence: string | null;
  /** The clause that refuses it, or else the one that provides for it. */
  readonly clause: string | null;
  /** What the dealer says with it: the document's words, or the call; null: nothing. */
  readonly words: string | null;
  /** How often the dice are tumbled at least; null: it is no tumble. */
  readonly times: number | null;
  /** The command to give; null where `fields` are to be put in first. */
  readonly give: WireCommand | null;
  /** What a person has to put in, by the names that the command has for it. */
  readonly fields: readonly string[];
}

/**
 * What the house would pay, net, on each result, for staff who watch a table.
 *
 * The results are in the order of `/api/results`. Below zero the house gains. The newest counts;
 * it comes twice a second at the most.
 */
export interface Exposure {
  readonly type: "Exposure";
  /** The table's name. */
  readonly table: string;
  /** What is bet on the table in all, in minor units. */
  readonly staked: number;
  /** What the house would pay, net, on each of the 56 results, in the order of `/api/results`. */
  readonly pays: readonly number[];
  /** The most it would pay on any of them. */
  readonly worst: number;
  /** On which of them that is, by their places from 0 on; none where nothing is bet. */
  readonly worst_on: readonly number[];
  /** What it pays on average, rounded to a whole unit; below zero is what it gains. */
  readonly expected: number;
  /** The chance that it pays more than it collects, as an exact fraction. */
  readonly losing: string;
}

/**
 * A chip table as its staff see it; the newest counts, ten times a second at the most.
 *
 * `rack` holds the value chips of the table; it is null with its value while the table is
 * closed, since whoever is to count it is not told what to find. `colours` says how many pieces
 * of each colour are in it, and `next_date` is the gaming day that would be opened now. Lists
 * that are too long for a frame are sent as far as they go, and `more_…` says how much of each
 * is left out.
 */
export interface ChipTableView {
  readonly type: "ChipTableView";
  /** The table's name. */
  readonly table: string;
  /** The chips of the table: denominations, colours and seats. */
  readonly chip_set: ChipSet;
  /** The seats that are taken. */
  readonly seats: readonly ChipSeat[];
  /** What is on the layout, by seat and box; the oldest comes first. */
  readonly stacks: readonly ChipStack[];
  /** What is outside the limits, until the bets close. */
  readonly notices: readonly LimitNotice[];
  /** The value chips in the rack. */
  readonly rack: readonly Pieces[] | null;
  /** What the value chips in the rack are worth; null while they are to be counted. */
  readonly rack_value: number | null;
  /** How many pieces of each colour are in the rack. */
  readonly colours: { readonly [name: string]: number };
  /** Whether the losing bets of a chip table are collected, and the winning ones not yet paid. */
  readonly paying: boolean;
  /** The gaming day that would be opened now. */
  readonly next_date: string;
  /** What to collect and to pay; null: nothing is. */
  readonly guide?: PayoutGuide | null;
  /** The gaming day under way; null: none is. */
  readonly day?: ChipDay | null;
  /** What is set aside for players who have left: the newest 64. */
  readonly unclaimed?: readonly SeatMoney[];
  /** What reversals took from a seat, and nobody has said yet whether it was had. */
  readonly recovering?: readonly SeatMoney[];
  /** Fills that are on their way from the cage: the oldest 64. */
  readonly fills?: readonly SeatMoney[];
  /** Credits that are on their way to the cage: the oldest 64. */
  readonly credits?: readonly SeatMoney[];
  /** How many of `stacks` are left out: the message would be too long. */
  readonly more_stacks?: number;
  /** How many of `notices` are left out: the message would be too long. */
  readonly more_notices?: number;
  /** How many other amounts are unclaimed, older than those shown. */
  readonly more_unclaimed?: number;
  /**
   * Whether stacks can be recorded now: while bets are open, after the close by one person, or
   * late with a supervisor; null: not.
   */
  readonly reading?: "closed" | "late" | "open" | null;
  /**
   * What is given back when dice come in sight: its player was advised, and it is still under
   * the minimum.
   */
  readonly returning?: readonly ChipStack[];
  /** Stacks of value and colour chips together, while bets are open. */
  readonly mixed?: readonly ChipStack[];
  /** Bets that await a ruling before anything is collected or paid. */
  readonly to_rule?: readonly BetToRule[];
  /** How many more await one. */
  readonly more_to_rule?: number;
}

/** A seat that is taken: the player's colour, what is known to be in front of them, and bet. */
export interface ChipSeat {
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** Whether the player has walked away from bets. */
  readonly away: boolean;
  /** The player's own colour; null: none. */
  readonly colour: string | null;
  /** What one piece of the colour is worth; null: the player has none. */
  readonly value: number | null;
  /** How many pieces of it are in front of the player. */
  readonly pieces: number;
  /** What is known to be in front of the player, coloured chips among it. */
  readonly credits: number;
  /** What the player has on the layout. */
  readonly staked: number;
  /** The session of a position, by the name it has at its table; empty where it is of none. */
  readonly session: string;
}

/** All that one player has on one box, as it is stacked. */
export type ChipStack = readonly [
  /** The seat at a chip table, by its number. */
  seat: string,
  /** The betting box. */
  box: string,
  /** How much, in minor units. */
  amount: number,
  /** Chips, each kind once, from the bottom of the stack up. */
  chips: readonly Pieces[],
  /** Whether the bet was spoken, its chips handed to the dealer. */
  oral: boolean,
];

/** A box outside the limits: by how much, whose, and what the dealer may do about it. */
export interface LimitNotice {
  /** The betting box. */
  readonly box: string;
  /** Whose bet it is; null: the box is counted for all together. */
  readonly seat: string | null;
  /** Which limit: the maximum, the Differential or the minimum. */
  readonly outside: "differential" | "maximum" | "minimum";
  /** How much is beyond the limit, or is missing to the minimum. */
  readonly amount: number;
  /** Why, in the language of the `Hello`. */
  readonly sentence: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
}

/**
 * What goes back on the layout, what to collect, what to pay, in its order; and the fill.
 *
 * Something goes back that was collected and is not lost after all: the result was amended, a
 * bet was put right, or the round is void.
 */
export interface PayoutGuide {
  /** The number of the round. */
  readonly round: number;
  /** What was collected and goes back on its boxes, before anything else. */
  readonly put_back: readonly CollectedChips[];
  /** What to collect, in the order of the layout. */
  readonly collect: readonly CollectedChips[];
  /** What is collected in all. */
  readonly collected: number;
  /** What to pay, in the order of the layout. */
  readonly pay: readonly PaidChips[];
  /** What is paid in all. */
  readonly paid: number;
  /** The fill that would let everybody be paid. */
  readonly wanted: readonly Pieces[];
  /** The bets that were outside the limits at the close, and how much of each played. */
  readonly parts: readonly PartPlayed[];
  /** How many lines of `collect` are left out: the message would be too long. */
  readonly more_collect: number;
  /** How many lines of `pay` are left out: the message would be too long. */
  readonly more_pay: number;
  /** How many of `parts` are left out: the message would be too long. */
  readonly more_parts: number;
}

/** Chips to pay beside a bet, from the bottom up; null where the rack cannot make it up. */
export type PaidChips = readonly [
  /** The betting box. */
  box: string,
  /** The seat at a chip table, by its number. */
  seat: string,
  /** How much, in minor units. */
  amount: number,
  /** The chips, from the bottom up; null: the rack cannot make it up. */
  chips: readonly Pieces[] | null,
];

/** A bet that was outside the limits when the bets closed: how much of it played, and why. */
export interface PartPlayed {
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The betting box. */
  readonly box: string;
  /** What lay there. */
  readonly stake: number;
  /** How much of it played. */
  readonly playing: number;
  /** Why, in the language of the `Hello`. */
  readonly sentence: string;
  /** The clause of the rulebook that says so. */
  readonly clause: string | null;
}

/**
 * The gaming day under way: what was counted in, what came and went.
 *
 * What should be in the drop box is in no message: it is counted by who sees this.
 */
export interface ChipDay {
  /** The date of the gaming day. */
  readonly date: string;
  /** What was counted at the opening. */
  readonly opening: number;
  /** What came from the cage that day. */
  readonly fills: number;
  /** What went to the cage that day. */
  readonly credits: number;
  /** What was counted in the drop box that day. */
  readonly drop: number;
}

/** An amount under a name: set aside for a player, to be recovered, or on its way. */
export interface SeatMoney {
  /** The name under which it is set aside, the seat, or the transit. */
  readonly name: string;
  /** How much, in minor units. */
  readonly amount: number;
}

/** A bet that awaits a ruling, with why, and in which steps a part of it may play. */
export interface BetToRule {
  /** The seat at a chip table, by its number. */
  readonly seat: string;
  /** The betting box. */
  readonly box: string;
  /** How much, in minor units. */
  readonly amount: number;
  /** Why it awaits a ruling. */
  readonly why: "advised-bet" | "below-minimum" | "mixed-stack" | "over-limit";
  /** The same in words. */
  readonly sentence: string;
  /** A part of it plays in steps of this amount. */
  readonly step: number;
  /** The clause of the rulebook that says so. */
  readonly clause: string;
}

/** When the automatic dealer will close the bets, by the venue's time; null: it will not. */
export interface Countdown {
  readonly type: "Countdown";
  /** The table's name. */
  readonly table: string;
  /** When the automatic dealer will close the bets, by the venue's time. */
  readonly closes_at?: number | null;
}

/** Who deals at a table from now on. */
export interface Dealer {
  readonly type: "Dealer";
  /** The table's name. */
  readonly table: string;
  /** Who deals. */
  readonly dealer: "automatic" | "person";
}

/** A table takes nothing until it has been read back; what is registered is safe. */
export interface Suspended {
  readonly type: "Suspended";
  /** The table's name. */
  readonly table: string;
  /** Whether the table takes nothing for now. */
  readonly suspended: boolean;
}

/** The voucher for what the terminal cashed out; its number is shown to no one else. */
export interface VoucherPrinted {
  readonly type: "VoucherPrinted";
  /** Money on its way between a table and the cage, by the name it has meanwhile. */
  readonly transit: string;
  /** The voucher's number, as it is printed. */
  readonly number: string;
  /** What the voucher is worth, in minor units. */
  readonly value: number;
  /** Until when the voucher is good. */
  readonly expires: number;
  /** The code of the session: what it is owed later, the cage pays against it. */
  readonly session?: string | null;
}

/**
 * The answer to `id`: carried out and durable, as these versions of the journal.
 *
 * `pending` is the hash of a command that now waits for its second person, until `expires`.
 */
export interface Registered {
  readonly type: "Registered";
  /** The id that is answered. */
  readonly id: string;
  /** The table, `cage` or `venue` that was asked. */
  readonly to: string;
  /** The first version of the journal that this came to. */
  readonly first: number;
  /** The last version of the journal that this came to: what a `Grant` must name. */
  readonly last: number;
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
  /** The hash of a command that now waits for its second person. */
  readonly pending?: string | null;
  /** Until when the second person may approve. */
  readonly expires?: number | null;
}

/** The answer to `id`: nothing was changed, and why; `again` when it may be sent again as is. */
export interface Refused {
  readonly type: "Refused";
  /** The id that is answered. */
  readonly id: string;
  /** What it is, as a word that programs compare. */
  readonly code: string;
  /** Why, in the language of the `Hello`. */
  readonly sentence: string;
  /** Why, as a code with parameters, to be worded in any language. */
  readonly reason: Reason;
  /** The clause of the rulebook that says so. */
  readonly clause?: string | null;
  /** Whether the same message, with the same id, may be sent again later. */
  readonly again?: boolean;
}

/** The answer to `id` of something that is not stored in the journal. */
export interface Done {
  readonly type: "Done";
  /** The id that is answered. */
  readonly id: string;
}

/** Something the pit is to know about the venue itself. */
export interface Notice {
  readonly type: "Notice";
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
  /** The journal's name of it: `table/` and the table's name, `cage`, or `venue`. */
  readonly stream: string;
  /** What the notice is about, as a word that programs compare. */
  readonly code: string;
  /** The notice, in English. */
  readonly text: string;
}

/** What was said cannot be understood or is not allowed; nothing was changed. */
export interface Fault {
  readonly type: "Fault";
  /** What it is, as a word that programs compare. */
  readonly code: string;
  /** Why, in the language of the `Hello`. */
  readonly sentence: string;
}

/** The answer to a `Ping`, with the venue's time and the newest checkpoint, to be remembered. */
export interface Pong {
  readonly type: "Pong";
  /** The number of the `Ping`. */
  readonly number: number;
  /** When, by the venue's time, in milliseconds since 1970. */
  readonly at: number;
  /** The number of the newest checkpoint: that was seen, that there is, or that a backup holds. */
  readonly checkpoint?: number;
}
