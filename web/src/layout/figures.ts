/** Formats figures for the layout: odds, fractions, and amounts that fit on a chip. */

import { computed } from "@preact/signals";

import type { Area, BoxOdds } from "../answers.ts";
import { compact, currency, language, percent, short, type Words } from "../words/words.ts";
import type { ChipMark } from "./types.ts";

type Pays = BoxOdds["pays"];

/** A fraction of the server, "7/72", as a rounded percentage; the fraction is exact. */
export function fractionPercent(fraction: string, digits = 2): string {
  const [over = "0", under = "1"] = fraction.split("/");
  return percent(Number(over) / Number(under), digits);
}

/** Odds as they are printed: "8 to 1", and for Single Dice one figure for each number of dice. */
export function printedOdds(t: Words<"layout">, pays: Pays): string {
  return t("odds", { odds: typeof pays === "string" ? pays : Object.values(pays).join(", ") });
}

/** The same for small places. */
export function tightOdds(t: Words<"layout">, pays: Pays): string {
  if (typeof pays === "string") return t("odds_tight", { odds: pays });
  return Object.values(pays).join(", ");
}

/** Odds in full: for Single Dice with the number of dice for each. */
export function fullOdds(t: Words<"layout">, pays: Pays): string {
  if (typeof pays === "string") return t("odds", { odds: pays });
  const { 1: one = "", 2: two = "", 3: three = "" } = pays;
  return t("odds_by_dice", { one, two, three });
}

/** Odds as they are read out. */
export function spokenOdds(t: Words<"layout">, pays: Pays): string {
  if (typeof pays === "string") return t("pays", { odds: pays });
  const { 1: one = "", 2: two = "", 3: three = "" } = pays;
  return t("pays_by_dice", { one, two, three });
}

/** The approximate width of a text: Chinese characters are twice as wide as others. */
export function breadth(words: string): string {
  const text = words.replaceAll("\u200b", "");
  const wide = [...text].filter((letter) => letter >= "\u2e80").length;
  return (wide * 1.04 + ([...text].length - wide) * 0.56).toFixed(2);
}

const MOST_CHARACTERS = 4;

/** How many formatted amounts are kept: more than chips and boxes show at a time. */
const WRITTEN_MAX = 2_000;

/**
 * Formatted amounts on chips, in the present language and currency.
 *
 * Totals are written ten times a second on every box, so each amount is formatted only once.
 */
const writing = computed(() => {
  void language.value;
  void currency.value;
  const written = new Map<number, string>();
  return (cents: number): string => {
    let text = written.get(cents);
    if (text === undefined) {
      const exact = short(cents);
      text = exact.length <= MOST_CHARACTERS ? exact : compact(cents);
      if (written.size >= WRITTEN_MAX) written.clear();
      written.set(cents, text);
    }
    return text;
  };
});

/** An amount on a chip: exact if it fits, otherwise to three digits: 250, 1.25K. */
export function chipAmount(cents: number): string {
  return writing.value(cents);
}

/** The faces that a box is drawn with, read from its printed label: `domino-12`. */
export function facesOf(area: Pick<Area, "box" | "kind">): readonly number[] {
  const label = area.box.slice(area.box.indexOf("-") + 1);
  const faces = [...label].map(Number);
  if (area.kind === "double") return [...faces, ...faces];
  if (area.kind === "triple") return [...faces, ...faces, ...faces];
  return faces;
}

/** The number that a box of totals is printed with. */
export function numberOf(area: Pick<Area, "box">): string {
  return area.box.slice(area.box.indexOf("-") + 1);
}

/** The sum of a player's own chips on a box, without those that were refused or lost. */
export function standing(marks: readonly ChipMark[]): number {
  return marks
    .filter(({ state }) => state !== "refused" && state !== "lost")
    .reduce((sum, { amount }) => sum + amount, 0);
}
