/** Calls spoken by the browser's own voice, in the language of the page. */

import { language } from "../../words/words.ts";
import { kept } from "./storage.ts";

/** Whether calls are spoken; off until somebody wants it. */
export const speech = kept<"on" | "off">("speech", ["on", "off"], () => "off");

/** Whether this browser can speak at all. */
export const canSpeak = typeof speechSynthesis !== "undefined";

const VOICES = { en: "en-GB", "zh-Hans": "zh-CN", "zh-Hant": "zh-HK" } as const;

/** Speak a sentence; what was being said is cut off, since a newer call counts. */
export function speak(sentence: string): void {
  if (!canSpeak || speech.peek() === "off") return;
  const said = new SpeechSynthesisUtterance(sentence);
  said.lang = VOICES[language.peek()];
  const family = said.lang.slice(0, 2);
  const voices = speechSynthesis.getVoices();
  const voice =
    voices.find((each) => each.lang === said.lang) ??
    voices.find((each) => each.lang.startsWith(family));
  if (voice !== undefined) said.voice = voice;
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}
