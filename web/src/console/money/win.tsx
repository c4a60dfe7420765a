/** What a table won in a gaming day, written out: drop + closing - opening - fills + credits. */

import { Money } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import "./win.css";

interface Props {
  readonly opening: number;
  readonly fills: number;
  readonly credits: number;
  readonly drop: number;
  /** Null until it has been counted. */
  readonly closing: number | null;
  /** The server's statistics; without them only the sum is shown. */
  readonly win?: number;
}

export function WinFormula({ opening, fills, credits, drop, closing, win }: Props) {
  const t = useWords("console");
  const sum = win ?? (closing === null ? null : drop + closing - opening - fills + credits);
  return (
    <dl class="money-win">
      <Term sign="" name={t("money_drop")} cents={drop} />
      <Term sign="+" name={t("money_closing")} cents={closing} />
      <Term sign="−" name={t("money_opening")} cents={opening} />
      <Term sign="−" name={t("money_fills")} cents={fills} />
      <Term sign="+" name={t("money_credits")} cents={credits} />
      <Term sign="=" name={t("money_win")} cents={sum} />
    </dl>
  );
}

interface TermProps {
  readonly sign: string;
  readonly name: string;
  readonly cents: number | null;
}

function Term({ sign, name, cents }: TermProps) {
  const t = useWords("console");
  return (
    <div class="money-win-term" data-sign={sign}>
      <dt>
        <span class="money-win-sign">{sign}</span> {name}
      </dt>
      <dd>
        {cents === null ? (
          <span class="console-hint">{t("money_to_count")}</span>
        ) : (
          <Money cents={cents} sign={false} />
        )}
      </dd>
    </div>
  );
}
