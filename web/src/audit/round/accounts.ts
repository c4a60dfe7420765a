/** Accounts in words: their owner, and what they hold. */

import type { Words } from "../../words/words.ts";

const KINDS = {
  terminal: "account_terminal",
  stake: "account_stake",
  transit: "account_transit",
  unclaimed: "account_unclaimed",
} as const;

/** At a chip table players are known by their seats, and have chips. */
const AT_SEATS = { terminal: "account_seat", stake: "account_seat_stake" } as const;

const NAMED = {
  "house:bank": "account_bank",
  "house:void-shortfall": "account_shortfall",
  "house:count-difference": "account_difference",
  "vouchers:outstanding": "account_vouchers",
  "cash:counter": "account_cash",
  "cash:difference": "account_cash_difference",
  "cash:patrons": "account_patrons",
  "floor:chips": "account_floor",
  "drop:box": "account_drop",
  "count:room": "account_counted",
  "vault:chips": "account_vault",
} as const;

function keyIn<T extends object>(table: T, name: string): T[keyof T] | null {
  return Object.hasOwn(table, name) ? table[name as keyof T] : null;
}

/** The name of an account; an account of an unknown kind keeps its own name. */
export function accountName(t: Words<"audit">, account: string, isChipTable: boolean): string {
  if (account === "house:bank" && isChipTable) return t("account_rack");
  const named = keyIn(NAMED, account);
  if (named !== null) return t(named);
  const [kind = "", name = ""] = account.split(/:(.*)/s);
  const key = (isChipTable ? keyIn(AT_SEATS, kind) : null) ?? keyIn(KINDS, kind);
  return key === null ? account : t(key, { name });
}
