/** What happened at the table, as sentences: the newest first, so many and no more. */

import type { AnyEvent, Staff } from "../../protocol.ts";
import { cited, money, number, useWords, type Words } from "../../words/words.ts";
import { factsIn, requestSentence } from "../approvals/approvals.tsx";
import { chipSentence } from "../money/sentences.ts";

export interface Entry {
  readonly key: string;
  readonly at: number;
  readonly event: AnyEvent;
}

/** Lines that the log keeps. */
export const LOG_MAX = 50;

/** Take a message of the staff's channel into the log. */
export function logged(log: readonly Entry[], message: Staff): readonly Entry[] {
  const entries = message.events
    .map((event, place) => ({ key: `${message.sequence}-${place}`, at: message.at, event }))
    .filter(({ event }) => !SILENT.has(event.type));
  return [...entries.reverse(), ...log].slice(0, LOG_MAX);
}

/** What happens many times a round and says nothing to a person. */
const SILENT: ReadonlySet<string> = new Set([
  "RoundStarted",
  "TransitClosed",
  "BetsRegistered",
  "BetsWithdrawn",
  "BetsRecorded",
  "BetsTakenBack",
]);

function dice(faces: readonly number[]): string {
  return faces.join(" · ");
}

function listed(t: Words<"console">, boxes: readonly string[], nameOf: (code: string) => string): string {
  return boxes.length === 0 ? t("log_no_box") : boxes.map(nameOf).join(useWords("layout")("comma"));
}

