/** The form to record an act of the opening. */

import { useSignal } from "@preact/signals";

import type { Wanted } from "../../answers.ts";
import { FacePicker } from "../../console/entry/face_picker.tsx";
import { ActFields, commandOf, lacksFaces, NOTHING, type Filled } from "../../console/steps/act_fields.tsx";
import { capital } from "../../words/capital.ts";
import type { Refused, Registered, WireCommand } from "../../protocol.ts";
import { Button, Dialog } from "../../shell/index.ts";
import { said } from "../../words/said.ts";
import { useWords } from "../../words/words.ts";

interface Props {
  readonly wanted: Wanted;
  readonly onAsk: (command: WireCommand) => Promise<Registered | Refused>;
  readonly onClose: () => void;
}

export function ActForm({ wanted, onAsk, onClose }: Props) {
  const t = useWords("pit");
  const filled = useSignal<Filled>(NOTHING);
  const fault = useSignal<string | null>(null);
  const busy = useSignal(false);
  const { step } = wanted;
  const fields = step.fields ?? [];
  const lacks = lacksFaces(step.command, filled.value);
  const fill = (change: Partial<Filled>): void => {
    filled.value = { ...filled.value, ...change };
  };
  const send = async (): Promise<void> => {
    const command = commandOf(step.command, filled.value, wanted.code);
    if (command === null || lacks || busy.value) return;
    busy.value = true;
    const answer = await onAsk(command);
    busy.value = false;
    if (answer.type === "Registered") onClose();
    else fault.value = capital(answer.sentence);
  };
  return (
    <Dialog title={t("said_of", { name: wanted.name, what: step.label })} onClose={onClose}>
      <form
        class="pit-form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {fields.includes("faces") && (
          <FacePicker
            faces={filled.value.faces}
            onFaces={(faces) => fill({ faces })}
            takeKeys={() => undefined}
            onEnter={() => void send()}
          />
        )}
        <ActFields fields={fields} filled={filled.value} onFill={fill} />
        <div role="alert">{fault.value !== null && <p class="field-fault">{said(fault.value)}</p>}</div>
        <p class="pit-acts">
          <Button kind="main" type="submit" busy={busy.value} aria-disabled={lacks}>
            {step.label}
          </Button>
          <Button onClick={onClose}>{t("cancel")}</Button>
        </p>
      </form>
    </Dialog>
  );
}
