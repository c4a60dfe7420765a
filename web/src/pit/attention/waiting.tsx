/** All commands of the venue that wait for a second person, with their details. */

import type { Awaited, RulebookList } from "../../answers.ts";
import { isShown, WouldDo } from "../../console/approvals/about.tsx";
import { Approvals } from "../../console/approvals/approvals.tsx";
import { PiecesList } from "../../layout/index.ts";
import { tabPin } from "../../live/index.ts";
import type { LimitsAsked, Pieces } from "../../protocol.ts";
import { addressOf } from "../../shell/index.ts";
import { number, useWords } from "../../words/words.ts";
import type { Floor } from "../floor.ts";
import { LimitsShown } from "../limits/limits_shown.tsx";
import { useOnce } from "../once.ts";
import "./waiting.css";

/** The part of the floor needed to show pending commands and to answer them. */
type Asked = Pick<Floor, "who" | "now" | "waiting" | "grant" | "decline" | "reported">;

export function Waiting({ floor }: { readonly floor: Asked }) {
  const t = useWords("pit");
  const waiting = floor.waiting();
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
        pin={tabPin.value}
        onGrant={floor.grant}
        onDecline={floor.decline}
        about={(awaited) => <About awaited={awaited} chips={floor.reported(awaited.to)?.form === "chips"} />}
      />
    </section>
  );
}

/** The chips that a command names: chips that move, or chips that were counted. */
function chipsOf(command: Awaited["command"]): readonly Pieces[] {
  const named = command["chips"] ?? command["count"];
  return Array.isArray(named) ? (named as readonly Pieces[]) : [];
}

/** The table of a command, and the figures that a second person agrees to. */
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

/** The rulebook of a command, which names it by its hash. */
function Book({ command }: { readonly command: Awaited["command"] }) {
  const t = useWords("pit");
  const known = useOnce<RulebookList>("/api/rulebooks");
  const hash = String(command["canonical"] ?? "").replace(/^sha256:/, "");
  const book = known.value?.rulebooks.find(({ sha256 }) => sha256 === hash);
  const title = book?.title ?? t("book_own", { hash: hash.slice(0, 12) });
  const address = `${book?.key ?? ""}/${String(command["pay_table"])}`;
  return <p class="pit-waiting-book">{t("book", { title, address })}</p>;
}
