/** A form of the table's money in a window: sends its command, and shows a refusal. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

import type { Refused, Registered, WireCommand } from "../../../protocol.ts";
import { announce, Button, Dialog, Field } from "../../../shell/index.ts";
import { said } from "../../../words/said.ts";
import { cited, useWords } from "../../../words/words.ts";
import { AMOUNT_LETTERS_MAX } from "../../../words/written.ts";
import { capital } from "../../../words/capital.ts";
import "../../parts/sentence.css";
import "../money.css";

export type Ask = (command: WireCommand) => Promise<Registered | Refused>;

/** The properties of every form of the table's money. */
export interface FormProps {
  readonly ask: Ask;
  readonly onClose: () => void;
}

interface Props extends FormProps {
  readonly title: string;
  /** The text of the button; without it, the title. */
  readonly act?: string;
  /** Whether the command cannot be undone. */
  readonly grave?: boolean;
  /** Whether the command needs a second person. */
  readonly second?: boolean;
  readonly wide?: boolean;
  /** Read the fields; null if there is an error, which its field then shows. */
  readonly read: () => WireCommand | null;
  readonly children: ComponentChildren;
}

export function MoneyForm({ title, act, grave = false, second = false, wide = false, ...given }: Props) {
  const { read, ask, onClose, children } = given;
  const t = useWords("console");
  const refused = useSignal<Refused | null>(null);
  const busy = useSignal(false);
  const faults = useSignal(0);
  const form = useRef<HTMLFormElement>(null);
  // Focus the first error as soon as it is shown: later the user may already be typing in another
  // field.
  useLayoutEffect(() => {
    if (faults.value > 0) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [faults.value]);
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (busy.value) return;
    refused.value = null;
    const command = read();
    if (command === null) {
      faults.value += 1;
      return;
    }
    busy.value = true;
    const answer = await ask(command);
    busy.value = false;
    if (answer.type === "Refused") {
      refused.value = answer;
      return;
    }
    announce(answer.pending == null ? t("money_done", { what: title }) : t("waits_second"));
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose} wide={wide}>
      <form ref={form} class="console-form money-form" noValidate onSubmit={(event) => void send(event)}>
        {children}
        {second && <p class="console-hint">{t("takes_two")}</p>}
        <div role="alert">{refused.value !== null && <Why refused={refused.value} />}</div>
        <p class="console-form-acts money-form-acts">
          <Button kind={grave ? "grave" : "main"} type="submit" busy={busy.value}>
            {act ?? title}
          </Button>
          <Button onClick={onClose}>{t("cancel")}</Button>
        </p>
      </form>
    </Dialog>
  );
}

function Why({ refused }: { readonly refused: Refused }) {
  const t = useWords("console");
  return (
    <p class="console-refused">
      {capital(said(refused.sentence))}
      {" "}
      {refused.clause != null && <span class="console-clause">{cited(t, refused.clause)}</span>}
    </p>
  );
}

interface AmountProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault?: string | null;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly first?: boolean;
}

/** A field for an amount. */
export function Amount({ label, hint, fault, value, onValue, first = false }: AmountProps) {
  return (
    <Field
      label={label}
      hint={hint}
      fault={fault}
      inputMode="decimal"
      autocomplete="off"
      maxLength={AMOUNT_LETTERS_MAX}
      autofocus={first}
      value={value}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  );
}
