/** The player's money: free credits, stakes on the table, the outcome of the last round. */

import { Money } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import type { Game } from "../game.ts";
import "./purse.css";

export function Purse({ game }: { readonly game: Game }) {
  const t = useWords("play");
  const view = game.terminal.view.value;
  const last = view?.last ?? null;
  const gain = last === null ? gainBefore(game) : last.back - sumOf(last.lines, "stake");
  return (
    <dl class="purse">
      <div class="purse-balance">
          <dt>{t("balance")}</dt>
          <dd>
            <Money cents={view?.credits ?? 0} />
          </dd>
        </div>
      <div>
          <dt>{t("on_table")}</dt>
          <dd>
            <Money cents={view?.staked ?? 0} />
          </dd>
        </div>
      <div>
          <dt>{t("last_round")}</dt>
          <dd class={gain !== null && gain > 0 ? "purse-gain" : ""}>
            {gain === null ? "–" : <Money cents={gain} gain />}
          </dd>
        </div>
    </dl>
  );
}

type Amounts = { readonly stake: number; readonly back?: number };

function sumOf(lines: readonly Amounts[], what: keyof Amounts): number {
  return lines.reduce((all, line) => all + (line[what] ?? 0), 0);
}

/** The outcome of a last round that had to be requested; a void round has none. */
function gainBefore({ before }: Game): number | null {
  const round = before.value;
  if (round === null) return null;
  return round.void ? 0 : sumOf(round.lines, "back") - sumOf(round.lines, "stake");
}
