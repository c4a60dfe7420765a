/** The windows that open before the table: money, favourites, own limits, rounds, help. */

import type { Signal } from "@preact/signals";

import { BuyIn, CashOut } from "./cashier.tsx";
import { Favourites } from "./favourites.tsx";
import type { Game } from "../game.ts";
import { Help } from "./help.tsx";
import { OwnLimits } from "./own_limits.tsx";
import { Recall } from "./recall.tsx";
import { Preferences } from "./preferences.tsx";
import { Sign } from "./sign.tsx";

export type WindowName =
  | "buy-in"
  | "cash-out"
  | "favourites"
  | "own-limits"
  | "recall"
  | "preferences"
  | "sign"
  | "help";

export interface WindowProps {
  readonly game: Game;
  readonly onClose: () => void;
}

const WINDOWS = {
  "buy-in": BuyIn,
  "cash-out": CashOut,
  favourites: Favourites,
  "own-limits": OwnLimits,
  recall: Recall,
  preferences: Preferences,
  sign: Sign,
  help: Help,
} as const;

export function Windows({ game, opened }: { readonly game: Game; readonly opened: Signal<WindowName | null> }) {
  if (opened.value === null) return null;
  const Opened = WINDOWS[opened.value];
  return <Opened game={game} onClose={() => (opened.value = null)} />;
}
