/** Calls spoken by the browser's own voice, in the language of the page. */

import { language } from "../../words/words.ts";
import { stored } from "./storage.ts";

/** Whether calls are spoken; off until switched on. */
export const speech = stored<"on" | "off">("speech", ["on", "off"], () => "off");

/** Whether this browser can speak at all. */
export const canSpeak = typeof speechSynthesis !== "undefined";

const VOICES = { en: "en-GB", "zh-Hans": "zh-CN", "zh-Hant": "zh-HK" } as const;

/** Speak a sentence; it cuts off an older one, since the newer call counts. */
export function speak(sentence: string): void {
  if (!canSpeak || speech.peek() === "off") return;
  const utterance = new SpeechSynthesisUtterance(sentence);
  utterance.lang = VOICES[language.peek()];
  const family = utterance.lang.slice(0, 2);
  const voices = speechSynthesis.getVoices();
  const voice =
    voices.find((each) => each.lang === utterance.lang) ??
    voices.find((each) => each.lang.startsWith(family));
  if (voice !== undefined) utterance.voice = voice;
  speechSynthesis.cancel();
  speechSynthesis.speak(utterance);
}
