/** The dice under their dome, the call, and what the round came to for this player. */

import { roundsOf } from "../../live/index.ts";
import { DiceRow, Tumbler } from "../../layout/index.ts";
import { money, useWords, type Words } from "../../words/words.ts";
import type { Game } from "../game.ts";
import "./outcome.css";
import type { Net } from "./stage.ts";

/** What a round came to, as it is: getting back less than was staked is no win. */
export function sayNet(t: Words<"play">, net: Net): string {
  const gain = net.back - net.stake;
  if (gain > 0) return t("net_won", { amount: money(gain) });
  if (net.back === 0) return t("net_none", { stake: money(net.stake) });
  if (gain === 0) return t("net_even");
  return t("net_less", { back: money(net.back), stake: money(net.stake), lost: money(-gain) });
}

export function Outcome({ game }: { readonly game: Game }) {
  const { stage } = game;
  return (
    <div class="outcome">
      <Tumbler
        rolling={stage.rolling.value}
        covered={stage.tumbled.value}
        faces={stage.faces.value}
        call={stage.call.value}
      />
      <div class="outcome-words">
        <Spoken game={game} />
      </div>
    </div>
  );
}

function Spoken({ game }: { readonly game: Game }) {
  const t = useWords("play");
  const { stage } = game;
  const voided = stage.voided.value;
  const amended = stage.amended.value;
  const net = stage.net.value;
  const returned = stage.returned.value;
  if (voided !== null) {
    return (
      <>
        <p class="outcome-call">{voided.sentence}</p>
        <p class="outcome-more">
          {t("clause", { clause: voided.clause })}{" "}
          {returned !== null && t("bets_returned", { amount: money(returned) })}
        </p>
      </>
    );
  }
  if (stage.scene.value === "closed") {
    return <p class="outcome-call">{t(stage.tumbled.value ? "scene_tumbled" : "tumbling")}</p>;
  }
  if (stage.faces.value === null) return <Before game={game} />;
  return (
    <>
      {stage.call.value !== null && <p class="outcome-call">{stage.call.value}</p>}
      {amended !== null && (
        <p class="outcome-amended">
          {t("amended", { before: amended.before.join(", "), clause: amended.clause })}
        </p>
      )}
      {net !== null && (
        <p class={`outcome-net${net.back > net.stake ? " outcome-won" : ""}`}>{sayNet(t, net)}</p>
      )}
    </>
  );
}

/** Until there are dice: those of the round before, quietly. */
function Before({ game }: { readonly game: Game }) {
  const t = useWords("play");
  const before = roundsOf(game.table.view.value).at(-1);
  if (before === undefined) return null;
  const { faces } = before;
  return (
    <>
      <p class="outcome-more">{t("result_before")}</p>
      <p class="outcome-before">
        {before.void || faces === null ? t("void") : <DiceRow faces={faces} size="1.5rem" />}
        {!before.void && game.stage.callBefore.value}
      </p>
    </>
  );
}
