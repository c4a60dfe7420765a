/**
 * Sentences that stay on the page, translated again when the language changes.
 *
 * A sentence of the server is noted here with its reason when it is received, one of the client
 * with the function that makes it. A component stores the sentence as text, and shows `said(text)`.
 */

import { signal } from "@preact/signals";

import { language, type Language } from "./words.ts";

/** A code and the values for the blanks of its sentence. */
export interface Reason {
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>>;
}

type Again = Reason | (() => string);
type Ask = (tongue: Language, reasons: readonly Reason[]) => Promise<readonly string[]>;

/** The most sentences that are kept, more than a page shows; the oldest is forgotten first. */
const KNOWN_MAX = 300;
/** The most reasons that the server words in one request. */
const ASKED_MAX = 50;

const known = new Map<string, { readonly tongue: Language; readonly again: Again }>();
/** The server's sentences in other languages, by language and original sentence. */
const worded = signal<ReadonlyMap<string, string>>(new Map());
/** Sentences to request, by language; those already requested are in `asked`. */
const wanted = new Map<Language, Set<string>>();
const asked = new Set<string>();
let ask: Ask | null = null;

/** Set the function that asks the server to word reasons again. */
export function sayAgainBy(how: Ask): void {
  ask = how;
}

/** Note how to make a sentence again in another language; returns the sentence. */
export function noted(sentence: string, again: Again): string {
  known.delete(sentence);
  known.set(sentence, { tongue: language.peek(), again });
  for (const oldest of known.keys()) {
    if (known.size <= KNOWN_MAX) break;
    known.delete(oldest);
  }
  return sentence;
}

/** Make a sentence of the client's own that stays on the page. */
export function lasting(make: () => string): string {
  return noted(make(), make);
}

/** Whether a sentence can be made again in another language. */
export function canBeSaidAgain(sentence: string): boolean {
  return known.has(foundAs(sentence));
}

/** A sentence in the present language; unchanged until the server has sent that. */
export function said(sentence: string): string {
  const tongue = language.value;
  const plain = foundAs(sentence);
  const noted = known.get(plain);
  if (noted === undefined) return sentence;
  if (noted.tongue === tongue) return sentence;
  if (typeof noted.again === "function") return asCapital(sentence, noted.again());
  const found = worded.value.get(`${tongue} ${plain}`);
  if (found === undefined) want(tongue, plain);
  return found === undefined ? sentence : asCapital(sentence, found);
}

/** The same for a sentence that may be null. */
export function saidOf(sentence: string | null): string | null {
  return sentence === null ? null : said(sentence);
}

/** The sentence as it was noted: the page may show it with a capital. */
function foundAs(sentence: string): string {
  return known.has(sentence) ? sentence : sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function asCapital(shown: string, other: string): string {
  const isCapital = shown.charAt(0) !== shown.charAt(0).toLowerCase();
  return isCapital ? other.charAt(0).toUpperCase() + other.slice(1) : other;
}

/** Request a sentence, together with those wanted elsewhere on the page. */
function want(tongue: Language, plain: string): void {
  if (asked.has(`${tongue} ${plain}`)) return;
  asked.add(`${tongue} ${plain}`);
  const all = wanted.get(tongue) ?? new Set();
  wanted.set(tongue, all.add(plain));
  if (all.size === 1) setTimeout(() => void askFor(tongue));
}

async function askFor(tongue: Language): Promise<void> {
  const sentences = [...(wanted.get(tongue) ?? [])];
  wanted.delete(tongue);
  for (let from = 0; from < sentences.length; from += ASKED_MAX) {
    const part = sentences.slice(from, from + ASKED_MAX);
    try {
      const answer = (await ask?.(tongue, part.map(reasonOf))) ?? [];
      const more = part.flatMap((plain, place) => pairOf(tongue, plain, answer[place]));
      worded.value = new Map([...worded.peek(), ...more].slice(-KNOWN_MAX));
    } catch (error) {
      // The sentence stays as it was; it is requested again when the language changes.
      console.warn(error);
    }
    for (const plain of part) asked.delete(`${tongue} ${plain}`);
  }
}

function pairOf(tongue: Language, plain: string, sentence: string | undefined): [string, string][] {
  return sentence === undefined ? [] : [[`${tongue} ${plain}`, sentence]];
}

function reasonOf(plain: string): Reason {
  const again = known.get(plain)?.again;
  return again === undefined || typeof again === "function" ? { code: "", params: {} } : again;
}
