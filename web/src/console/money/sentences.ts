/** A chip table in sentences: what is asked for of its money, and what happened at it. */

import { colourName } from "../../layout/index.ts";
import type { AnyEvent, Pieces } from "../../protocol.ts";
import { money, number, useWords, type Words } from "../../words/words.ts";
import { sumOf } from "./counts/chips.ts";

/** A command, with whatever is in it. */
type Request = Readonly<Record<string, unknown>>;
type NameOf = (code: string) => string;

function chipsOf(command: Request, name: string): readonly Pieces[] {
  return Array.isArray(command[name]) ? (command[name] as readonly Pieces[]) : [];
}

/** What was asked for, in words; null where it is not about a table's money. */
export function moneyRequestSentence(t: Words<"console">, command: Request, nameOf: NameOf): string | null {
  const text = (name: string): string => String(command[name] ?? "");
  const cents = (name: string): string => money(Number(command[name] ?? 0));
  const worth = (name: string): string => money(sumOf(chipsOf(command, name)));
  switch (command["type"]) {
    case "OpenDay":
      return t("request_open_day", { date: text("date"), amount: worth("count") });
    case "CloseDay":
      return t("request_close_day", { amount: worth("count") });
    case "CountDrop":
      return t("request_drop", { cash: cents("cash"), chips: cents("chips") });
    case "ReceiveFill":
      return t("request_fill", { transit: text("transit"), amount: worth("chips") });
    case "SendCredit":
      return t("request_credit", { amount: worth("chips") });
    case "ReturnCredit":
      return t("request_credit_back", { transit: text("transit"), amount: worth("chips") });
    case "RecordRecovery":
      return t("request_recovery", { seat: text("seat"), amount: cents("missing"), note: text("note") });
    case "PutBetRight": {
      const pieces = chipsOf(command, "chips").reduce((sum, [, count]) => sum + count, 0);
      const [from, to] = [nameOf(text("from_box")), nameOf(text("to_box"))];
      return t.count("request_put_right", pieces, { seat: text("seat"), from, to, note: text("note") });
    }
    case "RuleOnBet": {
      const blanks = { seat: text("seat"), box: nameOf(text("box")), note: text("note"), amount: cents("plays") };
      return t(`request_rule_bet_${verdictOf(command)}`, blanks);
    }
    case "RecordBets":
    case "CorrectRecord":
      return t("request_read_late", { seat: text("seat"), box: nameOf(boxOf(command)), note: text("note") });
    default:
      return null;
  }
}

function verdictOf(command: Request): "stands" | "plays" | "returned" {
  const verdict = command["verdict"];
  return verdict === "plays" || verdict === "returned" ? verdict : "stands";
}

/** The box of a stack that is read late: there is one. */
function boxOf(command: Request): string {
  const [bet] = Array.isArray(command["bets"]) ? (command["bets"] as readonly (readonly unknown[])[]) : [];
  return String(command["box"] ?? bet?.[0] ?? "");
}

/** An event in a sentence; null where it is not one of a chip table. */
export function chipSentence(t: Words<"console">, event: AnyEvent, nameOf: NameOf): string | null {
  return seatSentence(t, event) ?? betSentence(t, event, nameOf) ?? daySentence(t, event);
}

