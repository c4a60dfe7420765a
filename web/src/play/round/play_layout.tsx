/** The layout of the player's table. */

import { useMemo } from "preact/hooks";

import { Layout, useLit, type Ceremony } from "../../layout/index.ts";
import { chipClick } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import type { Game } from "../game.ts";
import { useLatest } from "../latest.ts";
import { marksOf } from "./marks.ts";
import { saySnag } from "../slip/sentences.ts";
import type { Scene } from "./stage.ts";
import { chances, layoutMode, totals } from "../preferences.ts";

function ceremonyOf(scene: Scene): Ceremony {
  if (scene === "collect") return "collect";
  return scene === "pay" || scene === "over" ? "pay" : "none";
}

export function PlayLayout({ game }: { readonly game: Game }) {
  const t = useWords("play");
  const words = useLatest(t);
  const printed = game.printed.value;
  const withTotals = totals.value === "on";
  const boxes = useMemo(
    () => marksOf(game, withTotals, (snag) => saySnag(words.current, snag)),
    [game, withTotals, printed],
  );
  const lit = useLit(game.table.view.value, game.stage.lit.value);
  if (printed === null) return <p class="play-wait">{t("one_moment")}</p>;
  return (
    <Layout
      layout={printed.layout}
      odds={printed.odds}
      boxes={boxes}
      mode={layoutMode.value}
      lit={lit}
      ceremony={ceremonyOf(game.stage.scene.value)}
      chances={chances.value === "on"}
      limits={(box) => game.slip.boundsOf(box)}
      onPress={(box) => {
        const before = game.slip.stakes.peek();
        game.slip.press(box);
        if (game.slip.stakes.peek() !== before) chipClick();
      }}
      onTakeBack={(box) => game.slip.takeOff(box)}
      label={t("layout_of", { table: game.table.name })}
    />
  );
}
