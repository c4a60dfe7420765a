/**
 * What was said once and stays on the page: said again in the language of the moment.
 *
 * A sentence of the server is noted with its reason when it comes, one of our own with the words it
 * was made of. Whoever keeps a sentence keeps it as a text, and shows `said(text)`.
 */

import { signal } from "@preact/signals";

import { language, type Language } from "./words.ts";

/** A code and what fills the blanks of its sentence. */
export interface Reason {
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>>;
}

type Again = Reason | (() => string);
type Ask = (tongue: Language, reasons: readonly Reason[]) => Promise<readonly string[]>;

/** Sentences that are known; a page never shows as many. The oldest makes room. */
const KNOWN_MAX = 300;
/** So many reasons the server words at once. */
const ASKED_MAX = 50;

const known = new Map<string, { readonly tongue: Language; readonly again: Again }>();
/** Sentences of the server in another language than they came in, by language and sentence. */
const worded = signal<ReadonlyMap<string, string>>(new Map());
/** What is to be asked for, by language; what is under way is in `asked`. */
const wanted = new Map<Language, Set<string>>();
const asked = new Set<string>();
let ask: Ask | null = null;

/** Have the server say its reasons again; there is one who asks it. */
export function sayAgainBy(how: Ask): void {
  ask = how;
}

/** Note how a sentence is said again, and give it back. */
export function noted(sentence: string, again: Again): string {
  known.delete(sentence);
  known.set(sentence, { tongue: language.peek(), again });
  for (const oldest of known.keys()) {
    if (known.size <= KNOWN_MAX) break;
    known.delete(oldest);
  }
  return sentence;
}

/** Make a sentence of our own that stays on the page. */
export function lasting(make: () => string): string {
  return noted(make(), make);
}

/** Whether a sentence can be said in another language. */
export function canBeSaidAgain(sentence: string): boolean {
  return known.has(foundAs(sentence));
}

/** A sentence in the language of the moment; until that has come, as it was. */
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

/** The same, of a sentence that may not be there. */
export function saidOf(sentence: string | null): string | null {
  return sentence === null ? null : said(sentence);
}

/** The sentence as it was noted: it may stand on the page with a capital. */
function foundAs(sentence: string): string {
  return known.has(sentence) ? sentence : sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function asCapital(shown: string, other: string): string {
  const isCapital = shown.charAt(0) !== shown.charAt(0).toLowerCase();
  return isCapital ? other.charAt(0).toUpperCase() + other.slice(1) : other;
}

/** Ask for what several places of the page want, together. */
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
      // The sentence stays as it was; in the next language it is asked for again.
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
