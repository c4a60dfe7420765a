/** The replay of a round: a time line of events, the layout after each, and the event itself. */

import { useComputed, useSignal, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";

import { Choice } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import { EventCard } from "./event_card.tsx";
import { LayoutPart } from "./layout_part.tsx";
import { isChipTable, momentAt, stepsOf, terminalsOf, type Step } from "./replay_steps.ts";
import type { RoundRecord } from "./round_page.tsx";
import { TimeLine } from "./time_line.tsx";
import { Transport } from "./transport.tsx";

/** The speeds of a replay, in steps a second. */
export const SPEEDS = [1, 2, 5] as const;

/** The position of a replay, and its controls. */
export interface Player {
  readonly steps: readonly Step[];
  readonly at: Signal<number>;
  readonly isPlaying: Signal<boolean>;
  readonly speed: Signal<number>;
  /** Go to a step; steps beyond the ends are cut to the ends. */
  readonly to: (step: number) => void;
  readonly turn: () => void;
}

function usePlayer(steps: readonly Step[], at: Signal<number>): Player {
  const isPlaying = useSignal(false);
  const speed = useSignal<number>(SPEEDS[0]);
  const last = steps.length - 1;
  const move = (step: number): void => {
    at.value = Math.max(0, Math.min(last, step));
    if (at.peek() >= last) isPlaying.value = false;
  };
  useEffect(() => {
    if (!isPlaying.value) return;
    const playing = setInterval(() => move(at.peek() + 1), 1000 / speed.value);
    return () => clearInterval(playing);
  }, [isPlaying.value, speed.value, steps]);
  return {
    steps,
    at,
    isPlaying,
    speed,
    to: (step) => {
      isPlaying.value = false;
      move(step);
    },
    turn: () => {
      // From the end it starts again.
      if (!isPlaying.peek() && at.peek() >= last) at.value = 0;
      isPlaying.value = !isPlaying.peek();
    },
  };
}

const MOVES: Readonly<Record<string, (player: Player) => void>> = {
  ArrowRight: ({ at, to }) => to(at.peek() + 1),
  ArrowLeft: ({ at, to }) => to(at.peek() - 1),
  Home: ({ to }) => to(0),
  End: ({ to, steps }) => to(steps.length - 1),
  " ": ({ turn }) => turn(),
};

/** Move by the keyboard, except in elements where the keys mean something else. */
function useKeys(player: Player): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest("input, select, textarea, dialog, [role=region]") != null) return;
      // Space presses a button, link or summary that has the focus.
      if (event.key === " " && target?.closest("button, a, summary") != null) return;
      const move = MOVES[event.key];
      if (move === undefined) return;
      event.preventDefault();
      move(player);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}

interface ReplayProps {
  readonly record: RoundRecord;
  readonly nameOf: (box: string) => string;
  /** The present step; the caller keeps it while the story is loaded in another language. */
  readonly at: Signal<number>;
}

export function Replay({ record, nameOf, at }: ReplayProps) {
  const t = useWords("audit");
  const { story } = record;
  const steps = useMemo(() => stepsOf(story), [story]);
  const player = usePlayer(steps, at);
  const terminal = useSignal<string | null>(null);
  useKeys(player);
  const now = useComputed(() => momentAt(story, steps, player.at.value, terminal.value));
  const step = steps[player.at.value];
  if (step === undefined) return <p class="audit-wait">{t("no_events")}</p>;
  return (
    <section class="replay" aria-label={t("replay")}>
      <Transport player={player} />
      <div class="replay-table">
        <LayoutPart record={record} now={now} nameOf={nameOf} />
        <Whose terminals={terminalsOf(story)} terminal={terminal} isChipTable={isChipTable(story)} />
      </div>
      <div class="replay-side">
        <EventCard story={story} step={step} nameOf={nameOf} isPlaying={player.isPlaying.value} />
        <TimeLine player={player} began={story.began_at} />
      </div>
    </section>
  );
}

interface WhoseProps {
  readonly terminals: readonly string[];
  readonly terminal: Signal<string | null>;
  readonly isChipTable: boolean;
}

/** Whose chips are shown: everybody's, or those of one terminal, or seat. */
function Whose({ terminals, terminal, isChipTable }: WhoseProps) {
  const t = useWords("audit");
  if (terminals.length < 2) return null;
  return (
    <div class="replay-whose">
      <Choice
        label={t("chips_of")}
        value={terminal.value ?? ""}
        onChange={({ currentTarget }) => {
          terminal.value = currentTarget.value === "" ? null : currentTarget.value;
        }}
      >
        <option value="">{t("everybody")}</option>
        {terminals.map((each) => (
          <option key={each} value={each}>
            {isChipTable ? t("seat_of", { seat: each }) : each}
          </option>
        ))}
      </Choice>
    </div>
  );
}

