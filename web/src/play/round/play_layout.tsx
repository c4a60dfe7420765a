/** The felt one plays on. */

import { useMemo } from "preact/hooks";

import { Felt, type Ceremony } from "../../layout/index.ts";
import { chipClick } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import type { Game } from "../game.ts";
import { useLatest } from "../latest.ts";
import { marksOf } from "./marks.ts";
import { saySnag } from "../slip/sentences.ts";
import type { Scene } from "./stage.ts";
import { chances, felt, totals } from "../preferences.ts";

function ceremonyOf(scene: Scene): Ceremony {
  if (scene === "collect") return "collect";
  return scene === "pay" || scene === "over" ? "pay" : "none";
}

export function FeltArea({ game }: { readonly game: Game }) {
  const t = useWords("play");
  const words = useLatest(t);
  const cloth = game.cloth.value;
  const withTotals = totals.value === "on";
  const boxes = useMemo(
    () => marksOf(game, withTotals, (snag) => saySnag(words.current, snag)),
    [game, withTotals, cloth],
  );
  if (cloth === null) return <p class="play-wait">{t("one_moment")}</p>;
  return (
    <Felt
      layout={cloth.layout}
      odds={cloth.odds}
      boxes={boxes}
      mode={felt.value}
      lit={game.stage.lit.value}
      ceremony={ceremonyOf(game.stage.scene.value)}
      chances={chances.value === "on"}
      limits={(box) => game.slip.boundsOf(box)}
      onPress={(box) => {
        const before = game.slip.stakes.peek();
        game.slip.press(box);
        if (game.slip.stakes.peek() !== before) chipClick();
      }}
      onTakeBack={(box) => game.slip.takeOff(box)}
      label={t("felt_of", { table: game.table.name })}
    />
  );
}
