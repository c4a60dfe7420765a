/** Accounts in words: whose they are, and what lies in them. */

import type { Words } from "../words/words.ts";

const KINDS = {
  terminal: "account_terminal",
  stake: "account_stake",
  transit: "account_transit",
} as const;

const NAMED: Readonly<Record<string, "account_bank" | "account_shortfall" | "account_vouchers" | "account_cash">> = {
  "house:bank": "account_bank",
  "house:void-shortfall": "account_shortfall",
  "vouchers:outstanding": "account_vouchers",
  "cash:counter": "account_cash",
};

/** The name of an account; one of a kind that is not known here is called by its own. */
export function accountName(t: Words<"audit">, account: string): string {
  const named = NAMED[account];
  if (named !== undefined) return t(named);
  const [kind = "", name = ""] = account.split(/:(.*)/s);
  const key = Object.hasOwn(KINDS, kind) ? KINDS[kind as keyof typeof KINDS] : null;
  return key === null ? account : t(key, { name });
}
