/** The player's chips: chosen by a tap or a key, or dragged onto the layout. */

import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import { Beyond, Chip, useBeyond, useChipDrag } from "../../layout/index.ts";
import { chipClick } from "../../shell/settings/sound.ts";
import { money, useWords } from "../../words/words.ts";
import { chipsFor } from "./bounds.ts";
import type { Game } from "../game.ts";
import type { Tool } from "./slip.ts";
import "./tray.css";

/** The chips of the tray, chosen by the limits. */
export function trayOf(game: Game): readonly number[] {
  const limits = game.table.view.value?.limits;
  return limits ? chipsFor(limits) : [];
}

export function Tray({ game }: { readonly game: Game }) {
  const t = useWords("play");
  const { slip } = game;
  const chips = trayOf(game);
  const left = Math.max(0, slip.left.value);
  const rail = useRef<HTMLDivElement>(null);
  const beyond = useBeyond(rail);
  const drag = useChipDrag((box, chip) => {
    if (slip.put(box, chip)) chipClick();
  });
  return (
    <div class="tray-frame">
      <div ref={rail} class="tray" role="group" aria-label={t("chips")}>
        {chips.map((worth, place) => (
          <ToolButton
            key={worth}
            game={game}
            tool={worth}
            name={t("chip_of", { amount: money(worth) })}
            hotkey={place + 1}
            more={drag.handlers(worth)}
            moreClass={drag.className}
            isBeyond={worth > left}
          >
            <Chip amount={worth} denomination={worth} />
          </ToolButton>
        ))}
        <ToolButton
          game={game}
          tool="rest"
          name={t("rest_chip", { amount: money(left) })}
          hotkey={chips.length + 1}
          isBeyond={left === 0}
        >
          <span class="tray-face" aria-hidden="true">
            {t("rest")}
          </span>
        </ToolButton>
        <ToolButton game={game} tool="take-off" name={t("take_off")}>
          <span class="tray-face tray-take-off" aria-hidden="true">
            {t("take_off_short")}
          </span>
        </ToolButton>
        {drag.ghost}
      </div>
      <Beyond sides={beyond} />
    </div>
  );
}

/** Whether this player has no chips on the layout, neither drafted nor placed. */
function isBare({ slip, terminal }: Game): boolean {
  return slip.stakes.value.size === 0 && Object.keys(terminal.view.value?.bets ?? {}).length === 0;
}

interface ToolButtonProps {
  readonly game: Game;
  readonly tool: Tool;
  readonly name: string;
  readonly hotkey?: number;
  readonly children: JSX.Element;
  readonly more?: JSX.HTMLAttributes<HTMLButtonElement>;
  readonly moreClass?: string;
  /** A chip worth more than the credits left: it can be chosen, but is drawn as too large. */
  readonly isBeyond?: boolean;
}

function ToolButton(props: ToolButtonProps) {
  const { game, tool, name, hotkey, children, more = {}, moreClass = "", isBeyond = false } = props;
  // Even where no bets may be placed, chips on the layout can be taken back.
  const isShut = game.shut.value !== null && (tool !== "take-off" || isBare(game));
  const isChosen = !isShut && game.slip.tool.value === tool;
  return (
    <button
      type="button"
      class={`tray-tool ${moreClass}${isChosen ? " tray-chosen" : ""}${isBeyond ? " tray-beyond" : ""}`}
      aria-pressed={isChosen}
      aria-disabled={isShut || undefined}
      aria-label={name}
      {...(hotkey === undefined ? {} : { "aria-keyshortcuts": String(hotkey) })}
      {...more}
      onClick={() => {
        if (!isShut) game.slip.tool.value = tool;
      }}
    >
      {children}
    </button>
  );
}
