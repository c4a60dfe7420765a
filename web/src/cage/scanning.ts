/** Recognises a scanner that types: digits faster than any hand, ended by Enter, in any focus. */

import { useEffect, useRef } from "preact/hooks";

/** The longest pause between two keys of a scanner. */
const PAUSE_MS = 100;
/** Digits that follow within this time, but after a pause, are the rest of a delayed scan. */
const TORN_MS = 1000;
const VOUCHER_DIGITS = 18;
const SESSION_DIGITS = 16;

export type Scanned = { readonly voucher: string } | { readonly session: string };

/** Tell a voucher's number from a session's code; null if the digits are neither. */
export function scanned(text: string): Scanned | null {
  const digits = text.replace(/[\s-]/g, "");
  if (!/^\d+$/.test(digits)) return null;
  if (digits.length === VOUCHER_DIGITS) return { voucher: digits };
  return digits.length === SESSION_DIGITS ? { session: digits } : null;
}

/** The digits typed since the last pause, and the field that received them. */
interface Burst {
  readonly digits: string;
  readonly last: number;
  readonly field: HTMLInputElement | null;
  /** Whether digits came shortly before: then 16 digits may be the end of a voucher's number. */
  readonly torn: boolean;
  /** The value of the field before. */
  readonly before: string;
}

/** Listen for a scanner; digits that it typed into a field are removed again. */
export function useTypedScan(onScan: (what: Scanned) => void): void {
  const listener = useRef(onScan);
  listener.current = onScan;
  useEffect(() => {
    let burst: Burst | null = null;
    const press = (event: KeyboardEvent): void => {
      // An open dialog has its own field to scan into.
      if (document.querySelector("dialog[open]") !== null) return;
      const since = burst === null ? Infinity : event.timeStamp - burst.last;
      const goesOn = since <= PAUSE_MS;
      if (/^\d$/.test(event.key)) {
        const begun = goesOn && burst !== null ? burst : beginning(event.target, since <= TORN_MS);
        burst = { ...begun, digits: begun.digits + event.key, last: event.timeStamp };
        return;
      }
      const what = event.key === "Enter" && goesOn && burst !== null ? scanned(burst.digits) : null;
      const isEnd = burst?.torn === true && what !== null && "session" in what;
      if (what !== null && burst !== null && !isEnd) {
        event.preventDefault();
        putBack(burst);
        listener.current(what);
      }
      burst = null;
    };
    document.addEventListener("keydown", press, true);
    return () => document.removeEventListener("keydown", press, true);
  }, []);
}

function beginning(target: EventTarget | null, torn: boolean): Burst {
  const field = target instanceof HTMLInputElement ? target : null;
  return { digits: "", last: 0, field, before: field?.value ?? "", torn };
}

function putBack({ field, before }: Burst): void {
  if (field === null) return;
  field.value = before;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
