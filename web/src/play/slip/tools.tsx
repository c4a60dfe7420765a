/** The tools of the whole slip: undo and redo, clear, double, repeat, and place. */

import { Button } from "../../shell/controls/button.tsx";
import { money, useWords } from "../../words/words.ts";
import type { Game } from "../game.ts";
import { sentenceOf, saySnag } from "./sentences.ts";
import "./tools.css";

interface ToolProps {
  readonly sign: string;
  readonly name: string;
  readonly keys: string;
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

function Tool({ sign, name, keys, isOff = false, onClick }: ToolProps) {
  return (
    <button
      type="button"
      class="tools-tool"
      title={name}
      aria-keyshortcuts={keys}
      aria-disabled={isOff || undefined}
      onClick={() => {
        if (!isOff) onClick();
      }}
    >
      <span class="tools-sign" aria-hidden="true">
        {sign}
      </span>
      <span class="tools-name">{name}</span>
    </button>
  );
}

export function Tools({ game }: { readonly game: Game }) {
  const t = useWords("play");
  const { slip, terminal } = game;
  // The draft may be cleared, but nothing may be added that the venue would refuse.
  const isShut = game.shut.value !== null;
  const isEmpty = slip.stakes.value.size === 0;
  const hasBets = Object.keys(terminal.view.value?.bets ?? {}).length > 0;
  const hasLast = (terminal.view.value?.last?.lines.length ?? 0) > 0;
  return (
    <div class="tools" role="group" aria-label={t("slip_tools")}>
      <Tool sign="↶" name={t("undo")} keys="Control+Z" isOff={!slip.canUndo.value} onClick={() => slip.undo()} />
      <Tool sign="↷" name={t("redo")} keys="Control+Y" isOff={isShut || !slip.canRedo.value} onClick={() => slip.redo()} />
      <Tool sign="✕" name={t("clear")} keys="C" isOff={isEmpty} onClick={() => slip.clear()} />
      <Tool sign="×2" name={t("double")} keys="D" isOff={isShut || (isEmpty && !hasBets)} onClick={() => slip.double()} />
      <Tool sign="⟲" name={t("rebet")} keys="R" isOff={isShut || !hasLast} onClick={() => slip.rebet()} />
      <Tool sign="⟲×2" name={t("rebet_twice")} keys="Shift+R" isOff={isShut || !hasLast} onClick={() => slip.rebet(2)} />
    </div>
  );
}

/** Why the slip cannot be placed as it is, or null. */
export function useObstacle(game: Game): string | null {
  const t = useWords("play");
  const { slip } = game;
  const short = slip.snags.value.find((snag) => snag.kind === "short");
  if (game.shut.value !== null) return t(game.shut.value);
  const obstacle = game.obstacle.value;
  // Chips may be laid out before a round too; at a stopped table the player is not asked to.
  if (slip.stakes.value.size === 0) {
    if (obstacle !== null && obstacle !== "obstacle_not_open") return t(obstacle);
    return t(game.terminal.view.value?.credits === 0 ? "nothing_left" : "nothing_drafted");
  }
  if (obstacle !== null) return t(obstacle);
  if (slip.isBeyond.value) {
    const wanted = slip.total.value;
    return t("not_enough", { wanted: money(wanted), left: money(wanted + slip.left.value) });
  }
  if (short !== undefined) return t("said_of", { name: game.nameOf(short.box), what: saySnag(t, short) });
  return null;
}

/** The large button that places the bets; pressed twice, it still sends once. */
export function Place({ game }: { readonly game: Game }) {
  const t = useWords("play");
  const { slip } = game;
  const obstacle = useObstacle(game);
  const isSending = slip.isSending.value;
  const total = slip.total.value;
  const message = slip.message.value;
  const placed = game.terminal.view.value?.staked ?? 0;
  // A player who has placed everything is not asked for chips.
  const isPlaced = slip.stakes.value.size === 0 && placed > 0 && game.obstacle.value === null;
  const idle = isPlaced ? t("placed_sum", { amount: money(placed) }) : obstacle;
  return (
    <div class="place">
      <Button
        kind="main"
        class="place-button"
        busy={isSending}
        aria-disabled={obstacle !== null}
        aria-describedby="place-more"
        aria-keyshortcuts="P"
        onClick={() => {
          if (obstacle === null) void slip.place();
        }}
      >
        <span>{isSending ? t("placing") : t("place")}</span>
        {total > 0 && <span class="place-total">{money(total)}</span>}
      </Button>
      <p id="place-more" class={message === null ? "" : `place-${message.kind}`}>
        {message === null
          ? (idle ?? t("leaves", { amount: money(Math.max(0, slip.left.value)) }))
          : sentenceOf(t, message)}
      </p>
    </div>
  );
}
