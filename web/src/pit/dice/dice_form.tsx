/** The form to put a sealed set of dice into use. */

import { useSignal } from "@preact/signals";

import { capital } from "../../words/capital.ts";
import type { Refused, Registered, WireCommand } from "../../protocol.ts";
import { Button, Dialog, Field, given } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";

const NAME_LETTERS_MAX = 64;

interface Props {
  readonly title: string;
  readonly onAsk: (command: WireCommand) => Promise<Registered | Refused>;
  readonly onClose: () => void;
}

export function DiceForm({ title, onAsk, onClose }: Props) {
  const t = useWords("pit");
  const console = useWords("console");
  const fault = useSignal<string | null>(null);
  const busy = useSignal(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    const { dice_set = "", seal = "" } = given(event);
    busy.value = true;
    const answer = await onAsk({ type: "RegisterDice", dice_set, seal });
    busy.value = false;
    if (answer.type === "Registered") onClose();
    else fault.value = capital(answer.sentence);
  };
  const common = { autocomplete: "off", required: true, maxLength: NAME_LETTERS_MAX } as const;
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="pit-form" onSubmit={(event) => void submit(event)}>
        <Field label={console("dice_set")} name="dice_set" autofocus {...common} />
        <Field label={console("seal")} name="seal" fault={fault.value} {...common} />
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
