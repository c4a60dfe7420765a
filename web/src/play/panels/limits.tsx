/** The limits of the table, as they are displayed at it [ts6 3.3]. */

import { Money } from "../../shell/index.ts";
import { money, useWords } from "../../words/words.ts";
import type { Game } from "../game.ts";
import "./limits.css";

export function Limits({ game }: { readonly game: Game }) {
  const t = useWords("play");
  const limits = game.table.view.value?.limits ?? null;
  if (limits === null) return null;
  const differential = limits.differential ?? null;
  return (
    <dl class="limits" aria-label={t("limits")}>
      <div>
        <dt>{t("minimum")}</dt>
        <dd>
          <Money cents={limits.minimum} />
        </dd>
      </div>
      <div>
        <dt>{t("maximum")}</dt>
        <dd>
          <Money cents={limits.maximum} />
        </dd>
      </div>
      <div>
        <dt>{t("differential")}</dt>
        <dd>{differential === null ? t("none") : money(differential)}</dd>
      </div>
    </dl>
  );
}
