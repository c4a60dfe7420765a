/** The form for limits; refusals are shown at their fields. Two persons, and between rounds. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";

import type { OddsView, WordsView } from "../../answers.ts";
import { capital } from "../../words/capital.ts";
import type { LimitsAsked, Refused, Registered, RulebookName, Step } from "../../protocol.ts";
import { Button, Choice, Dialog, Field } from "../../shell/index.ts";
import { said } from "../../words/said.ts";
import { language, useWords } from "../../words/words.ts";
import { AMOUNT_LETTERS_MAX } from "../../words/written.ts";
import {
  fieldOf,
  isLimits,
  OWN_MAX,
  readLimits,
  writeLimits,
  type Faults,
  type OwnLimits,
  type Written,
} from "./limits.ts";
import { useOnce } from "../once.ts";
import "./limits.css";

interface Props {
  readonly limits: LimitsAsked | null;
  readonly rulebook: RulebookName | null;
  /** The state of the step: during a round it is refused until the round is over. */
  readonly step: Step;
  readonly onAsk: (limits: LimitsAsked) => Promise<Registered | Refused>;
  readonly onClose: () => void;
}

export function LimitsForm({ limits, rulebook, step, onAsk, onClose }: Props) {
  const t = useWords("pit");
  const written = useSignal<Written>(writeLimits(limits));
  const faults = useSignal<Faults>({});
  /** The command to send as soon as the round is over. */
  const armed = useSignal<LimitsAsked | null>(null);
  const busy = useSignal(false);
  const refused = step.standing === "refused";
  const write = (next: Written): void => {
    written.value = next;
    // A field that is being corrected no longer shows its error.
    faults.value = {};
  };
  const ask = async (wanted: LimitsAsked): Promise<void> => {
    armed.value = null;
    busy.value = true;
    const answer = await onAsk(wanted);
    busy.value = false;
    if (answer.type === "Registered") onClose();
    else faults.value = { [fieldOf(answer)]: capital(answer.sentence) };
  };
  useEffect(() => {
    if (armed.value !== null && !refused) void ask(armed.value);
  }, [armed.value, refused]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const sentences = { notAmount: t("not_amount"), missing: t("missing"), twice: t("own_twice") };
    const read = readLimits(written.value, sentences);
    faults.value = isLimits(read) ? {} : read;
    if (!isLimits(read) || busy.value) return;
    if (refused) armed.value = read;
    else void ask(read);
  };
  return (
    <Dialog title={t("limits_change")} onClose={onClose}>
      <form class="pit-form" onSubmit={submit} noValidate>
        <div class="pit-form-pair">
          <Amount name="minimum" field="min" label={t("minimum")} written={written.value} onWrite={write} faults={faults.value} />
          <Amount name="maximum" field="max" label={t("maximum")} written={written.value} onWrite={write} faults={faults.value} />
          <Amount
            name="step"
            field="step"
            label={t("step")}
            hint={t("step_how")}
            written={written.value}
            onWrite={write}
            faults={faults.value}
          />
          <Amount
            name="differential"
            field="differential"
            label={t("differential")}
            hint={t("differential_how")}
            written={written.value}
            onWrite={write}
            faults={faults.value}
          />
        </div>
        <Own written={written.value} onWrite={write} faults={faults.value} rulebook={rulebook} />
        <div role="alert">
          {faults.value["form"] !== undefined && <p class="field-fault">{said(faults.value["form"])}</p>}
        </div>
        <p class="pit-quiet">{step.second ? t("takes_two") : ""}</p>
        <div role="status">
          {refused && armed.value === null && <p class="pit-not-now">{step.sentence}</p>}
          {armed.value !== null && <p class="pit-not-now pit-armed">{t("armed")}</p>}
        </div>
        <p class="pit-acts">
          <Button kind="main" type="submit" busy={busy.value || armed.value !== null}>
            {refused ? t("ask_when_over") : t("ask_limits")}
          </Button>
          <Button onClick={onClose}>{t("cancel")}</Button>
        </p>
      </form>
    </Dialog>
  );
}

