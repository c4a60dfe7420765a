import type { ComponentChildren, InputHTMLAttributes, SelectHTMLAttributes } from "preact";
import { useId } from "preact/hooks";

import { capital } from "../../words/capital.ts";
import { said } from "../../words/said.ts";
import "./field.css";

interface Labelled {
  readonly label: string;
  /** What the field is for, or which values are valid. */
  readonly hint?: string | undefined;
  /** What is wrong with the value, in a sentence. */
  readonly fault?: string | null | undefined;
}

export interface FieldProps extends Labelled, Omit<InputHTMLAttributes<HTMLInputElement>, "label"> {}

interface ChoiceProps extends Labelled, Omit<SelectHTMLAttributes<HTMLSelectElement>, "label"> {
  readonly children: ComponentChildren;
}

function useParts({ label, hint, fault }: Labelled) {
  const id = useId();
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return {
    label: (
      <label class="field-label" for={id}>
        {label}
      </label>
    ),
    more: (
      <>
        {hint && (
          <p class="field-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
        {fault && (
          <p class="field-fault" id={`${id}-fault`}>
            {capital(said(fault))}
          </p>
        )}
      </>
    ),
    given: {
      id,
      class: "field-input",
      "aria-describedby": described || undefined,
      "aria-invalid": fault ? true : undefined,
    },
  };
}

/** An input field with its name, a hint, and its error. */
export function Field({ label, hint, fault, ...rest }: FieldProps) {
  const parts = useParts({ label, hint, fault });
  return (
    <div class="field">
      {parts.label}
      <input {...rest} {...parts.given} />
      {parts.more}
    </div>
  );
}

/** A list to choose from, with its name, a hint, and its error. */
export function Choice({ label, hint, fault, children, ...rest }: ChoiceProps) {
  const parts = useParts({ label, hint, fault });
  return (
    <div class="field">
      {parts.label}
      <select {...rest} {...parts.given}>
        {children}
      </select>
      {parts.more}
    </div>
  );
}