/** An event in a sentence; one without words of its own is shown by its name. */
export function sentenceOf(t: Words<"console">, event: AnyEvent, nameOf: (code: string) => string): string {
  switch (event.type) {
    case "TableOpened":
      return t("log_table_opened", { by: event.by });
    case "TableClosed":
      return t("log_table_closed", { by: event.by });
    case "NoticeGiven":
      return t("log_notice", { by: event.by });
    case "DiceRegistered":
      return t("log_dice", { by: event.by, dice: event.dice_set, seal: event.seal });
    case "TableCreated":
      return t("log_created", { table: event.table });
    case "DeparturesSet":
      return t("log_departures", { papers: event.departures.map(([, , by, paper]) => `${paper} (${by})`).join(" · ") });
    case "DeparturesAdopted":
      return t("log_departures_adopted", {
        by: event.by,
        second: event.second,
        papers: event.departures.map(([, , by, paper]) => `${paper} (${by})`).join(" · ") || "–",
      });
    case "DiceQuarantined":
      return t("log_put_away", { by: event.by, dice: event.dice_set, note: event.note });
    case "DiceFoundUndamaged":
      return t("log_undamaged", { by: event.by, second: event.second, dice: event.dice_set, note: event.note });
    case "ChainPublished":
      return t("log_chain", { first: number(event.first) });
    case "ChainAbandoned":
      return t("log_chain_abandoned", { by: event.by, second: event.second, note: event.note });
    case "ChainRetired":
      return t("log_chain_retired", { note: event.note });
    case "EquipmentRegistered":
      return t("log_equipment", { by: event.by, equipment: nameOf(event.equipment), identity: event.identity });
    case "EquipmentWithdrawn":
      return t("log_withdrawn", { by: event.by, equipment: nameOf(event.equipment), identity: event.identity });
    case "EquipmentSwitchedOn":
      return t("log_power", { by: event.by, power: event.power });
    case "LayoutTested":
      return t("log_test", { by: event.by, faces: dice(event.faces), boxes: listed(t, event.lit, nameOf) });
    case "LightsVerified":
      return t(event.right ? "log_lit_right" : "log_lit_wrong", { by: event.by, note: event.note });
    case "TumblerTried":
      return t("log_tumbler", { by: event.by, times: event.times });
    case "SealRead":
      return t("log_seal", { by: event.by, seal: event.seal, dice: event.dice_set });
    case "LimitsSet":
      return t("log_limits", { least: money(event.limits.minimum), most: money(event.limits.maximum) });
    case "RulebookAdopted":
      return t("log_rulebook", { key: `${event.key}/${event.pay_table}` });
    case "BetsOpened":
      return event.words === null
        ? t("log_bets_notice", { by: event.by })
        : t("log_bets_opened", { by: event.by, words: event.words });
    case "BetsClosed":
      return event.report == null
        ? t(event.displayed === true ? "log_bets_displayed" : "log_bets_closed", { by: event.by, words: event.words })
        : t("log_closed_for", { code: nameOf(event.report), words: event.words });
    case "TumbleRecorded":
      return t("log_tumbled", { by: event.by, times: number(event.times) });
    case "CoverLifted":
      return t("log_cover_lifted", { by: event.by });
    case "FacePressed":
      return t("log_face", { face: event.face });
    case "ResultReported":
      return t("log_reported", { source: event.source, dice: dice(event.faces) });
    case "ResultsDisagreed":
      return t("log_disagreed");
    case "ResultEntered":
      return t("log_entered", { by: event.by, dice: dice(event.faces) });
    case "ResultConfirmed":
      return t("log_confirmed", { by: event.by, dice: dice(event.faces) });
    case "ResultAmended":
      return t("log_amended", { before: dice(event.before), dice: dice(event.faces) });
    case "RoundSettled":
      return t("log_settled", {
        round: number(event.round),
        collected: money(event.collected),
        paid: money(event.paid),
      });
    case "RoundVoided":
      return t("log_voided", { round: number(event.round), ground: cited(t, event.clause) });
    case "IrregularityReported":
      return t(event.device === true ? "log_read" : "log_irregular", {
        by: event.by,
        code: nameOf(event.code),
        note: event.note,
      });
    case "ReportDeclined":
      return t("log_not_happened", { person: event.by.person, code: nameOf(event.code), note: event.note });
    case "VoidAnnounced":
      return t("log_announced", { by: event.by, words: event.words });
    case "InterruptionRecorded":
      return t("log_interrupted", { note: event.note });
    case "OutcomeTestified":
      return t("log_testified", { facts: factsIn(t, event.facts) });
    case "PlayResumed":
      return t("log_resumed", { by: event.by, note: event.note ?? "" });
    case "RoundDealtByHand":
      return t("log_by_hand", { by: event.by, round: number(event.round), note: event.note });
    case "HandPaymentDiffered":
      return t("log_paid_otherwise", { seat: event.seat, paid: money(event.paid), due: money(event.due) });
    case "TableStopped":
      return t("log_stopped", { ground: cited(t, event.clause) });
    case "TableRectified":
      return t("log_rectified", { by: event.by, note: event.note });
    case "SafeProcedureDeclared":
      return t("log_safe", { by: event.by, note: event.note });
    case "RoundsReversed":
      return t("log_reversed", { first: number(event.first), last: number(event.last) });
    case "RoundResettled":
      return t("log_resettled", { round: number(event.round), before: dice(event.before), dice: dice(event.faces) });
    case "RulingRecorded":
      return t("log_ruled", { by: event.by, note: event.note });
    case "ApprovalRequested":
      return t("request_by", {
        person: event.order.actor.person,
        what: requestSentence(t, { ...event.order.command }, nameOf),
      });
    case "CommandApproved":
      return t("log_approved", { person: event.by.person });
    case "CommandDeclined":
      return t("log_declined", { person: event.by.person });
    case "SecretRevealed":
      return t("log_secret", { round: number(event.round), dice: dice(event.drawn) });
    case "CreditsReceived":
      return t("log_credits", { terminal: event.terminal, amount: money(event.amount) });
    case "CashedOut":
      return t("log_cashed_out", { terminal: event.terminal, amount: money(event.amount) });
    case "TerminalEnrolled":
      return t("log_enrolled", { terminal: event.terminal });
    case "TerminalLost":
      return t("log_lost", { terminal: event.terminal });
    case "TerminalRestored":
      return t("log_restored", { terminal: event.terminal });
    case "TerminalLocked":
      return t("log_locked", { terminal: event.terminal, won: money(event.won) });
    case "LockCleared":
      return t("log_unlocked", { terminal: event.terminal, by: event.by });
    case "WinSetAside":
      return t("log_win_aside", { terminal: event.terminal, by: event.by, amount: money(event.amount) });
    case "TerminalBarred":
      return t("log_barred", { terminal: event.terminal, by: event.by });
    case "BarLifted":
      return t("log_bar_lifted", { terminal: event.terminal, by: event.by });
    case "TerminalFailed":
      return t("log_failed", { terminal: event.terminal, by: event.by });
    case "TerminalReturned":
      return t("log_returned", { terminal: event.terminal, by: event.by });
    case "SessionEndedByStaff":
      return t("log_session_ended_by", { terminal: event.terminal, by: event.by, amount: money(event.amount) });
    case "SessionEnded":
      return t("log_session_ended", { terminal: event.terminal });
    case "OwnLimitsSet":
      return t("log_own_limits", { terminal: event.terminal });
    case "OwnLimitsEnded":
      return t("log_own_limits_ended", { terminal: event.terminal });
    default:
      return chipSentence(t, event, nameOf) ?? event.type;
  }
}
