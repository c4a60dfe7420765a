/** Favourite bets, stored by name in this browser, separately for each pay table. */

import type { Stakes } from "./draft.ts";

export interface Favourite {
  readonly name: string;
  readonly bets: readonly (readonly [box: string, stake: number])[];
}

export const FAVOURITES_MAX = 20;
export const NAME_MAX = 40;
const BETS_MAX = 200;

const place = (payTable: string): string => `taisai.favourites.${payTable}`;

/** Read the favourites of a pay table; invalid entries are left out. */
export function readFavourites(payTable: string): readonly Favourite[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(place(payTable)) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isFavourite).slice(0, FAVOURITES_MAX) : [];
  } catch {
    // There is no storage, or it holds something else: begin with no favourites.
    return [];
  }
}

/** Store the favourites of a pay table; false if the browser has no storage. */
export function storeFavourites(payTable: string, favourites: readonly Favourite[]): boolean {
  try {
    localStorage.setItem(place(payTable), JSON.stringify(favourites));
    return true;
  } catch {
    return false;
  }
}

/** Save bets under a name, replacing a favourite of that name; null if there is no room. */
export function saved(
  favourites: readonly Favourite[],
  name: string,
  stakes: Stakes,
): readonly Favourite[] | null {
  const named = tidy(name);
  if (named === "" || stakes.size === 0) return null;
  const favourite = { name: named, bets: [...stakes] };
  if (favourites.some((each) => each.name === named)) {
    return favourites.map((each) => (each.name === named ? favourite : each));
  }
  return favourites.length < FAVOURITES_MAX ? [...favourites, favourite] : null;
}

/** Rename a favourite; null if the name is empty or taken. */
export function renamed(
  favourites: readonly Favourite[],
  before: string,
  name: string,
): readonly Favourite[] | null {
  const named = tidy(name);
  const taken = favourites.some((each) => each.name === named && each.name !== before);
  if (named === "" || taken) return null;
  return favourites.map((each) => (each.name === before ? { ...each, name: named } : each));
}

export function deleted(favourites: readonly Favourite[], name: string): readonly Favourite[] {
  return favourites.filter((each) => each.name !== name);
}

function tidy(name: string): string {
  return name.replace(/\s+/g, " ").trim().slice(0, NAME_MAX);
}

function isFavourite(stored: unknown): stored is Favourite {
  if (typeof stored !== "object" || stored === null || !("name" in stored) || !("bets" in stored)) {
    return false;
  }
  const { name, bets } = stored;
  if (typeof name !== "string" || name === "" || name.length > NAME_MAX) return false;
  return Array.isArray(bets) && bets.length <= BETS_MAX && bets.every(isBet);
}

function isBet(stored: unknown): boolean {
  if (!Array.isArray(stored) || stored.length !== 2) return false;
  const [box, stake] = stored as [unknown, unknown];
  return typeof box === "string" && Number.isSafeInteger(stake) && Number(stake) > 0;
}
