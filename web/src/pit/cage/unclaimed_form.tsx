/** What a session is owed, found by its code and paid by two persons. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { SetAside } from "../../answers.ts";
import { capital } from "../../console/parts/capital.ts";
import { MoneyForm, type FormProps } from "../../console/money/forms/form.tsx";
import { sessionBlanks } from "../../console/money/unclaimed.ts";
import { post } from "../../live/index.ts";
import { Button, Dialog, KeypadField } from "../../shell/index.ts";
import { money, useWords } from "../../words/words.ts";

/** A code, with what stands between its digits for the eye. */
const CODE_LETTERS_MAX = 24;

interface Found extends SetAside {
  readonly code: string;
}

interface UnclaimedProps extends FormProps {
  /** A code that was scanned already. */
  readonly code?: string;
}

export function UnclaimedForm({ code = "", ...form }: UnclaimedProps) {
  const found = useSignal<Found | null>(null);
  if (found.value === null)
    return <CodeForm code={code} onFound={(what) => (found.value = what)} onClose={form.onClose} />;
  return <PayForm found={found.value} {...form} />;
}

interface CodeProps {
  readonly code: string;
  readonly onFound: (found: Found) => void;
  readonly onClose: () => void;
}

/** The code as the player has it: nothing is paid by it yet. */
function CodeForm({ code: scanned, onFound, onClose }: CodeProps) {
  const t = useWords("pit");
  const written = useSignal(scanned);
  const fault = useSignal<string | null>(null);
  const busy = useSignal(false);
  const look = async (): Promise<void> => {
    const code = written.value.replace(/[\s-]/g, "");
    if (busy.value) return;
    if (code === "") {
      fault.value = t("missing_code");
      return;
    }
    busy.value = true;
    fault.value = null;
    try {
      onFound({ code, ...(await post<SetAside>("/api/cage/unclaimed", { code })) });
    } catch (error) {
      fault.value = capital(error instanceof Error ? error.message : String(error));
    }
    busy.value = false;
  };
  useEffect(() => {
    if (scanned !== "") void look();
  }, []);
  return (
    <Dialog title={t("unclaimed_pay")} onClose={onClose}>
      <form
        class="console-form money-form"
        noValidate
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          void look();
        }}
      >
        <KeypadField
          label={t("session_code")}
          hint={t("session_code_hint")}
          fault={fault.value}
          autoComplete="off"
          maxLength={CODE_LETTERS_MAX}
          value={written.value}
          onValue={(text) => (written.value = text)}
          autoFocus
        />
        <p class="console-form-acts money-form-acts">
          <Button kind="main" type="submit" busy={busy.value}>
            {t("unclaimed_look")}
          </Button>
          <Button onClick={onClose}>{t("cancel")}</Button>
        </p>
      </form>
    </Dialog>
  );
}

/** What would be paid, and how: the second person agrees to exactly this. */
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
