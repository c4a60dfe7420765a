import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";

import { useWords } from "../../words/words.ts";
import { Button } from "./button.tsx";
import { Field, type FieldProps } from "./field.tsx";
import "./keypad.css";

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"] as const;
/** Eighteen digits of a voucher, with the characters that separate them. */
const LETTERS_MAX = 24;

interface KeypadProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** The most characters that are taken. */
  readonly most?: number;
  /** Whether there is a decimal point: an amount has one, a number or a PIN has none. */
  readonly point?: boolean;
}

/** Keys for digits, for a screen without a keyboard. The focus stays where it is. */
export function Keypad({ value, onValue, most = LETTERS_MAX, point = false }: KeypadProps) {
  const t = useWords("shell");
  const type = (letter: string): void => {
    if (value.length < most) onValue(value + letter);
  };
  const key = (letter: string, label?: string) => (
    <Button key={letter} class="keypad-key" aria-label={label} onClick={() => type(letter)}>
      {letter}
    </Button>
  );
  return (
    <div class="keypad" role="group" aria-label={t("keypad")} onPointerDown={(event) => event.preventDefault()}>
      {DIGITS.map((digit) => key(digit))}
      {point ? (
        key(".", t("keypad_point"))
      ) : (
        <Button class="keypad-key" aria-label={t("keypad_clear")} onClick={() => onValue("")}>
          C
        </Button>
      )}
      {key("0")}
      <Button class="keypad-key" aria-label={t("keypad_back")} onClick={() => onValue(value.slice(0, -1))}>
        ⌫
      </Button>
    </div>
  );
}

interface KeypadFieldProps extends Omit<FieldProps, "value" | "onInput" | "inputMode"> {
  /** Its value, and the listener to changes; without them the field keeps its own value. */
  readonly value?: string;
  readonly onValue?: (value: string) => void;
  readonly point?: boolean;
}

/** A field for digits, with a keypad below it if there is no keyboard, or on request. */
export function KeypadField({ value, onValue, point = false, ...field }: KeypadFieldProps) {
  const t = useWords("shell");
  const own = useSignal("");
  const open = useSignal(hasNoKeys());
  const around = useRef<HTMLDivElement>(null);
  const written = value ?? own.value;
  const write = (next: string): void => {
    own.value = next;
    onValue?.(next);
  };
  const { maxLength } = field;
  return (
    <div class="keypad-field" ref={around}>
      <Field
        spellcheck={false}
        {...field}
        // The on-screen keyboard of the device would cover these keys.
        inputMode={open.value ? "none" : point ? "decimal" : "numeric"}
        value={written}
        onInput={(event) => write(event.currentTarget.value)}
      />
      <Button
        kind="quiet"
        class="keypad-switch"
        aria-expanded={open.value}
        onClick={() => {
          open.value = !open.value;
          around.current?.querySelector("input")?.focus();
        }}
      >
        {t(open.value ? "keypad_hide" : "keypad_show")}
      </Button>
      {open.value && (
        <Keypad value={written} onValue={write} point={point} {...(typeof maxLength === "number" && { most: maxLength })} />
      )}
    </div>
  );
}

/** Whether the device has a touch screen and no mouse. */
function hasNoKeys(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}
