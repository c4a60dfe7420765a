/** Pays what a session is owed, found by its code, with two persons. */

import { useSignal } from "@preact/signals";

import type { SetAside } from "../../answers.ts";
import { MoneyForm, type FormProps } from "../../console/money/forms/form.tsx";
import { sessionBlanks } from "../../console/money/unclaimed.ts";
import { post } from "../../live/index.ts";
import { Dialog, useSending } from "../../shell/index.ts";
import { money, useWords } from "../../words/words.ts";
import { CodeForm } from "./code_form.tsx";

interface Found extends SetAside {
  readonly code: string;
}

interface UnclaimedProps extends FormProps {
  /** A code that was already scanned. */
  readonly code?: string;
}

export function UnclaimedForm({ code = "", ...form }: UnclaimedProps) {
  const found = useSignal<Found | null>(null);
  if (found.value === null)
    return <FindForm code={code} onFound={(what) => (found.value = what)} onClose={form.onClose} />;
  return <PayForm found={found.value} {...form} />;
}

interface FindProps {
  readonly code: string;
  readonly onFound: (found: Found) => void;
  readonly onClose: () => void;
}

/** The first step, which looks up the player's code and pays nothing yet. */
function FindForm({ code: scanned, onFound, onClose }: FindProps) {
  const t = useWords("pit");
  const { fault, busy, send } = useSending();
  const look = (code: string): void =>
    send(async () => onFound({ code, ...(await post<SetAside>("/api/cage/unclaimed", { code })) }));
  return (
    <Dialog title={t("unclaimed_pay")} onClose={onClose}>
      <CodeForm
        label={t("unclaimed_look")}
        scanned={scanned}
        fault={fault}
        busy={busy}
        onCode={look}
        onClose={onClose}
      />
    </Dialog>
  );
}

/** What would be paid, and how; the second person agrees to exactly this. */
function PayForm({ found, ...form }: FormProps & { readonly found: Found }) {
  const t = useWords("pit");
  const { code, table, session, amount, in_chips } = found;
  return (
    <MoneyForm
      title={t("unclaimed_pay")}
      second
      read={() => ({ type: "PayUnclaimed", code, table, session, amount, in_chips })}
      {...form}
    >
      <p class="money-worth">{money(amount)}</p>
      <p>{t(in_chips ? "unclaimed_of_seat" : "unclaimed_of", { ...sessionBlanks(session), table })}</p>
      <p class="console-hint">{t(in_chips ? "unclaimed_in_chips" : "unclaimed_in_cash")}</p>
    </MoneyForm>
  );
}