interface AmountProps {
  readonly name: "minimum" | "maximum" | "step" | "differential";
  readonly field: string;
  readonly label: string;
  readonly hint?: string;
  readonly written: Written;
  readonly onWrite: (written: Written) => void;
  readonly faults: Faults;
}

function Amount({ name, field, label, hint, written, onWrite, faults }: AmountProps) {
  return (
    <Field
      label={label}
      hint={hint}
      fault={faults[field]}
      inputMode="decimal"
      autocomplete="off"
      maxLength={AMOUNT_LETTERS_MAX}
      value={written[name]}
      onInput={(event) => onWrite({ ...written, [name]: event.currentTarget.value })}
    />
  );
}

interface OwnProps {
  readonly written: Written;
  readonly onWrite: (written: Written) => void;
  readonly faults: Faults;
  readonly rulebook: RulebookName | null;
}

/** The fields for limits of single boxes, and of kinds of boxes. */
function Own({ written, onWrite, faults, rulebook }: OwnProps) {
  const t = useWords("pit");
  const names = useNames(rulebook);
  const rows = written.boxes;
  const put = (boxes: readonly OwnLimits[]): void => onWrite({ ...written, boxes });
  const change = (place: number, with_: Partial<OwnLimits>): void =>
    put(rows.map((row, each) => (each === place ? { ...row, ...with_ } : row)));
  const free = names.find(({ name }) => !rows.some((row) => row.name === name));
  return (
    <fieldset class="pit-own">
      <legend>{t("own_limits")}</legend>
      {rows.map((row, place) => (
        <div class="pit-own-row" key={place} role="group" aria-label={t("own_row", { number: place + 1 })}>
          <Choice
            label={t("own_box")}
            value={row.name}
            onChange={(event) => change(place, { name: event.currentTarget.value })}
          >
            {!names.some(({ name }) => name === row.name) && <option value={row.name}>{row.name}</option>}
            {names.map(({ name, called }) => (
              <option key={name} value={name}>
                {called}
              </option>
            ))}
          </Choice>
          {(["minimum", "maximum"] as const).map((side) => (
            <Field
              key={side}
              label={t(side)}
              fault={faults[`boxes.${row.name}.${side === "minimum" ? "min" : "max"}`]}
              inputMode="decimal"
              autocomplete="off"
              maxLength={AMOUNT_LETTERS_MAX}
              value={row[side]}
              onInput={(event) => change(place, { [side]: event.currentTarget.value })}
            />
          ))}
          <Button
            kind="quiet"
            aria-label={t("own_remove", { number: place + 1 })}
            onClick={() => put(rows.filter((_, each) => each !== place))}
          >
            ✕
          </Button>
        </div>
      ))}
      {free !== undefined && rows.length < OWN_MAX && (
        <Button onClick={() => put([...rows, { name: free.name, minimum: "", maximum: "" }])}>{t("own_add")}</Button>
      )}
    </fieldset>
  );
}

interface Named {
  readonly name: string;
  readonly called: string;
}

/** The kinds and the boxes of a pay table, with their names; kinds first. */
function useNames(rulebook: RulebookName | null): readonly Named[] {
  const t = useWords("pit");
  const query = useMemo(() => ({ language: true, sha256: rulebook?.sha256 }), [rulebook?.sha256]);
  const odds = useOnce<OddsView>(rulebook === null ? null : `/api/pay-tables/${rulebook.pay_table}/odds`, query);
  const words = useOnce<WordsView>(`/api/words/${language.value}`);
  const boxes = odds.value?.boxes ?? [];
  const several = [...new Set(boxes.map(({ kind }) => kind))].filter(
    // A kind of one box is that box.
    (kind) => boxes.filter((box) => box.kind === kind).length > 1,
  );
  return [
    ...several.map((kind) => ({ name: kind, called: t("every", { kind: words.value?.kinds[kind] ?? kind }) })),
    ...boxes.map(({ box, name }) => ({ name: box, called: name })),
  ];
}
