/** The form of an action that is recorded with a note by its user. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

import { capital } from "../../words/capital.ts";
import type { Refused, Registered } from "../../protocol.ts";
import { Button, Dialog, Field, given } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";

const NOTE_LETTERS_MAX = 500;

/** The answer to the action: registered, or refused with a sentence. */
export type Answered = Pick<Registered, "type"> | Pick<Refused, "type" | "sentence">;

interface Props {
  readonly title: string;
  /** Whether it needs a second person. */
  readonly second?: boolean;
  readonly onNote: (note: string) => Promise<Answered>;
  readonly onClose: () => void;
  /** Whether the caller shows something else once it is done. */
  readonly keepsOpen?: boolean;
  /** Content shown before the action, such as its effects. */
  readonly children?: ComponentChildren;
}

export function NoteForm({ title, second = false, keepsOpen = false, onNote, onClose, children }: Props) {
  const t = useWords("pit");
  const console = useWords("console");
  const fault = useSignal<string | null>(null);
  const busy = useSignal(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    const { note } = given(event);
    busy.value = true;
    const answer = await onNote(note ?? "");
    busy.value = false;
    if (answer.type === "Refused") fault.value = capital(answer.sentence);
    else if (!keepsOpen) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="pit-form" onSubmit={(event) => void submit(event)}>
        {children}
        <Field
          label={console("note")}
          hint={console("note_how")}
          fault={fault.value}
          name="note"
          autocomplete="off"
          maxLength={NOTE_LETTERS_MAX}
          autofocus
          required
        />
        {second && <p class="pit-quiet">{t("takes_two")}</p>}
        <p class="pit-acts">
          <Button kind="main" type="submit" busy={busy.value}>
            {title}
          </Button>
          <Button onClick={onClose}>{t("cancel")}</Button>
        </p>
      </form>
    </Dialog>
  );
}
