/** A count sheet: a field for the number of each chip, and the sum. */

import { useId } from "preact/hooks";

import { Chip as ChipDrawn, ColourChip, colourName } from "../../../layout/index.ts";
import type { Pieces } from "../../../protocol.ts";
import { Money } from "../../../shell/index.ts";
import { amount, number, useWords, type Words } from "../../../words/words.ts";
import {
  COUNT_LETTERS_MAX,
  countOf,
  readCount,
  sumWritten,
  worth,
  type Chip,
  type Marked,
  type Written,
} from "./chips.ts";
import "./count_sheet.css";

interface Props {
  readonly legend: string;
  /** The chips in the order in which they are counted. */
  readonly chips: readonly Chip[];
  readonly written: Written;
  readonly onWrite: (written: Written) => void;
  /** The value of a piece of each colour. */
  readonly marked?: Marked;
  /** How many there are of each; left out if the count must be blind. */
  readonly held?: readonly Pieces[] | undefined;
  /** An error of the sheet as a whole. */
  readonly fault?: string | null;
  readonly hint?: string | undefined;
  /** Whether the form's first focus is here. */
  readonly first?: boolean;
}

export function CountSheet({ legend, chips, written, onWrite, marked, held, fault, hint, first = false }: Props) {
  const t = useWords("console");
  const id = useId();
  return (
    <fieldset class="money-sheet" aria-describedby={fault ? `${id}-fault` : undefined}>
      <legend>{legend}</legend>
      {hint !== undefined && <p class="field-hint">{hint}</p>}
      {chips.map((chip, place) => (
        <Row
          key={chip}
          chip={chip}
          text={written.get(chip) ?? ""}
          onText={(text) => onWrite(new Map(written).set(chip, text))}
          value={worth(chip, marked)}
          held={held === undefined ? null : countOf(held, chip)}
          wrong={Boolean(fault)}
          first={first && place === 0}
        />
      ))}
      <p class="money-sheet-total">
        {t("money_total")} <Money cents={sumWritten(written, marked)} />
      </p>
      <div role="alert">
        {fault && (
          <p class="field-fault" id={`${id}-fault`}>
            {fault}
          </p>
        )}
      </div>
    </fieldset>
  );
}

interface RowProps {
  readonly chip: Chip;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly value: number;
  readonly held: number | null;
  readonly wrong: boolean;
  readonly first: boolean;
}

function Row({ chip, text, onText, value, held, wrong, first }: RowProps) {
  const t = useWords("console");
  const names = useWords("layout");
  const id = useId();
  const fault = rowFault(t, text, held);
  const described = [held !== null && `${id}-held`, fault !== null && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div class="money-sheet-row" data-chip={chip}>
      <span class="money-sheet-chip">
        <span class="money-sheet-drawn" aria-hidden="true">
          {typeof chip === "number" ? <ChipDrawn amount={chip} /> : <ColourChip colour={chip} value={value} />}
        </span>
        <label for={id}>{typeof chip === "number" ? amount(chip) : colourName(names, chip)}</label>
      </span>
      <input
        id={id}
        class="field-input money-sheet-count"
        inputMode="numeric"
        autocomplete="off"
        maxLength={COUNT_LETTERS_MAX}
        autofocus={first}
        value={text}
        aria-describedby={described || undefined}
        aria-invalid={fault !== null || wrong || undefined}
        onInput={(event) => onText(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={goOn}
      />
      <span class="money-sheet-held" id={`${id}-held`}>
        {held !== null && t("money_of_held", { count: number(held) })}
      </span>
      <span class="money-sheet-worth">
        <Money cents={value * (readCount(text) ?? 0)} sign={false} />
      </span>
      {fault !== null && (
        <p class="field-fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

function rowFault(t: Words<"console">, text: string, held: number | null): string | null {
  const count = readCount(text);
  if (count === undefined) return t("money_not_count");
  return held !== null && (count ?? 0) > held ? t("money_only", { count: number(held) }) : null;
}

/** Enter goes to the next field, and at the last one sends the form; arrows go up and down. */
function goOn(event: KeyboardEvent): void {
  const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  const here = event.currentTarget;
  if (step === undefined || !(here instanceof HTMLInputElement) || here.form === null) return;
  const inputs = [...here.form.querySelectorAll<HTMLElement>("input, select")];
  const next = inputs[inputs.indexOf(here) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
