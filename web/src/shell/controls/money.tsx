import { amount, money } from "../../words/words.ts";

interface MoneyProps {
  readonly cents: number;
  /** Whether the currency's sign is shown; in tables of amounts it is not. */
  readonly sign?: boolean;
  /** Whether a gain has a plus sign. */
  readonly gain?: boolean;
}

/** An amount, in digits of equal width. */
export function Money({ cents, sign = true, gain = false }: MoneyProps) {
  return (
    <span class="money">
      {gain && cents > 0 && "+"}
      {sign ? money(cents) : amount(cents)}
    </span>
  );
}
