import type { ComponentChildren, InputHTMLAttributes, SelectHTMLAttributes } from "preact";
import { useId } from "preact/hooks";

import "./field.css";

interface Told {
  readonly label: string;
  /** What it is for, or what is right in it. */
  readonly hint?: string | undefined;
  /** What is wrong with it, in a sentence. */
  readonly fault?: string | null | undefined;
}

interface FieldProps extends Told, Omit<InputHTMLAttributes<HTMLInputElement>, "label"> {}

interface ChoiceProps extends Told, Omit<SelectHTMLAttributes<HTMLSelectElement>, "label"> {
  readonly children: ComponentChildren;
}

function useTold({ label, hint, fault }: Told) {
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
            {fault}
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

/** Something to fill in, with its name, what is right, and what is wrong. */
export function Field({ label, hint, fault, ...rest }: FieldProps) {
  const told = useTold({ label, hint, fault });
  return (
    <div class="field">
      {told.label}
      <input {...rest} {...told.given} />
      {told.more}
    </div>
  );
}

/** Something to choose from a list. */
export function Choice({ label, hint, fault, children, ...rest }: ChoiceProps) {
  const told = useTold({ label, hint, fault });
  return (
    <div class="field">
      {told.label}
      <select {...rest} {...told.given}>
        {children}
      </select>
      {told.more}
    </div>
  );
}
