/** Announces a table's events to screen readers, rings the bell, and speaks calls if wanted. */

import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { useLatest } from "../play/latest.ts";
import { announce, bell, speak } from "../shell/index.ts";
import { useWords, type Words } from "../words/words.ts";
import { headingOf } from "./sentences.ts";
import type { Matter, Watched } from "./table_feed.ts";

function say(sentence: string): void {
  announce(sentence);
  speak(sentence);
}

function announceScene(t: Words<"display">, { stage }: Watched, matter: Matter): void {
  const heading = headingOf(t, matter, null);
  switch (matter) {
    case "closed":
      announce(heading, "assertive");
      speak(heading);
      break;
    case "result":
      say(stage.call.peek() ?? heading);
      break;
    case "void":
      say([heading, stage.voided.peek()?.sentence].filter(Boolean).join(". "));
      break;
    case "paying":
      say(t("say_paying"));
      break;
    case "betting":
    case "suspended":
    case "stopped":
    case "waiting":
    case "in_doubt":
    case "shut":
      say(heading);
      break;
    default:
      break;
  }
}

export function useAnnouncements(watched: Watched): void {
  const words = useLatest(useWords("display"));
  useEffect(() => {
    let isFirst = true;
    const unfollow = effect(() => {
      const matter = watched.matter.value;
      // A screen that has just been opened shows it already.
      if (!isFirst) announceScene(words.current, watched, matter);
      isFirst = false;
    });
    const unsubscribe = watched.table.onEvent((event) => {
      if (event.type === "BetsClosed" && event.bell) bell();
    });
    return () => {
      unfollow();
      unsubscribe();
    };
  }, [watched, words]);
}
