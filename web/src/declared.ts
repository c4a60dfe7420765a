// Written by `python -m tools.protocol_pages --write`; not edited by hand.

import type { AnyEvent, Role } from "./protocol.ts";

/** Events after which the pit or the drawer is shown something else. */
export const SHOWN_EVENTS: readonly AnyEvent["type"][] = [
  "AdvisedBetReturned",
  "AlertAcknowledged",
  "AlertAssigned",
  "ApprovalRequested",
  "BarLifted",
  "BetPutRight",
  "BetRuled",
  "CageOpened",
  "ChainAbandoned",
  "ChainPublished",
  "ChainRetired",
  "ClockAccepted",
  "CodeMade",
  "CommandApproved",
  "CommandDeclined",
  "CredentialsSet",
  "CreditReceived",
  "CreditReturned",
  "DayClosed",
  "DayOpened",
  "DealerChanged",
  "DeparturesAdopted",
  "DeparturesSet",
  "DiceFoundUndamaged",
  "DiceQuarantined",
  "DiceRegistered",
  "DropCounted",
  "EquipmentRegistered",
  "EquipmentSwitchedOn",
  "EquipmentWithdrawn",
  "ExcessRejected",
  "FillReturned",
  "FillSent",
  "FloatCredited",
  "FloatFilled",
  "HandPaymentDiffered",
  "InterruptionRecorded",
  "IrregularityReported",
  "LateBetRefused",
  "LayoutTested",
  "LightsVerified",
  "LimitsSet",
  "LockCleared",
  "LockedOut",
  "LoggedIn",
  "LoggedOut",
  "LosersCollected",
  "NodeDrained",
  "NoticeGiven",
  "OutcomeTestified",
  "OwnLimitsEnded",
  "OwnLimitsSet",
  "PlayResumed",
  "PlayerAdvised",
  "PlayerWalkedAway",
  "RecordCorrected",
  "RecoveryRecorded",
  "ReportDeclined",
  "ResultAmended",
  "ResultsDisagreed",
  "RolesChanged",
  "RoundDealtByHand",
  "RoundResettled",
  "RoundVoided",
  "RoundsReversed",
  "RulebookAdopted",
  "RulingRecorded",
  "SafeProcedureDeclared",
  "SealRead",
  "SealingKeyReplaced",
  "SeatLeft",
  "SeatTaken",
  "SerialsSkipped",
  "SessionEndedByStaff",
  "ShiftClosed",
  "ShiftOpened",
  "StackSeparated",
  "StaffAppointed",
  "StaffDismissed",
  "StaffReinstated",
  "StaffSuspended",
  "StreamMoved",
  "TableAdmitted",
  "TableClosed",
  "TableCreated",
  "TableOpened",
  "TablePlaced",
  "TableRectified",
  "TableStopped",
  "TerminalBarred",
  "TerminalConnectedTwice",
  "TerminalEnrolled",
  "TerminalFailed",
  "TerminalKeyIssued",
  "TerminalLocked",
  "TerminalLost",
  "TerminalRestored",
  "TerminalReturned",
  "TerminalWithdrawn",
  "TumblerTried",
  "UnclaimedPaid",
  "UnclaimedSetAside",
  "VenueOpened",
  "VenueRenamed",
  "VenueRestored",
  "VenueTakenOver",
  "VoucherKeyReplaced",
  "VoucherTermsSet",
  "VoucherVoided",
  "WinSetAside",
];

/** Supervisors and managers. */
export const PIT: readonly Role[] = [
  "supervisor",
  "pit-manager",
  "shift-manager",
];

/** Who asks for what a house goes by; somebody else agrees. */
export const MANAGERS: readonly Role[] = [
  "pit-manager",
  "shift-manager",
];

/** Who asks for people to be taken on; somebody else agrees. */
export const STAFFING: readonly Role[] = [
  "shift-manager",
  "technician",
];

/** Who stands at a Game Console, or is called to one. */
export const AT_THE_CONSOLE: readonly Role[] = [
  "dealer",
  "supervisor",
  "pit-manager",
  "shift-manager",
];

/** Who may see the pit: its tables, their figures and gaming days. */
export const SEE_PIT: readonly Role[] = [
  "supervisor",
  "pit-manager",
  "shift-manager",
  "auditor",
];

/** Who may see who is on the staff and what is on the floor. */
export const SEE_VENUE: readonly Role[] = [
  "pit-manager",
  "shift-manager",
  "technician",
  "auditor",
];

/** Who may look through the journal, the likeliest first. */
export const AUDIT: readonly Role[] = [
  "auditor",
  "shift-manager",
];

/** Who may take views of it away. */
export const EXPORT: readonly Role[] = [
  "auditor",
  "shift-manager",
  "pit-manager",
];

/** Who may read a round in full. */
export const SEE_ROUNDS: readonly Role[] = [
  "auditor",
  "shift-manager",
  "pit-manager",
  "supervisor",
];

/** Who may take up again what is suspended. */
export const RESUME: readonly Role[] = [
  "technician",
  "pit-manager",
];

/** Who may give an alert to somebody else; others take it. */
export const GIVE_ALERTS: readonly Role[] = [
  "pit-manager",
  "shift-manager",
];
