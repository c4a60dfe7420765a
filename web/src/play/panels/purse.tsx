/** The player's money: what is free, what is on the table, what the last round came to. */

import { Money } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import type { Game } from "../game.ts";
import "./purse.css";

export function Purse({ game }: { readonly game: Game }) {
  const t = useWords("play");
  const view = game.terminal.view.value;
  const last = view?.last ?? null;
  const gain =
    last === null ? null : last.back - last.lines.reduce((all, line) => all + line.stake, 0);
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
