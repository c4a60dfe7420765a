/** Announces a table's events to screen readers, rings the bell, and speaks calls if wanted. */

import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { announce, bell, speak } from "../shell/index.ts";
import { money, useWords, type Words } from "../words/words.ts";
import type { Game } from "./game.ts";
import { useLatest } from "./latest.ts";
import { sayNet } from "./round/outcome.tsx";
import { sayScene } from "./round/phase.tsx";
import { sentenceOf } from "./slip/sentences.ts";
import type { Scene } from "./round/stage.ts";

/** Seconds before the close that are announced; every second would be too many. */
const ANNOUNCED_SECONDS: readonly number[] = [10, 5];

function announceScene(t: Words<"play">, game: Game, scene: Scene): void {
  const { stage } = game;
  const say = (sentence: string): void => {
    announce(sentence);
    speak(sentence);
  };
  const heading = sayScene(t, scene, game.table.view.peek());
  switch (scene) {
    case "betting":
      say(heading);
      break;
    case "closed":
      announce(heading, "assertive");
      speak(heading);
      break;
    case "result":
      if (stage.amended.peek() !== null) announce(t("amended_short"));
      if (stage.call.peek() !== null) say(stage.call.peek() ?? "");
      break;
    case "over":
      if (stage.net.peek() !== null) announce(sayNet(t, stage.net.peek() ?? NOTHING));
      break;
    case "void":
      say([heading, stage.voided.peek()?.sentence].filter(Boolean).join(". "));
      break;
    default:
      break;
  }
}

const NOTHING = { round: 0, stake: 0, won: 0, back: 0 };

export function useAnnouncements(game: Game): void {
  const words = useLatest(useWords("play"));
  useEffect(() => {
    let first = true;
    const unfollow = effect(() => {
      const scene = game.stage.scene.value;
      // A player who has just come sees it on the screen.
      if (!first) announceScene(words.current, game, scene);
      first = false;
    });
    const unsubscribe = game.table.onEvent((event) => {
      if (event.type === "BetsClosed" && event.bell) bell();
    });
    const unsaid = effect(() => {
      const message = game.slip.message.value;
      if (message !== null) announce(sentenceOf(words.current, message));
    });
    return () => {
      unfollow();
      unsubscribe();
      unsaid();
    };
  }, [game, words]);
  useCountdownTold(game);
  useBetsTold(game);
}

/** How long no more bets are registered before it is announced: often many are, one after another. */
const REGISTERED_MS = 1_000;

/** Announce that bets are registered, once for all that are placed together. */
function useBetsTold(game: Game): void {
  const words = useLatest(useWords("play"));
  useEffect(() => {
    let due: ReturnType<typeof setTimeout> | undefined;
    const say = (): void => {
      const staked = game.terminal.view.peek()?.staked ?? 0;
      // A round that was void meanwhile has said so.
      if (staked > 0) announce(words.current("placed_sum", { amount: money(staked) }));
    };
    const unsubscribe = game.terminal.onEvent((event) => {
      // What staff did for the player has a notice of its own.
      if (event.type !== "BetsRegistered" || event.on_behalf === true) return;
      clearTimeout(due);
      due = setTimeout(say, REGISTERED_MS);
    });
    return () => {
      unsubscribe();
      clearTimeout(due);
    };
  }, [game, words]);
}

function useCountdownTold(game: Game): void {
  const words = useLatest(useWords("play"));
  useEffect(() => {
    let before = Infinity;
    const look = (): void => {
      const to = game.table.closesAt.peek();
      const left = to === null ? Infinity : Math.ceil((to - game.now()) / 1000);
      const due = ANNOUNCED_SECONDS.find((seconds) => left <= seconds && seconds < before);
      if (due !== undefined && left > 0) announce(words.current.count("seconds_left", left));
      before = left;
    };
    const looking = setInterval(look, 500);
    return () => clearInterval(looking);
  }, [game, words]);
}
