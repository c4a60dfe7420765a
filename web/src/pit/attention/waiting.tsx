/** What waits for a second person anywhere in the venue, with everything that is asked for. */

import type { Awaited, Departure, RulebookList } from "../../answers.ts";
import { isShown, WouldDo } from "../../console/approvals/about.tsx";
import { Approvals } from "../../console/approvals/approvals.tsx";
import { sumOf } from "../../console/money/counts/chips.ts";
import { sessionBlanks } from "../../console/money/unclaimed.ts";
import { PiecesList } from "../../layout/index.ts";
import { tabPin } from "../../live/index.ts";
import type { LimitsAsked, Pieces } from "../../protocol.ts";
import { addressOf, useNames } from "../../shell/index.ts";
import { moment, money, number, useWords, type Words } from "../../words/words.ts";
import type { Floor } from "../floor.ts";
import { LimitsShown } from "../limits/limits_shown.tsx";
import { useOnce } from "../once.ts";
import "./waiting.css";

/** What of the floor it takes to show what waits, and to answer it. */
type Asked = Pick<Floor, "who" | "now" | "waiting" | "grant" | "decline" | "reported">;

export function Waiting({ floor }: { readonly floor: Asked }) {
  const t = useWords("pit");
  const shell = useWords("shell");
  const waiting = floor.waiting();
  const names = useNames();
  return (
    <section class="pit-waiting" aria-labelledby="pit-waiting">
      <h2 id="pit-waiting">
        {t("waiting")} {waiting.length > 0 && <span class="pit-count">{number(waiting.length)}</span>}
      </h2>
      {waiting.length === 0 && <p class="pit-quiet">{t("waiting_none")}</p>}
      <Approvals
        waiting={waiting}
        me={floor.who}
        now={floor.now}
        nameOf={(code) => names.value?.irregularities[code] ?? names.value?.boxes[code] ?? code}
        pin={tabPin.value}
        onGrant={floor.grant}
        onDecline={floor.decline}
        called={(awaited) => calledHere(t, shell, awaited)}
        about={(awaited) => <About awaited={awaited} chips={floor.reported(awaited.to)?.form === "chips"} />}
      />
    </section>
  );
}

/** What is asked for elsewhere than at a table, in words. */
function calledHere(t: Words<"pit">, shell: Words<"shell">, { at, command }: Awaited): string | null {
  const text = (name: string): string => String(command[name] ?? "");
  const named = Array.isArray(command["roles"]) ? (command["roles"] as readonly string[]) : [];
  const roles = named.map((role) => shell(`role_${role}` as "role_dealer")).join(shell("list_join"));
  switch (command["type"]) {
    case "SellVoucher":
      return t("request_sell", { value: money(Number(command["value"] ?? 0)), place: text("place") });
    case "PayVoucher":
      return t("request_pay", { serial: text("serial") });
    case "VoidVoucher":
      return t("request_void", { serial: text("serial"), note: text("note") });
    case "AppointStaff":
      return t("request_appoint", { person: text("person"), roles });
    case "ChangeRoles":
      return t("request_roles", { person: text("person"), roles });
    case "ReinstateStaff":
      return t("request_reinstate", { person: text("person") });
    case "DismissStaff":
      return t("request_dismiss", { person: text("person") });
    case "MakeCode":
      return t("request_code", { person: text("person") });
    case "IssueTerminalKey":
      return t("request_key", { terminal: text("terminal"), table: text("table") });
    case "PayUnclaimed": {
      const blanks = { table: text("table"), amount: money(Number(command["amount"] ?? 0)) };
      const key = command["in_chips"] === true ? "request_unclaimed_seat" : "request_unclaimed";
      return t(key, { ...blanks, ...sessionBlanks(text("session")) });
    }
    case "SendFill":
      return t("request_fill", { table: text("table"), amount: money(sumOf(chipsOf(command))) });
    case "ReceiveCredit":
      return t("request_receive", { transit: text("transit"), amount: money(sumOf(chipsOf(command))) });
    case "ReturnFill":
      return t("request_fill_back", { transit: text("transit"), amount: money(sumOf(chipsOf(command))) });
    case "OpenShift":
      return t("request_open_shift", { count: money(Number(command["count"] ?? 0)) });
    case "CloseShift":
      return t("request_close_shift", { count: money(Number(command["count"] ?? 0)) });
    case "DrainNode":
      return t("request_drain", { node: text("node") });
    case "MoveStream": {
      const [kind, table = ""] = text("stream").split("/");
      if (kind === "table") return t("request_move_table", { table, node: text("node") });
      return t(kind === "cage" ? "request_move_cage" : "request_move_venue", { node: text("node") });
    }
    case "RenameVenue":
      return t("request_rename", { name: text("name") });
    case "SetVoucherTerms": {
      const days = number(Number(command["voucher_days"] ?? 0));
      const above = command["approve_above"];
      return above == null
        ? t("request_terms_alone", { days })
        : t("request_terms", { days, above: money(Number(above)) });
    }
    case "AdoptDepartures": {
      const papers = (command["departures"] ?? []) as readonly Departure[];
      if (papers.length === 0) return t("request_departures_end");
      const said = papers.map(([rulebook, aspect, by, reference]) =>
        t("request_departure", { rulebook, aspect: t(`aspect_${aspect}`), by, reference }),
      );
      return t("request_departures", { papers: said.join("; ") });
    }
    case "AcceptClock": {
      const time = moment(at + Number(command["ahead_ms"] ?? 0));
      return t(command["database_ms"] === 0 ? "request_clock" : "request_clock_database", { time });
    }
    default:
      return null;
  }
}

/** The chips that a command names: those that move, or those that were counted. */
function chipsOf(command: Awaited["command"]): readonly Pieces[] {
  const named = command["chips"] ?? command["count"];
  return Array.isArray(named) ? (named as readonly Pieces[]) : [];
}

/** Where it is asked for, and the figures a second person agrees to. */
function About({ awaited, chips }: { readonly awaited: Awaited; readonly chips: boolean }) {
  const t = useWords("pit");
  const { to, command } = awaited;
  const elsewhere = to === "venue" || to === "cage";
  return (
    <>
      <p class="pit-waiting-where">
        {elsewhere ? t(`where_${to}`) : <a href={addressOf("pit", to)}>{to}</a>}
      </p>
      {chipsOf(command).length > 0 && <PiecesList chips={chipsOf(command)} label={t("request_chips")} />}
      {command["type"] === "SetLimits" && <LimitsShown limits={command["limits"] as LimitsAsked} />}
      {command["type"] === "AdoptRulebook" && <Book command={command} />}
      {!elsewhere && isShown(command) && <WouldDo pending={awaited.pending} at={to} chips={chips} />}
    </>
  );
}

/** The rulebook that is asked for: named by its hash, and known by that. */
function Book({ command }: { readonly command: Awaited["command"] }) {
  const t = useWords("pit");
  const known = useOnce<RulebookList>("/api/rulebooks");
  const hash = String(command["canonical"] ?? "").replace(/^sha256:/, "");
  const book = known.value?.rulebooks.find(({ sha256 }) => sha256 === hash);
  const title = book?.title ?? t("book_own", { hash: hash.slice(0, 12) });
  const address = `${book?.key ?? ""}/${String(command["pay_table"])}`;
  return <p class="pit-waiting-book">{t("book", { title, address })}</p>;
}
