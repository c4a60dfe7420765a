import { beforeEach, expect, test } from "vitest";

import { compareCheckpoint, forgetCheckpoint, noteCheckpoint, seenCheckpoint } from "./checkpoint.ts";

beforeEach(forgetCheckpoint);

test("a browser that was never here remembers nothing", () => {
  expect(seenCheckpoint()).toBeNull();
});

test("the newest is remembered, and an older one does not replace it", () => {
  noteCheckpoint(7);
  noteCheckpoint(5);
  expect(seenCheckpoint()).toBe(7);
  expect(localStorage.getItem("taisai.checkpoint")).toBe("7");
});

test("what was kept by another tab counts too, and what is no number does not", () => {
  localStorage.setItem("taisai.checkpoint", "9");
  expect(seenCheckpoint()).toBe(9);
  localStorage.setItem("taisai.checkpoint", "x");
  expect(seenCheckpoint()).toBe(9);
});

test("a venue that ends before what was seen is told apart from one that goes on", () => {
  expect(compareCheckpoint(7)).toBeNull();
  expect(compareCheckpoint(7)).toBeNull();
  expect(compareCheckpoint(5)).toEqual({ seen: 7, ends: 5 });
  expect(seenCheckpoint(), "what was seen stays seen").toBe(7);
  expect(compareCheckpoint(8)).toBeNull();
});
