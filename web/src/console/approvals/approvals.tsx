/** What waits for a second person: who asked for what, until when, and to grant or decline it. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

import type { Awaited } from "../../answers.ts";
import { Button, Dialog, Field } from "../../shell/index.ts";
import { clock, useWords, type Words } from "../../words/words.ts";
import { capital } from "../parts/capital.ts";
import { useSecondsUntil } from "../../shell/countdown.ts";
import { moneyRequestSentence } from "../money/sentences.ts";
import "./approvals.css";
import "../parts/sentence.css";

/** Who is looking. */
export interface Me {
  readonly person: string | null;
  readonly role: string;
}

export interface ApprovalsProps {
  readonly waiting: readonly Awaited[];
  readonly me: Me;
  readonly now: () => number;
  readonly nameOf?: NameOf;
  /** The PIN that the demo gave at the log-in, to be shown where one is asked for. */
  readonly pin: string | null;
  /** Grants; gives the sentence of a refusal, or null. */
  readonly onGrant: (awaited: Awaited, pin: string) => Promise<string | null>;
  readonly onDecline: (awaited: Awaited) => Promise<string | null>;
  /** Words for what the console has none for; null: it has. */
  readonly called?: (awaited: Awaited) => string | null;
  /** More of what is asked for, shown with it: where, and the figures. */
  readonly about?: (awaited: Awaited) => ComponentChildren;
}

/** A command, with whatever is in it. */
type Request = Readonly<Record<string, unknown>>;
/** How an irregularity or a box is called, by its code. */
type NameOf = (code: string) => string;

function itself(code: string): string {
  return code;
}

/** What was asked for, in words. */
export function requestSentence(t: Words<"console">, command: Request, nameOf: NameOf = itself): string {
  const faces = Array.isArray(command["faces"]) ? command["faces"].join(" · ") : null;
  const blanks = {
    faces: faces ?? "",
    code: nameOf(String(command["code"] ?? "")),
    note: String(command["note"] ?? ""),
    round: String(command["round"] ?? command["first"] ?? ""),
    terminal: String(command["terminal"] ?? ""),
  };
  switch (command["type"]) {
    case "AmendResult":
      return t("request_amend", blanks);
    case "DeclareOutcome":
      return faces === null ? t("request_declare_none") : declareSentence(t, faces, command["testified"]);
    case "ResumePlay":
      return t("request_resume");
    case "EnterRoundByHand":
      return t("request_by_hand", blanks);
    case "ReportIrregularity":
      return t("request_void", blanks);
    case "VoidSettledRounds":
      return t("request_void_settled", blanks);
    case "CorrectSettledRound":
      return t("request_correct", blanks);
    case "DeclareSafeProcedure":
      return t("request_safe", blanks);
    case "Rule":
      return t("request_rule", blanks);
    case "SetLimits":
      return t("request_limits");
    case "AdoptRulebook":
      return t("request_rulebook");
    case "EnrolTerminal":
      return t("request_enrol", blanks);
    default:
      return moneyRequestSentence(t, command, nameOf) ?? String(command["type"]);
  }
}

function declareSentence(t: Words<"console">, faces: string, testified: unknown): string {
  const facts = factsIn(t, testified);
  return facts === "" ? t("request_declare", { faces }) : t("request_declare_testified", { faces, facts });
}

/** What two persons testify to, in words. */
export function factsIn(t: Words<"console">, testified: unknown): string {
  const facts: readonly unknown[] = Array.isArray(testified) ? testified : [];
  const words = (["closed", "tumbled"] as const).filter((fact) => facts.includes(fact)).map((fact) => t(`testify_${fact}`));
  return words.join("; ");
}

export function Approvals(props: ApprovalsProps) {
  const t = useWords("console");
  if (props.waiting.length === 0) return null;
  return (
    <section class="console-approvals" aria-label={t("approvals")}>
      {props.waiting.map((awaited) => (
        <Approval key={awaited.pending} awaited={awaited} {...props} />
      ))}
    </section>
  );
}

function Approval(props: ApprovalsProps & { readonly awaited: Awaited }) {
  const { awaited, me } = props;
  const t = useWords("console");
  const left = useSecondsUntil(awaited.expires, props.now);
  const granting = useSignal(false);
  const refused = useSignal<string | null>(null);
  if (left.value === 0) return null;
  const what = props.called?.(awaited) ?? requestSentence(t, awaited.command, props.nameOf);
  const mine = awaited.person === me.person;
  const may = !mine && awaited.approved_by.includes(me.role);
  const decline = async (): Promise<void> => {
    refused.value = await props.onDecline(awaited);
  };
  return (
    <article class="console-approval">
      <p class="console-approval-asked">{t("request_by", { person: awaited.person, what })}</p>
      {props.about?.(awaited)}
      <p class="console-approval-until">
        {t("waits_until", { time: clock(awaited.expires), seconds: left.value ?? "" })}
      </p>
      {may && (
        <p class="console-approval-acts">
          <Button kind="main" onClick={() => (granting.value = true)}>
            {t("grant")}
          </Button>
          <Button onClick={() => void decline()}>{t("decline")}</Button>
        </p>
      )}
      {!may && <p class="console-approval-who">{mine ? t("second_elsewhere") : t("second_other_role")}</p>}
      {refused.value !== null && (
        <p class="console-refused" role="alert">
          {capital(refused.value)}
        </p>
      )}
      {granting.value && (
        <PinDialog
          what={what}
          person={me.person ?? ""}
          pin={props.pin}
          onPin={async (pin) => await props.onGrant(awaited, pin)}
          onClose={() => (granting.value = false)}
        />
      )}
    </article>
  );
}

interface PinProps {
  readonly what: string;
  readonly person: string;
  readonly pin: string | null;
  readonly onPin: (pin: string) => Promise<string | null>;
  readonly onClose: () => void;
}

function PinDialog({ what, person, pin, onPin, onClose }: PinProps) {
  const t = useWords("console");
  const typed = useSignal("");
  const refused = useSignal<string | null>(null);
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const given = typed.value;
    typed.value = "";
    refused.value = await onPin(given);
    if (refused.value === null) onClose();
  };
  return (
    <Dialog title={t("grant_title")} onClose={onClose} closable={false}>
      <form class="console-form" onSubmit={(event) => void send(event)}>
        <p>{what}</p>
        <Field
          label={t("pin_of", { person })}
          hint={pin === null ? undefined : t("pin_demo", { pin })}
          fault={refused.value === null ? null : capital(refused.value)}
          type="password"
          inputMode="numeric"
          autocomplete="off"
          autofocus
          maxLength={12}
          required
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
        <p class="console-approval-acts">
          <Button kind="main" type="submit">
            {t("grant_now")}
          </Button>
          <Button onClick={onClose}>{t("cancel")}</Button>
        </p>
      </form>
    </Dialog>
  );
}
