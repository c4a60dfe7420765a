/** Sentences over the layout that say why the player cannot bet; nothing if they can. */

import { cited, useWords, type Words } from "../../words/words.ts";
import "./banners.css";
import type { Game } from "../game.ts";

interface Banner {
  readonly sign: string;
  readonly sentence: string;
  readonly isGrave: boolean;
}

function bannersOf(t: Words<"play">, game: Game): readonly Banner[] {
  const view = game.table.view.value;
  const own = game.terminal.view.value;
  const banners: (Banner | false)[] = [];
  const grave = (sentence: string): Banner => ({ sign: "■", sentence, isGrave: true });
  const mild = (sentence: string): Banner => ({ sign: "◷", sentence, isGrave: false });
  if (view !== null) {
    banners.push(
      game.table.suspended.value && grave(t("banner_suspended")),
      view.stopped !== null && grave(t("banner_stopped", { ground: cited(t, view.stopped) })),
      view.waiting && mild(t("banner_waiting")),
      view.doubts.length > 0 && mild(t("banner_in_doubt")),
      view.notice_given && mild(t("banner_notice")),
    );
  }
  if (own !== null) {
    banners.push(own.failed && grave(t("banner_failed")));
    banners.push(own.locked && mild(t("banner_locked")), own.barred && grave(t("banner_barred")));
  }
  return banners.filter((banner) => banner !== false);
}

export function Banners({ game }: { readonly game: Game }) {
  const t = useWords("play");
  return (
    <div class="banners" role="status">
      {bannersOf(t, game).map(({ sign, sentence, isGrave }) => (
        <p key={sentence} class={isGrave ? "banner banner-grave" : "banner"}>
          <span aria-hidden="true">{sign}</span> {sentence}
        </p>
      ))}
    </div>
  );
}
