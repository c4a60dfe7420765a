/** The form for a session's code, typed or keyed, which finds a player's money and rounds. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

import { capital } from "../../words/capital.ts";
import { Button, Fault, KeypadField } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";

/** A code, with separators between its digits. */
const CODE_LETTERS_MAX = 24;

interface Props {
  /** The text of the button. */
  readonly label: string;
  /** A code that was already scanned: it is submitted at once. */
  readonly scanned?: string;
  readonly fault: string | null;
  readonly busy: boolean;
  /** Receives the digits, without separators. */
  readonly onCode: (code: string) => void;
  readonly onClose: () => void;
  /** The text above the field. */
  readonly children?: ComponentChildren;
}

export function CodeForm({ label, scanned = "", fault, busy, onCode, onClose, children }: Props) {
  const t = useWords("pit");
  const written = useSignal(scanned);
  const missing = useSignal(false);
  const give = (): void => {
    const code = written.value.replace(/[\s-]/g, "");
    missing.value = code === "";
    if (!missing.value) onCode(code);
  };
  useEffect(() => {
    if (scanned !== "") give();
  }, []);
  return (
    <form
      class="console-form"
      noValidate
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        give();
      }}
    >
      {children}
      <KeypadField
        label={t("session_code")}
        hint={t("session_code_hint")}
        fault={missing.value ? t("missing_code") : null}
        autocomplete="off"
        maxLength={CODE_LETTERS_MAX}
        value={written.value}
        onValue={(text) => (written.value = text)}
        autofocus
      />
      <Fault>{fault === null ? null : capital(fault)}</Fault>
      <p class="pit-acts">
        <Button kind="main" type="submit" busy={busy}>
          {label}
        </Button>
        <Button onClick={onClose}>{t("cancel")}</Button>
      </p>
    </form>
  );
}
