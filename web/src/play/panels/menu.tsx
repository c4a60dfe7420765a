/** The menu of the table: money, the player's own limits, rounds, and preferences. */

import type { Signal } from "@preact/signals";

import { Button } from "../../shell/index.ts";
import { duration, useWords } from "../../words/words.ts";
import { useServerTime } from "../clock.ts";
import type { Game, Kept } from "../game.ts";
import "./menu.css";
import { chooseMode, layoutMode } from "../preferences.ts";
import type { WindowName } from "../windows/windows.tsx";

interface MenuProps {
  readonly game: Game;
  readonly opened: Signal<WindowName | null>;
  /** Whether slip and roads are open over the layout, in a window without room beside it. */
  readonly isAside: Signal<boolean>;
}

export function Menu({ game, opened, isAside }: MenuProps) {
  const t = useWords("play");
  const isEasy = layoutMode.value === "easy";
  const open = (name: WindowName) => () => {
    opened.value = name;
  };
  const kept = game.kept.value;
  return (
    <div class="menu" role="group" aria-label={t("menu")}>
      <Way off={kept === "obstacle_failed" ? kept : null} name={t("buy_in")} onOpen={open("buy-in")} />
      <Way off={kept} name={t("cash_out")} onOpen={open("cash-out")} />
      <Session game={game} onOpen={open("own-limits")} />
      <Button
        class="menu-aside"
        aria-expanded={isAside.value}
        onClick={() => (isAside.value = !isAside.value)}
      >
        {t("slip_and_roads")}
      </Button>
      <Button onClick={() => chooseMode(isEasy ? "full" : "easy")}>
        {t(isEasy ? "full_layout" : "easy_view")}
      </Button>
      <Button onClick={open("recall")}>{t("last_rounds")}</Button>
      <Button onClick={open("preferences")}>{t("preferences_short")}</Button>
      <Button aria-label={t("help")} onClick={open("help")}>
        ?
      </Button>
    </div>
  );
}

interface WayProps {
  /** Why the venue would refuse the action. */
  readonly off: Kept | null;
  readonly name: string;
  readonly onOpen: () => void;
}

/** A button for money, disabled if the venue would refuse it; then it says why. */
function Way({ off, name, onOpen }: WayProps) {
  const t = useWords("play");
  return (
    <Button
      aria-disabled={off !== null}
      title={off === null ? undefined : t(off)}
      onClick={() => {
        if (off === null) onOpen();
      }}
    >
      {name}
    </Button>
  );
}

/** The time played; a press opens the limits that players set for themselves. */
function Session({ game, onOpen }: { readonly game: Game; readonly onOpen: () => void }) {
  const t = useWords("play");
  const time = useServerTime(game.now);
  const began = game.terminal.view.value?.session_began ?? null;
  const played = began === null ? null : duration(Math.max(0, time.value - began));
  const name = played === null ? t("own_limits") : t("own_limits_played", { time: played });
  return (
    <Button aria-label={name} title={t("own_limits")} onClick={onOpen}>
      <span aria-hidden="true">◷ {played ?? t("own_limits")}</span>
    </Button>
  );
}
