/** The texts of the screens: words from message files, figures and money in the locale's form. */

import { batch, computed, effect, signal } from "@preact/signals";

import type audit from "./en/audit.json";
import type cage from "./en/cage.json";
import type console from "./en/console.json";
import type display from "./en/display.json";
import type house from "./en/house.json";
import type layout from "./en/layout.json";
import type live from "./en/live.json";
import type lobby from "./en/lobby.json";
import type nodes from "./en/nodes.json";
import type pit from "./en/pit.json";
import type play from "./en/play.json";
import type recording from "./en/recording.json";
import type roads from "./en/roads.json";
import type shell from "./en/shell.json";
import type slips from "./en/slips.json";

/** The languages, each by its own name. */
export const LANGUAGES = { en: "English", "zh-Hans": "简体中文", "zh-Hant": "繁體中文" } as const;
export type Language = keyof typeof LANGUAGES;

/** The message files, typed by the English one. */
export interface Areas {
  readonly shell: typeof shell;
  readonly live: typeof live;
  readonly lobby: typeof lobby;
  readonly layout: typeof layout;
  readonly roads: typeof roads;
  readonly play: typeof play;
  readonly console: typeof console;
  readonly recording: typeof recording;
  readonly pit: typeof pit;
  readonly nodes: typeof nodes;
  readonly cage: typeof cage;
  readonly slips: typeof slips;
  readonly display: typeof display;
  readonly audit: typeof audit;
  readonly house: typeof house;
}
export type Area = keyof Areas;
export type Blanks = Readonly<Record<string, string | number>>;
type Key<A extends Area> = keyof Areas[A] & string;
/** A key that has a form for each number: `players_one`, `players_other`. */
type Counted<A extends Area> = Key<A> extends infer K
  ? K extends `${infer Stem}_other`
    ? Stem
    : never
  : never;

/** Words of one area, in the present language. */
export interface Words<A extends Area> {
  /** The message of a key, with its blanks filled. */
  (key: Key<A>, blanks?: Blanks): string;
  /** The form of a message that fits a number, which fills its `{count}`. */
  count(key: Counted<A>, count: number, blanks?: Blanks): string;
}

/** Whether a citation is a decision of ours, and not a clause of a document. */
export function isDecision(clause: string): boolean {
  return /^D[0-9]/.test(clause);
}

/** A citation in words: a clause of the document, or our decision where it has no clause. */
export function cited(t: (key: "clause" | "decision", blanks: Blanks) => string, clause: string): string {
  return t(isDecision(clause) ? "decision" : "clause", { clause });
}

type Messages = Readonly<Record<string, string>>;

const KEPT = "taisai.language";
const FILES = import.meta.glob<Messages>("./*/*.json", { import: "default" });

/** The language of the screens; set it to change the language everywhere. */
export const language = signal<Language>(firstLanguage());
/** The venue's currency, by its three letters; the shell sets it once the server has sent it. */
export const currency = signal("SGD");

/** The words in use: the areas that have been loaded, all in one language. */
const spoken = signal<{ language: Language; areas: ReadonlyMap<Area, Messages> }>({
  language: language.peek(),
  areas: new Map(),
});
/** The language of the words in use: another language is loaded first, and then used. */
export const spokenLanguage = computed<Language>(() => spoken.value.language);
const wanted = new Set<Area>();

function firstLanguage(): Language {
  // Nobody chooses at a wall screen, so its address may name the language.
  for (const wanted of [new URLSearchParams(location.search).get("language"), remembered()])
    if (wanted !== null && isLanguage(wanted)) return wanted;
  const own = navigator.language;
  if (!own.startsWith("zh")) return "en";
  return /hant|tw|hk|mo/i.test(own) ? "zh-Hant" : "zh-Hans";
}

function isLanguage(wanted: string): wanted is Language {
  return Object.hasOwn(LANGUAGES, wanted);
}

