/** A step that wants to know something: the dice, a note, which checks were made. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import type { Step, WireCommand } from "../../protocol.ts";
import { Button, Field } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import { FacePicker } from "../entry/face_picker.tsx";
import type { Taker } from "../keys.ts";
import { ECHO } from "./next.ts";
import "./step_form.css";

/** A check before the table opens, as the server words it. */
export interface Check {
  readonly code: string;
  readonly sentence: string;
  readonly clause: string | null;
}

interface Props {
  readonly step: Step;
  readonly checks: readonly Check[];
  readonly onSend: (command: WireCommand) => void;
  readonly onClose: () => void;
  readonly takeKeys: (taker: Taker | null) => void;
}

/** Everything that any step may want to know. */
interface Filled {
  readonly faces: readonly number[];
  readonly note: string;
  readonly dice_set: string;
  readonly seal: string;
  readonly checks: readonly string[];
  readonly testified: readonly Fact[];
}

/** What two persons may testify to where the record lacks it. */
const FACTS = ["closed", "tumbled"] as const;
type Fact = (typeof FACTS)[number];

const NOTHING: Filled = { faces: [], note: "", dice_set: "", seal: "", checks: [], testified: [] };

/** The command of a step with what was filled in. */
export function commandOf(command: string, filled: Filled): WireCommand | null {
  switch (command) {
    case "AmendResult":
      return { type: command, faces: filled.faces };
    case "DeclareOutcome":
      return filled.faces.length === ECHO
        ? { type: command, faces: filled.faces, testified: filled.testified }
        : { type: command, faces: null };
    case "Rectify":
    case "DeclareSafeProcedure":
      return { type: command, note: filled.note };
    case "RegisterDice":
      return { type: command, dice_set: filled.dice_set, seal: filled.seal };
    case "RecordChecks":
      return { type: command, checks: filled.checks };
    default:
      return null;
  }
}

export function StepForm({ step, checks, onSend, onClose, takeKeys }: Props) {
  const t = useWords("console");
  const filled = useSignal<Filled>(NOTHING);
  const set = (change: Partial<Filled>): void => {
    filled.value = { ...filled.value, ...change };
  };
  const wants = (field: string): boolean => (step.fields ?? []).includes(field);
  const whole = step.command !== "AmendResult" || filled.value.faces.length === ECHO;
  const send = (): void => {
    const command = commandOf(step.command, filled.value);
    if (command !== null && whole) onSend(command);
  };
  const form = useRef<HTMLFormElement>(null);
  // Whoever opened it goes on in it: with the first thing to be typed, if there is one.
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
      <h2>{step.label}</h2>
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
      {wants("note") && (
        <Field
          label={t("note")}
          hint={t("note_how")}
          value={filled.value.note}
          maxLength={500}
          required
          onInput={(event) => set({ note: event.currentTarget.value })}
        />
      )}
      {wants("dice_set") && (
        <Field
          label={t("dice_set")}
          value={filled.value.dice_set}
          maxLength={64}
          required
          onInput={(event) => set({ dice_set: event.currentTarget.value })}
        />
      )}
      {wants("seal") && (
        <Field
          label={t("seal")}
          value={filled.value.seal}
          maxLength={64}
          required
          onInput={(event) => set({ seal: event.currentTarget.value })}
        />
      )}
      {wants("checks") && <Checks checks={checks} made={filled.value.checks} onMade={(made) => set({ checks: made })} />}
      {step.second && <p class="console-hint">{t("takes_two")}</p>}
      <p class="console-form-acts">
        <Button kind="main" type="submit" aria-disabled={!whole}>
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

/** What the record lacks of a round, and both persons saw. */
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

interface ChecksProps {
  readonly checks: readonly Check[];
  readonly made: readonly string[];
  readonly onMade: (made: readonly string[]) => void;
}

function Checks({ checks, made, onMade }: ChecksProps) {
  const t = useWords("console");
  return (
    <fieldset class="console-checks">
      <legend>{t("checks")}</legend>
      {checks.map((check) => (
        <label key={check.code} class="console-check">
          <input
            type="checkbox"
            checked={made.includes(check.code)}
            onChange={(event) =>
              onMade(
                event.currentTarget.checked ? [...made, check.code] : made.filter((each) => each !== check.code),
              )
            }
          />
          <span>
            {check.sentence}
            {" "}
            {check.clause !== null && <span class="console-clause">{t("clause", { clause: check.clause })}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
