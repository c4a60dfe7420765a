/** The limits of the table, as they are displayed at it [ts6 3.3]. */

import { Money } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import type { Game } from "../game.ts";
import "./limits.css";

interface Props {
  readonly game: Game;
  readonly onOpen: () => void;
}

export function Limits({ game, onOpen }: Props) {
  const t = useWords("play");
  const limits = game.table.view.value?.limits ?? null;
  if (limits === null) return null;
  const differential = limits.differential ?? null;
  return (
    <button type="button" class="limits" aria-haspopup="dialog" onClick={onOpen}>
      <span class="unseen">{t("sign")}: </span>
      <Limit name={t("minimum")} cents={limits.minimum} />
      <Limit name={t("maximum")} cents={limits.maximum} />
      <Limit name={t("differential")} cents={differential} />
      <span class="limits-more" aria-hidden="true">
        {game.table.view.value?.sign.length === 0 ? "▸" : t("sign_differs")}
      </span>
    </button>
  );
}

function Limit({ name, cents }: { readonly name: string; readonly cents: number | null }) {
  const t = useWords("play");
  return (
    <span class="limits-one">
      <span class="limits-name">{name}</span>{" "}
      <strong>{cents === null ? t("none") : <Money cents={cents} />}</strong>
    </span>
  );
}