/** The language chosen before; null if the browser has no storage. */
function remembered(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

async function read(tongue: Language, area: Area): Promise<[Area, Messages]> {
  const file = FILES[`./${tongue}/${area}.json`];
  if (file === undefined) throw new Error(`There are no words for "${area}" in ${tongue}.`);
  return [area, await file()];
}

/** Load the words of areas, and use them; areas that are already loaded are not loaded again. */
export async function loadWords(...areas: readonly Area[]): Promise<void> {
  for (const area of areas) wanted.add(area);
  const tongue = language.peek();
  const known = spoken.peek();
  const missing = [...wanted].filter((area) => known.language !== tongue || !known.areas.has(area));
  if (missing.length === 0) return;
  const files = await Promise.all(missing.map((area) => read(tongue, area)));
  // The language may have changed meanwhile: then the load of the new one sets the words.
  if (language.peek() !== tongue) return;
  batch(() => {
    const now = spoken.peek();
    const before = now.language === tongue ? now.areas : [];
    spoken.value = { language: tongue, areas: new Map([...before, ...files]) };
  });
  document.documentElement.lang = tongue;
}

/** The delay before words that could not be loaded are tried again, at first and at most. */
const AGAIN_MS = 1_000;
const AGAIN_MS_MAX = 30_000;
let again: ReturnType<typeof setTimeout> | undefined;

/** Load words, and try until they are loaded; the old words stay in use until then. */
export function readWords(areas: readonly Area[] = [], pauseMs = AGAIN_MS): Promise<void> {
  const tongue = language.peek();
  return loadWords(...areas).catch((error: unknown) => {
    // The language has changed, and its words are already being loaded.
    if (language.peek() !== tongue) return;
    globalThis.console.warn(error);
    clearTimeout(again);
    return new Promise<void>((resolve) => {
      again = setTimeout(
        () => resolve(readWords([], Math.min(2 * pauseMs, AGAIN_MS_MAX))),
        pauseMs,
      );
    });
  });
}

effect(() => {
  const tongue = language.value;
  try {
    localStorage.setItem(KEPT, tongue);
  } catch {
    // Without storage the language lasts until the page is closed.
  }
  document.documentElement.lang = spoken.peek().areas.size === 0 ? tongue : spoken.peek().language;
  void readWords();
});

function fill(message: string, blanks: Blanks): string {
  return message.replace(/\{(\w+)\}/g, (blank, name: string) => String(blanks[name] ?? blank));
}

/** The words of an area. Reads signals, so a component renders again in another language. */
export function useWords<A extends Area>(area: A): Words<A> {
  if (!spoken.value.areas.has(area)) void readWords([area]);
  // Words used later are in the language of that time.
  const messages = (): Messages | undefined => spoken.peek().areas.get(area);
  const say = (key: string, blanks: Blanks = {}): string => {
    const there = messages();
    return there === undefined ? "" : fill(there[key] ?? key, blanks);
  };
  const count = (key: string, many: number, blanks: Blanks = {}): string => {
    const form = `${key}_${new Intl.PluralRules(spoken.peek().language).select(many)}`;
    const there = Object.hasOwn(messages() ?? {}, form) ? form : `${key}_other`;
    return say(there, { count: number(many), ...blanks });
  };
  return Object.assign(say, { count }) as Words<A>;
}

const formats = new Map<string, Intl.NumberFormat>();

/** A number format in the present language; it is slow to make, so it is made once. */
function format(name: string, options: () => Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language.value} ${name}`;
  let known = formats.get(key);
  if (known === undefined) {
    known = new Intl.NumberFormat(language.value, options());
    formats.set(key, known);
  }
  return known;
}

const digitsOf = new Map<string, number>();

/** How many digits the currency has after the decimal point. */
export function decimals(): number {
  const code = currency.value;
  let digits = digitsOf.get(code);
  if (digits === undefined) {
    const form = new Intl.NumberFormat("en", { style: "currency", currency: code });
    digits = form.resolvedOptions().maximumFractionDigits ?? 2;
    digitsOf.set(code, digits);
  }
  return digits;
}

/** Minor units as money, with its sign: $1,250.00. */
export function money(cents: number): string {
  const code = currency.value;
  const form = format(`money ${code}`, () => ({
    style: "currency",
    currency: code,
    currencyDisplay: "narrowSymbol",
  }));
  return form.format(cents / 10 ** decimals());
}

/** Minor units as an amount, without a sign: 1,250.00. */
export function amount(cents: number): string {
  const digits = decimals();
  const form = format(`amount ${digits}`, () => ({
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }));
  return form.format(cents / 10 ** digits);
}

/** Minor units, exact and as short as possible, for chips and small places: 1,250 or 12.50. */
export function short(cents: number): string {
  const unit = 10 ** decimals();
  return cents % unit === 0 ? number(cents / unit) : amount(cents);
}

/** Minor units to three digits, where there is no room for more: 1.25K. */
export function compact(cents: number): string {
  const form = format("compact", () => ({ notation: "compact", maximumSignificantDigits: 3 }));
  return form.format(cents / 10 ** decimals());
}

export function number(figure: number): string {
  return format("number", () => ({ maximumFractionDigits: 3 })).format(figure);
}

/** A fraction of one as a percentage: 0.0278 is 2.78%. */
export function percent(share: number, digits = 2): string {
  const form = format(`percent ${digits}`, () => ({
    style: "percent",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }));
  return form.format(share);
}

/** A moment as the time of day: 21:04:09. */
export function clock(ms: number): string {
  return new Intl.DateTimeFormat(language.value, { timeStyle: "medium", hourCycle: "h23" }).format(ms);
}

/** A moment as date and time of day. */
export function moment(ms: number): string {
  return new Intl.DateTimeFormat(language.value, {
    dateStyle: "medium",
    timeStyle: "medium",
    hourCycle: "h23",
  }).format(ms);
}

/** A length of time in minutes and seconds, with hours where there are any: 1:02:09. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (figure: number): string => String(figure).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
