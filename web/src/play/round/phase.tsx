/** The phase of the round, easy to see: in words, in seconds, and as a shrinking bar. */

import { useComputed, type ReadonlySignal } from "@preact/signals";

import type { TableView } from "../../protocol.ts";
import { useApart } from "../../shell/index.ts";
import { useWords, type Words } from "../../words/words.ts";
import { useCountdown } from "../clock.ts";
import type { Game } from "../game.ts";
import "./phase.css";
import type { Scene } from "./stage.ts";

/** The last seconds, which are shown one by one. */
export const LAST_SECONDS = 5;

const HEADINGS = {
  idle: "scene_idle",
  tumbled: "scene_tumbled",
  betting: "scene_betting",
  closed: "scene_closed",
  result: "scene_result",
  lit: "scene_lit",
  collect: "scene_collect",
  pay: "scene_pay",
  over: "scene_over",
  void: "scene_void",
} as const;

/** The words of a scene. */
export function sayScene(t: Words<"play">, scene: Scene, view: TableView | null): string {
  if (view?.tested != null) return t("scene_test");
  const isShut = scene === "idle" && (view?.phase === "closed" || view?.phase === "new");
  return t(isShut ? "scene_shut" : HEADINGS[scene]);
}

export function Phase({ game }: { readonly game: Game }) {
  const t = useWords("play");
  const { seconds, part } = useCountdown(game.table.closesAt, game.now);
  const scene = game.stage.scene.value;
  const view = game.table.view.value;
  const isLast = useComputed(() => {
    const left = seconds.value;
    return game.stage.scene.value === "betting" && left !== null && left <= LAST_SECONDS;
  });
  const words = isLast.value ? t("scene_last") : sayScene(t, scene, view);
  const isOpen = scene === "betting";
  const { brief } = useApart();
  const apart = view === null ? null : brief(view);
  return (
    <div class={`phase phase-${scene}${isLast.value ? " phase-last" : ""}`} data-scene={scene}>
      <Seconds shown={isOpen} seconds={seconds} scene={scene} />
      <div class="phase-words">
        <p class="phase-heading">{words}</p>
        <p class="phase-round">
          {/* Before its first round a table is in none. */}
          {view === null || view.round === 0 ? "" : t("round", { round: view.round })}
          {isOpen && seconds.value === null && ` · ${t("until_dealer")}`}
        </p>
        {apart !== null && <p class="phase-apart">{apart}</p>}
      </div>
      {isOpen && <Drain part={part} isLast={isLast} seconds={seconds} />}
    </div>
  );
}

const SIGNS: Readonly<Record<Scene, string>> = {
  idle: "·",
  tumbled: "⌒",
  betting: "●",
  closed: "■",
  result: "⚂",
  lit: "◆",
  collect: "↑",
  pay: "↓",
  over: "✓",
  void: "∅",
};

interface SecondsProps {
  readonly shown: boolean;
  readonly seconds: ReadonlySignal<number | null>;
  readonly scene: Scene;
}

/** The seconds, or without a countdown a sign of the scene: round to bet, square to stop. */
function Seconds({ shown, seconds, scene }: SecondsProps) {
  const t = useWords("play");
  const left = seconds.value;
  if (!shown || left === null) {
    return (
      <span class="phase-seconds phase-sign" aria-hidden="true">
        {SIGNS[scene]}
      </span>
    );
  }
  return (
    <span class="phase-seconds" role="timer" aria-label={t.count("seconds_left", left)}>
      {left}
    </span>
  );
}

interface DrainProps {
  readonly part: ReadonlySignal<number>;
  readonly isLast: ReadonlySignal<boolean>;
  readonly seconds: ReadonlySignal<number | null>;
}

/** The time as a bar; the last seconds as blocks that disappear one by one. */
function Drain({ part, isLast, seconds }: DrainProps) {
  if (isLast.value) {
    const left = seconds.value ?? 0;
    return (
      <div class="phase-drain phase-blocks" aria-hidden="true">
        {Array.from({ length: LAST_SECONDS }, (_, block) => (
          <span key={block} class={block < left ? "phase-block" : "phase-block phase-gone"} />
        ))}
      </div>
    );
  }
  return (
    <div class="phase-drain" aria-hidden="true">
      <span class="phase-bar" style={{ transform: `scaleX(${part.value})` }} />
    </div>
  );
}
