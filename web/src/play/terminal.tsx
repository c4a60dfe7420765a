/** The screen of a Player Terminal: status, layout, hand (tray and tools), and side panels. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { Button } from "../shell/index.ts";
import { useWords } from "../words/words.ts";
import { useAnnouncements } from "./announcements.ts";
import { Banners } from "./panels/banners.tsx";
import { Printed, useMoneyNotices } from "./windows/cashier.tsx";
import { PlayLayout } from "./round/play_layout.tsx";
import type { Game } from "./game.ts";
import { useKeys } from "./keys.ts";
import { Limits } from "./panels/limits.tsx";
import { Menu } from "./panels/menu.tsx";
import { Outcome } from "./round/outcome.tsx";
import { useReminders } from "./windows/own_limits.tsx";
import { Phase } from "./round/phase.tsx";
import { Purse } from "./panels/purse.tsx";
import { Roads } from "./panels/roads_panel.tsx";
import { SlipList } from "./slip/slip_list.tsx";
import "./terminal.css";
import { Place, Tools } from "./slip/tools.tsx";
import { Tray, trayOf } from "./slip/tray.tsx";
import { layoutMode } from "./preferences.ts";
import { Windows, type WindowName } from "./windows/windows.tsx";

export function Terminal({ game }: { readonly game: Game }) {
  const t = useWords("play");
  const opened = useSignal<WindowName | null>(null);
  const isAside = useSignal(false);
  useKeys(game, opened);
  useAnnouncements(game);
  useMoneyNotices(game);
  useReminders(game);
  useFirstChip(game);
  const terminal = game.terminal.view.value?.terminal ?? "";
  return (
    <div class={`play play-${layoutMode.value}${isAside.value ? " play-aside" : ""}`}>
      <h1 class="unseen">{t("title", { table: game.table.name, terminal })}</h1>
      <section class="play-status" aria-label={t("status")}>
        <Phase game={game} />
        <Outcome game={game} onOpen={() => (opened.value = "recall")} />
      </section>
      <Purse game={game} />
      <Button
        class="play-more"
        aria-label={t("more")}
        title={t("more")}
        aria-expanded={isAside.value}
        onClick={() => (isAside.value = !isAside.value)}
      >
        <span aria-hidden="true">☰</span>
      </Button>
      <div class={game.slip.refusals.value.size === 0 ? "play-layout play-mild" : "play-layout"}>
        <Banners game={game} />
        <PlayLayout game={game} />
      </div>
      <div class="play-hand">
        <Tray game={game} />
        <Tools game={game} />
        <Place game={game} />
      </div>
      <div class="play-beside">
        <Limits game={game} onOpen={() => (opened.value = "sign")} />
        <Menu game={game} opened={opened} isAside={isAside} />
        <aside class="play-side" aria-label={t("beside")}>
          <SlipList game={game} opened={opened} />
          <Roads game={game} />
        </aside>
      </div>
      <Windows game={game} opened={opened} />
      <Printed game={game} />
    </div>
  );
}

/** Begin with the smallest chip that is a valid bet, so that one press makes a bet. */
function useFirstChip(game: Game): void {
  const chips = trayOf(game);
  const minimum = game.table.view.value?.limits?.minimum ?? 0;
  useEffect(() => {
    const tool = game.slip.tool.peek();
    if (typeof tool === "number" && chips.includes(tool)) return;
    const first = chips.find((chip) => chip >= minimum) ?? chips[0];
    if (first !== undefined) game.slip.tool.value = first;
  }, [game, chips.join(" "), minimum]);
}
