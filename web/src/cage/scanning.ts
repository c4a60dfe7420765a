/** A scanner that types: digits faster than any hand, ended by Enter, wherever the focus is. */

import { useEffect, useRef } from "preact/hooks";

/** The longest pause between two keys of a scanner. */
const PAUSE_MS = 100;
/** Digits that come so soon after others, and yet not at once, are the rest of a scan that was held up. */
const TORN_MS = 1000;
const VOUCHER_DIGITS = 18;
const SESSION_DIGITS = 16;

export type Scanned = { readonly voucher: string } | { readonly session: string };

/** What digits are of: a voucher's number or a session's code; null where they are neither. */
export function scanned(text: string): Scanned | null {
  const digits = text.replace(/[\s-]/g, "");
  if (!/^\d+$/.test(digits)) return null;
  if (digits.length === VOUCHER_DIGITS) return { voucher: digits };
  return digits.length === SESSION_DIGITS ? { session: digits } : null;
}

/** The keys that came since somebody last paused, and the field that they went into. */
interface Burst {
  readonly digits: string;
  readonly last: number;
  readonly field: HTMLInputElement | null;
  /** Whether digits went before it: what is as long as a session's code may be the end of a voucher's number. */
  readonly torn: boolean;
  /** What the field held before. */
  readonly before: string;
}

/** Listen for a scanner; what it typed into a field meanwhile is taken out of it again. */
export function useTypedScan(onScan: (what: Scanned) => void): void {
  const listener = useRef(onScan);
  listener.current = onScan;
  useEffect(() => {
    let burst: Burst | null = null;
    const press = (event: KeyboardEvent): void => {
      // A window before the page has its own field to scan into.
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
