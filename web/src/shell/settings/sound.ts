/** The two sounds of a table, made of tones: a bell, and a chip put down [div9 6.2]. */

import { stored } from "./storage.ts";

/** Whether sound is on; a browser plays none before a person has touched the page. */
export const sound = stored<"on" | "off">("sound", ["on", "off"], () => "on");

/** After this long without a sound the browser's audio is suspended, to save power. */
const REST_MS = 3_000;
/** A sound that could not begin within this time is too late, and is left out. */
const LATE_MS = 300;

let context: AudioContext | null = null;
let resting: ReturnType<typeof setTimeout> | undefined;

/** Start the audio at the first touch of the page; returns a function that ends the wait. */
export function awaitTouch(): () => void {
  const begin = (): void => {
    end();
    if (typeof AudioContext === "function") context ??= new AudioContext();
    play(() => undefined);
  };
  const end = (): void => {
    removeEventListener("pointerdown", begin, true);
    removeEventListener("keydown", begin, true);
  };
  addEventListener("pointerdown", begin, true);
  addEventListener("keydown", begin, true);
  return end;
}

/** Play a sound once the audio runs; if the browser refuses, the next sound tries again. */
function play(tones: (on: AudioContext) => void): void {
  const on = context;
  if (on === null || sound.peek() !== "on") return;
  clearTimeout(resting);
  resting = setTimeout(() => void on.suspend(), REST_MS);
  const asked = performance.now();
  on.resume()
    .then(() => {
      if (performance.now() - asked < LATE_MS) tones(on);
    })
    .catch(() => undefined);
}

function tone(on: AudioContext, hertz: number, loud: number, seconds: number, after = 0): void {
  const begins = on.currentTime + after;
  const swing = on.createOscillator();
  const fade = on.createGain();
  swing.frequency.value = hertz;
  fade.gain.setValueAtTime(0, begins);
  fade.gain.linearRampToValueAtTime(loud, begins + 0.004);
  fade.gain.exponentialRampToValueAtTime(0.0001, begins + seconds);
  swing.connect(fade).connect(on.destination);
  swing.start(begins);
  swing.stop(begins + seconds);
}

/** The partial tones of a hand bell: pitch, loudness, and how long each rings. */
const BELL = [
  [1, 0.22, 1.6],
  [2, 0.12, 1.1],
  [2.4, 0.07, 0.9],
  [3.01, 0.05, 0.6],
  [4.1, 0.03, 0.4],
] as const;
const BELL_HERTZ = 740;

/** The bell at "No more bets": struck twice. */
export function bell(): void {
  play((on) => {
    for (const after of [0, 0.28])
      for (const [pitch, loud, seconds] of BELL) tone(on, BELL_HERTZ * pitch, loud, seconds, after);
  });
}

/** A chip is put on the layout: clay on cloth, short and low. */
export function chipClick(): void {
  play((on) => {
    tone(on, 1900, 0.05, 0.03);
    tone(on, 620, 0.09, 0.06, 0.006);
  });
}
