import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { awaitTouch, bell, chipClick, sound } from "./sound.ts";

/** A fake of the browser's audio that counts the sounds begun, and whether it runs. */
class Audio {
  static made: Audio[] = [];
  state = "suspended";
  currentTime = 0;
  begun = 0;
  wakes = true;
  destination = {};

  constructor() {
    Audio.made.push(this);
  }

  resume(): Promise<void> {
    if (!this.wakes) return Promise.reject(new Error("not now"));
    this.state = "running";
    return Promise.resolve();
  }

  suspend(): Promise<void> {
    this.state = "suspended";
    return Promise.resolve();
  }

  createOscillator(): unknown {
    const start = (): void => void this.begun++;
    return { frequency: {}, connect: (next: unknown) => next, start, stop: () => undefined };
  }

  createGain(): unknown {
    const gain = {
      setValueAtTime: () => undefined,
      linearRampToValueAtTime: () => undefined,
      exponentialRampToValueAtTime: () => undefined,
    };
    return { gain, connect: (next: unknown) => next };
  }
}

const settled = (): Promise<void> => vi.advanceTimersByTimeAsync(0).then(() => undefined);
const audio = (): Audio => {
  const [made] = Audio.made;
  if (made === undefined) throw new Error("no audio was made");
  return made;
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("AudioContext", Audio);
  awaitTouch();
  dispatchEvent(new Event("pointerdown"));
  audio().begun = 0;
});

afterEach(() => {
  sound.value = "on";
  audio().wakes = true;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a bell is struck twice with five tones, and then the audio rests", async () => {
  bell();
  await settled();
  expect(audio().begun).toBe(10);
  await vi.advanceTimersByTimeAsync(2_500);
  expect(audio().state).toBe("running");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(audio().state).toBe("suspended");
});

test("audio that rests wakes for the next chip", async () => {
  await vi.advanceTimersByTimeAsync(10_000);
  expect(audio().state).toBe("suspended");
  chipClick();
  await settled();
  expect(audio().state).toBe("running");
  expect(audio().begun).toBe(2);
});

test("nothing sounds where sound is off, or where the browser says no", async () => {
  sound.value = "off";
  bell();
  await settled();
  sound.value = "on";
  audio().wakes = false;
  bell();
  await settled();
  expect(audio().begun).toBe(0);
});
