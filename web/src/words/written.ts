/** Amounts and codes as a person types them. */

import { decimals } from "./words.ts";

/** The most digits of an amount; no table takes more. */
export const AMOUNT_LETTERS_MAX = 16;

/** An amount in minor units; null if the text is empty, undefined if it is not an amount. */
export function readAmount(text: string): number | null | undefined {
  const written = text.replace(/[\s,]/g, "");
  if (written === "") return null;
  const digits = decimals();
  const found = /^(\d+)(?:\.(\d+))?$/.exec(written);
  const part = found?.[2] ?? "";
  if (found === null || part.length > digits) return undefined;
  const whole = Number(`${found[1]}${part.padEnd(digits, "0")}`);
  return Number.isSafeInteger(whole) ? whole : undefined;
}

/** A code as it is read out: in groups of four. */
export function inFours(code: string): string {
  return code.match(/.{1,4}/g)?.join(" ") ?? code;
}

/** An amount as the text of a field. */
export function writeAmount(cents: number | null | undefined): string {
  if (cents == null) return "";
  const digits = decimals();
  const text = String(cents).padStart(digits + 1, "0");
  const [whole, part] = [text.slice(0, text.length - digits), text.slice(text.length - digits)];
  return /^0*$/.test(part) ? whole : `${whole}.${part}`;
}