function betSentence(t: Words<"console">, event: AnyEvent, nameOf: NameOf): string | null {
  switch (event.type) {
    case "RecordCorrected": {
      const [[box, before], [, after]] = [event.before, event.after];
      const blanks = { by: event.by, seat: event.seat, box: nameOf(box), note: event.note };
      return t("log_corrected", { ...blanks, before: money(before), after: money(after) });
    }
    case "ExcessRejected": {
      const [box, amount] = event.bet;
      return t("log_rejected", { seat: event.seat, box: nameOf(box), amount: money(amount) });
    }
    case "PlayerAdvised":
      return t("log_advised", { seat: event.seat, box: nameOf(event.box) });
    case "BetPutRight": {
      const { by, seat, note } = event;
      const [from, to] = [nameOf(event.from_box), nameOf(event.to_box)];
      return t("log_put_right", { by, seat, note, from, to, amount: money(event.amount) });
    }
    case "LateBetRefused": {
      const [box, amount] = event.bet;
      return t("log_late", { by: event.by, seat: event.seat, box: nameOf(box), amount: money(amount) });
    }
    case "StackSeparated":
      return t("log_separated", { by: event.by, seat: event.seat, box: nameOf(event.box) });
    case "AdvisedBetReturned": {
      const [box, amount] = event.bet;
      return t("log_advised_back", { seat: event.seat, box: nameOf(box), amount: money(amount) });
    }
    case "BetRuled": {
      const { by, seat, note } = event;
      const [box, amount] = event.bet;
      const blanks = { by, seat, note, box: nameOf(box), amount: money(amount), plays: money(event.plays) };
      return t(`log_bet_${event.verdict}`, blanks);
    }
    case "LosersCollected":
      return t("log_collected", { by: event.by, round: number(event.round) });
    default:
      return null;
  }
}

function seatSentence(t: Words<"console">, event: AnyEvent): string | null {
  const names = useWords("layout");
  switch (event.type) {
    case "SeatTaken":
      return t("log_seat_taken", { seat: event.seat });
    case "SeatLeft":
      return t("log_seat_left", { seat: event.seat, amount: money(event.taken) });
    case "PlayerWalkedAway":
      return t("log_walked_away", { seat: event.seat });
    case "ChipsBought":
      return t("log_chips_bought", { seat: event.seat, amount: money(event.cash + event.dropped) });
    case "ChipsExchanged":
      return t("log_chips_exchanged", { seat: event.seat, amount: money(sumOf(event.given)) });
    case "ColourAssigned":
      return t("log_colour_assigned", {
        seat: event.seat,
        colour: colourName(names, event.colour),
        value: money(event.value),
      });
    case "ColourBought":
    case "ColourConverted": {
      const colour = colourName(names, event.colour);
      const blanks = { seat: event.seat, colour, count: number(event.count), amount: money(event.amount) };
      return t(event.type === "ColourBought" ? "log_colour_bought" : "log_colour_converted", blanks);
    }
    case "ColourReleased":
      return t("log_colour_released", { seat: event.seat, colour: colourName(names, event.colour) });
    default:
      return null;
  }
}

function daySentence(t: Words<"console">, event: AnyEvent): string | null {
  switch (event.type) {
    case "UnclaimedSetAside":
      return t("log_unclaimed", { seat: event.seat, amount: money(event.amount) });
    case "UnclaimedReleased":
      return t("log_unclaimed_paid", { kept: event.session, amount: money(event.amount + event.shortfall) });
    case "RecoveryRecorded":
      return t("log_recovery", { seat: event.seat, amount: money(event.missing), note: event.note });
    case "DayOpened": {
      const { by, date } = event;
      return t("log_day_opened", { by, date, amount: money(event.amount), expected: money(event.expected) });
    }
    case "FloatFilled":
      return t("log_filled", { transit: event.transit, amount: money(event.amount) });
    case "FloatCredited":
      return t("log_credited", { transit: event.transit, amount: money(event.amount) });
    case "CreditReturned": {
      const [amount, missing] = [event.amount, event.missing].map(money);
      return t("log_credit_back", { transit: event.transit, amount: amount ?? "", missing: missing ?? "" });
    }
    case "DropCounted":
      return t("log_drop", {
        by: event.by,
        amount: money(event.cash + event.chips),
        expected: money(event.expected),
      });
    case "DayClosed": {
      const { by, date } = event;
      const [amount, expected, win] = [event.closing, event.expected, event.win].map(money);
      return t("log_day_closed", { by, date, amount: amount ?? "", expected: expected ?? "", win: win ?? "" });
    }
    default:
      return null;
  }
}
