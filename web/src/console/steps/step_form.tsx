/** The form of a step that needs values: the dice, a note, what was done. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import type { Step, WireCommand } from "../../protocol.ts";
import { Button } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import { FacePicker } from "../entry/face_picker.tsx";
import type { Taker } from "../keys.ts";
import { ActFields, commandOf, FACTS, lacksFaces, NOTHING, type Fact, type Filled } from "./act_fields.tsx";
import { ECHO } from "./next.ts";
import "./step_form.css";

interface Props {
  readonly step: Step;
  /** The piece of equipment to register next. */
  readonly equipment: string;
  readonly onSend: (command: WireCommand) => void;
  readonly onClose: () => void;
  readonly takeKeys: (taker: Taker | null) => void;
}

export function StepForm({ step, equipment, onSend, onClose, takeKeys }: Props) {
  const t = useWords("console");
  const filled = useSignal<Filled>(NOTHING);
  const set = (change: Partial<Filled>): void => {
    filled.value = { ...filled.value, ...change };
  };
  const wants = (field: string): boolean => (step.fields ?? []).includes(field);
  const isWhole = (): boolean => !lacksFaces(step.command, filled.value);
  // Typed values count even before they are drawn.
  const send = (): void => {
    const command = commandOf(step.command, filled.value, equipment);
    if (command !== null && isWhole()) onSend(command);
  };
  const form = useRef<HTMLFormElement>(null);
  // The form gets the focus, in its first text field if there is one.
  useEffect(() => (form.current?.querySelector("input") ?? form.current)?.focus(), []);
  return (
    <form
      ref={form}
      class="console-form console-step-form"
      tabIndex={-1}
      aria-label={step.label}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <header class="console-step-form-head">
        <h2>{step.label}</h2>
        {step.second && <p class="console-hint">{t("takes_two")}</p>}
      </header>
      {wants("faces") && (
        <FacePicker
          faces={filled.value.faces}
          onFaces={(faces) => set({ faces })}
          takeKeys={takeKeys}
          onEnter={send}
        />
      )}
      {step.command === "DeclareOutcome" && <p class="console-hint">{t("declare_none_how")}</p>}
      <Testimony
        facts={filled.value.faces.length < ECHO ? [] : FACTS.filter((fact) => wants(`testified-${fact}`))}
        testified={filled.value.testified}
        onTestified={(testified) => set({ testified })}
      />
      <ActFields fields={step.fields ?? []} filled={filled.value} onFill={set} />
      <p class="console-form-acts">
        <Button kind="main" type="submit" aria-disabled={!isWhole()}>
          {step.command === "DeclareOutcome" && filled.value.faces.length < ECHO ? t("declare_none") : step.label}
        </Button>
        <Button onClick={onClose}>{t("cancel")}</Button>
      </p>
    </form>
  );
}

interface TestimonyProps {
  readonly facts: readonly Fact[];
  readonly testified: readonly Fact[];
  readonly onTestified: (testified: readonly Fact[]) => void;
}

/** The facts of a round that are not recorded, but that both persons saw. */
function Testimony({ facts, testified, onTestified }: TestimonyProps) {
  const t = useWords("console");
  if (facts.length === 0) return null;
  return (
    <fieldset class="console-checks">
      <legend>{t("testify")}</legend>
      <p class="console-hint">{t("testify_how")}</p>
      {facts.map((fact) => (
        <label key={fact} class="console-check">
          <input
            type="checkbox"
            checked={testified.includes(fact)}
            onChange={(event) =>
              onTestified(facts.filter((each) => (each === fact ? event.currentTarget.checked : testified.includes(each))))
            }
          />
          <span>{t(`testify_${fact}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}
