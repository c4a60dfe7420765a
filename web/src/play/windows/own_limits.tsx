/** Limits that players set for themselves, and how long they have played. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { Button, Dialog, Field, notify } from "../../shell/index.ts";
import { lasting, said } from "../../words/said.ts";
import { decimals, duration, money, useWords } from "../../words/words.ts";
import { useServerTime } from "../clock.ts";
import type { Game } from "../game.ts";
import { useLatest } from "../latest.ts";
import type { WindowProps } from "./windows.tsx";
import "./own_limits.css";

const MINUTE_MS = 60_000;
/** How long before the end of their own time limit players are reminded of it. */
const WARN_MS = 5 * MINUTE_MS;
const REMIND_MS = 60 * MINUTE_MS;

/** Read a typed number: null if the field is empty, undefined if it is no number. */
export function readFigure(text: string, factor: number): number | null | undefined {
  const written = text.trim().replace(/[\s,]/g, "");
  if (written === "") return null;
  const figure = Number(written) * factor;
  // 0.29 × 100 is 28.999…, so round to the nearest whole unit.
  const whole = Math.round(figure);
  return Number.isSafeInteger(whole) && whole > 0 && Math.abs(figure - whole) < 1e-6 ? whole : undefined;
}

export function OwnLimits({ game, onClose }: WindowProps) {
  const t = useWords("play");
  const fault = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const time = useServerTime(game.now);
  const view = game.terminal.view.value;
  const began = view?.session_began ?? null;
  const set = async (loss: number | null, seconds: number | null): Promise<void> => {
    if (view === null || isBusy.peek()) return;
    isBusy.value = true;
    const { table, terminal } = view;
    const limits = { loss, session_seconds: seconds };
    const answer = await game.link.ask(table, { type: "SetOwnLimits", terminal, ...limits });
    isBusy.value = false;
    if (answer.type === "Refused") fault.value = answer.sentence;
    else {
      notify(() => t("own_limits_set"));
      onClose();
    }
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const given = new FormData(event.currentTarget);
    const loss = readFigure(String(given.get("loss") ?? ""), 10 ** decimals());
    const minutes = readFigure(String(given.get("minutes") ?? ""), 60);
    if (loss === undefined || minutes === undefined) fault.value = lasting(() => t("figure_wrong"));
    else void set(loss, minutes);
  };
  const loss = view?.loss_limit ?? null;
  const seconds = view?.session_seconds ?? null;
  return (
    <Dialog title={t("own_limits")} onClose={onClose}>
      <p class="own-limits-played">
        {began === null ? t("not_playing_yet") : t("played_for", { time: duration(time.value - began) })}
      </p>
      <p>{t("own_limits_how")}</p>
      <form class="own-limits" onSubmit={submit} autocomplete="off">
        <Field
          label={t("loss_limit")}
          hint={loss === null ? t("no_limit_yet") : t("now_it_is", { limit: money(loss) })}
          name="loss"
          inputMode="decimal"
          defaultValue={loss === null ? "" : String(loss / 10 ** decimals())}
          maxLength={12}
        />
        <Field
          label={t("time_limit")}
          hint={seconds === null ? t("no_limit_yet") : t("now_it_is", { limit: duration(seconds * 1000) })}
          name="minutes"
          inputMode="numeric"
          defaultValue={seconds === null ? "" : String(seconds / 60)}
          maxLength={6}
        />
        {fault.value !== null && (
          <p class="own-limits-fault" role="alert">
            {said(fault.value)}
          </p>
        )}
        <Button kind="main" type="submit" busy={isBusy.value}>
          {t("own_limits_save")}
        </Button>
      </form>
    </Dialog>
  );
}

/** Remind of the time: every hour, five minutes before the player's own limit, and at it. */
export function useReminders(game: Game): void {
  const words = useLatest(useWords("play"));
  useEffect(() => {
    let before = game.now();
    const look = (): void => {
      const view = game.terminal.view.peek();
      const now = game.now();
      const began = view?.session_began ?? null;
      if (view !== null && began !== null) {
        const passed = (moment: number): boolean => before < moment && moment <= now;
        const hour = began + Math.floor((now - began) / REMIND_MS) * REMIND_MS;
        const end = view.session_seconds === null ? null : began + view.session_seconds * 1000;
        if (end !== null && passed(end)) notify(() => words.current("time_is_over"), "waits");
        else if (end !== null && passed(end - WARN_MS)) notify(() => words.current("time_nearly_over"), "waits");
        else if (hour > began && passed(hour)) {
          notify(() => words.current("played_for", { time: duration(hour - began) }), "waits");
        }
      }
      before = now;
    };
    const looking = setInterval(look, 1_000);
    return () => clearInterval(looking);
  }, [game, words]);
}
