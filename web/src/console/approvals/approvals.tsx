/**
 * The commands that wait for a second person: who gave them, until when, and buttons to grant or
 * decline them.
 *
 * A report of how the dice were seen has no time limit, and is declined with a reason.
 */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

import type { Awaited } from "../../answers.ts";
import { Button, Dialog, Field, KeypadField } from "../../shell/index.ts";
import { clock, useWords } from "../../words/words.ts";
import { capital } from "../../words/capital.ts";
import { useSecondsUntil } from "../../shell/countdown.ts";
import "./approvals.css";
import "../parts/sentence.css";

/** The person logged in. */
export interface Me {
  readonly person: string | null;
  readonly role: string;
}

export interface ApprovalsProps {
  readonly waiting: readonly Awaited[];
  readonly me: Me;
  readonly now: () => number;
  /** The PIN that the demo gave at the log-in, shown beside the field for a PIN. */
  readonly pin: string | null;
  /** Grants; returns the sentence of a refusal, or null. */
  readonly onGrant: (awaited: Awaited, pin: string) => Promise<string | null>;
  readonly onDecline: (awaited: Awaited, note: string) => Promise<string | null>;
  /** More about the command: its table, and its figures. */
  readonly about?: (awaited: Awaited) => ComponentChildren;
}

/** The most characters of a reason; the server has the same limit. */
const REASON_MAX = 500;

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

/** Whether a pending command has no time limit, and is declined with a reason. */
function lasts(awaited: Awaited): boolean {
  return awaited.expires === null;
}

function Approval(props: ApprovalsProps & { readonly awaited: Awaited }) {
  const { awaited, me } = props;
  const t = useWords("console");
  const left = useSecondsUntil(awaited.expires, props.now);
  const opened = useSignal<"grant" | "decline" | null>(null);
  const refused = useSignal<string | null>(null);
  if (left.value === 0) return null;
  const what = awaited.sentence;
  const mine = awaited.person === me.person;
  const may = !mine && awaited.approved_by.includes(me.role);
  const decline = async (): Promise<void> => {
    if (lasts(awaited)) opened.value = "decline";
    else refused.value = await props.onDecline(awaited, "");
  };
  const close = (): void => {
    opened.value = null;
  };
  return (
    <article class="console-approval" data-lasts={lasts(awaited)}>
      <p class="console-approval-asked">
        {t(lasts(awaited) ? "report_by" : "request_by", { person: awaited.person, what })}
      </p>
      {props.about !== undefined && <div class="console-approval-about">{props.about(awaited)}</div>}
      <p class="console-approval-until">
        {awaited.expires === null
          ? t("report_waits", { time: clock(awaited.at) })
          : t("waits_until", { time: clock(awaited.expires), seconds: left.value ?? "" })}
      </p>
      {may && (
        <p class="console-approval-acts">
          <Button kind="main" onClick={() => (opened.value = "grant")}>
            {t(lasts(awaited) ? "report_agree" : "grant")}
          </Button>
          <Button onClick={() => void decline()}>{t(lasts(awaited) ? "report_decline" : "decline")}</Button>
        </p>
      )}
      {!may && <p class="console-approval-who">{t(whoElse(awaited, mine))}</p>}
      {refused.value !== null && (
        <p class="console-refused" role="alert">
          {capital(refused.value)}
        </p>
      )}
      {opened.value === "grant" && (
        <PinDialog
          title={t(lasts(awaited) ? "report_agree_title" : "grant_title")}
          act={t(lasts(awaited) ? "report_agree_now" : "grant_now")}
          what={what}
          person={me.person ?? ""}
          pin={props.pin}
          onPin={async (pin) => await props.onGrant(awaited, pin)}
          onClose={close}
        />
      )}
      {opened.value === "decline" && (
        <ReasonDialog
          what={what}
          onReason={async (note) => await props.onDecline(awaited, note)}
          onClose={close}
        />
      )}
    </article>
  );
}

/** Says who may answer, if the person logged in may not. */
function whoElse(awaited: Awaited, mine: boolean): "second_elsewhere" | "second_other_role" | "report_who" {
  if (lasts(awaited)) return "report_who";
  return mine ? "second_elsewhere" : "second_other_role";
}

interface ReasonProps {
  readonly what: string;
  /** Declines with a reason; returns the sentence of a refusal, or null. */
  readonly onReason: (note: string) => Promise<string | null>;
  readonly onClose: () => void;
}

/** The form to decline a report: it rules that it did not happen, and records the reason. */
function ReasonDialog({ what, onReason, onClose }: ReasonProps) {
  const t = useWords("console");
  const typed = useSignal("");
  const refused = useSignal<string | null>(null);
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    refused.value = await onReason(typed.value);
    if (refused.value === null) onClose();
  };
  return (
    <Dialog title={t("report_decline_title")} onClose={onClose} closable={false}>
      <form class="console-form" onSubmit={(event) => void send(event)}>
        <p>{capital(what)}</p>
        <p>{t("report_decline_means")}</p>
        <Field
          label={t("report_reason")}
          hint={t("report_reason_hint")}
          fault={refused.value === null ? null : capital(refused.value)}
          autocomplete="off"
          autofocus
          maxLength={REASON_MAX}
          required
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
        <p class="console-approval-acts">
          <Button kind="main" type="submit" disabled={typed.value.trim() === ""}>
            {t("report_decline_now")}
          </Button>
          <Button onClick={onClose}>{t("cancel")}</Button>
        </p>
      </form>
    </Dialog>
  );
}

interface PinProps {
  readonly title: string;
  readonly act: string;
  readonly what: string;
  readonly person: string;
  readonly pin: string | null;
  readonly onPin: (pin: string) => Promise<string | null>;
  readonly onClose: () => void;
}

function PinDialog({ title, act, what, person, pin, onPin, onClose }: PinProps) {
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
    <Dialog title={title} onClose={onClose} closable={false}>
      <form class="console-form" onSubmit={(event) => void send(event)}>
        <p>{capital(what)}</p>
        <KeypadField
          label={t("pin_of", { person })}
          hint={pin === null ? undefined : t("pin_demo", { pin })}
          fault={refused.value === null ? null : capital(refused.value)}
          type="password"
          autocomplete="off"
          autofocus
          maxLength={12}
          required
          value={typed.value}
          onValue={(pin) => (typed.value = pin)}
        />
        <p class="console-approval-acts">
          <Button kind="main" type="submit">
            {act}
          </Button>
          <Button onClick={onClose}>{t("cancel")}</Button>
        </p>
      </form>
    </Dialog>
  );
}
