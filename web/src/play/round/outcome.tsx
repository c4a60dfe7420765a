/** The dice under their dome, the call, and the round's outcome for this player. */

import type { RecalledRound } from "../../answers.ts";
import { roundsOf } from "../../live/index.ts";
import { DiceRow, Tumbler } from "../../layout/index.ts";
import { said, saidOf } from "../../words/said.ts";
import { cited, money, useWords, type Words } from "../../words/words.ts";
import type { Game } from "../game.ts";
import "./outcome.css";
import { sayDice, type Net } from "./stage.ts";

/** The outcome of a round in words: getting back less than was staked is no win. */
export function sayNet(t: Words<"play">, net: Net): string {
  const gain = net.back - net.stake;
  if (gain > 0) return t("net_won", { amount: money(gain) });
  if (net.back === 0) return t("net_none", { stake: money(net.stake) });
  if (gain === 0) return t("net_even");
  return t("net_less", { back: money(net.back), stake: money(net.stake), lost: money(-gain) });
}

/** The outcome of a round that was requested; of a void one, the stakes returned. */
export function sayBefore(t: Words<"play">, before: RecalledRound): string {
  const { round, lines, void: isVoid } = before;
  const stake = lines.reduce((all, line) => all + line.stake, 0);
  const won = lines.reduce((all, line) => all + line.won, 0);
  const back = lines.reduce((all, line) => all + line.back, 0);
  const what = isVoid ? t("came_back", { amount: money(stake) }) : sayNet(t, { round, stake, won, back });
  return t("round_was", { round, what });
}

interface OutcomeProps {
  readonly game: Game;
  /** Open the finished round, bet by bet. */
  readonly onOpen: () => void;
}

/** Whether the round goes on: while it is in doubt, no dice are shown tumbling. */
function goesOn({ table, link, stage }: Game): boolean {
  const isHeard = link.status.value === "live" && !table.suspended.value;
  return isHeard && !stage.troubled.value && table.view.value?.stopped === null;
}

export function Outcome({ game, onOpen }: OutcomeProps) {
  const { stage } = game;
  return (
    <div class="outcome">
      <Tumbler
        rolling={stage.rolling.value && goesOn(game)}
        covered={stage.covered.value}
        faces={stage.faces.value}
        call={saidOf(stage.call.value)}
      />
      <div class="outcome-words">
        <Spoken game={game} onOpen={onOpen} />
      </div>
    </div>
  );
}

function Spoken({ game, onOpen }: OutcomeProps) {
  const t = useWords("play");
  const ofDice = useWords("layout");
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
          <span class="outcome-clause">{cited(t, voided.clause)}</span>{" "}
          {returned !== null && (
            <OpenRound onOpen={onOpen}>{t("bets_returned", { amount: money(returned) })}</OpenRound>
          )}
        </p>
      </>
    );
  }
  if (stage.scene.value === "closed") {
    return <p class="outcome-call">{goesOn(game) ? sayDice(ofDice, stage) : t("dice_wait")}</p>;
  }
  if (stage.faces.value === null) return <Before game={game} onOpen={onOpen} />;
  return (
    <>
      {stage.call.value !== null && <p class="outcome-call">{said(stage.call.value)}</p>}
      {amended !== null && (
        <p class="outcome-amended">
          {t("amended", { before: amended.before.join(", "), ground: cited(t, amended.clause) })}
        </p>
      )}
      {net !== null && (
        <p class={`outcome-net${net.back > net.stake ? " outcome-won" : ""}`}>
          <OpenRound onOpen={onOpen}>{sayNet(t, net)}</OpenRound>
        </p>
      )}
    </>
  );
}

interface OpenRoundProps {
  readonly onOpen: () => void;
  readonly children: string;
}

/** The outcome of a round, as a button that opens its bets. */
function OpenRound({ onOpen, children }: OpenRoundProps) {
  const t = useWords("play");
  return (
    <button type="button" class="outcome-open" title={t("show_round")} aria-haspopup="dialog" onClick={onOpen}>
      {children}
    </button>
  );
}

/** The dice of the round before, drawn faintly until there are new ones. */
function Before({ game, onOpen }: OutcomeProps) {
  const t = useWords("play");
  const before = roundsOf(game.table.view.value).at(-1);
  const own = game.before.value;
  if (before === undefined) return null;
  const { faces } = before;
  return (
    <>
      {own === null ? (
        <p class="outcome-more">{t("result_before")}</p>
      ) : (
        <p class="outcome-net">
          <OpenRound onOpen={onOpen}>{sayBefore(t, own)}</OpenRound>
        </p>
      )}
      <p class="outcome-before">
        {before.void || faces === null ? t("void") : <DiceRow faces={faces} size="1.5rem" />}
        {!before.void && saidOf(game.stage.callBefore.value)}
      </p>
    </>
  );
}
