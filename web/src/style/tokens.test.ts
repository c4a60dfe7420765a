import { describe, expect, test } from "vitest";

import css from "./tokens.css?raw";

type Tokens = Readonly<Record<string, string>>;

/** Read the six-digit colours of a part of the file. */
function coloursOf(part: string): Tokens {
  const found = part.matchAll(/--([a-z-]+):\s*(#[0-9a-f]{6})\b/g);
  return Object.fromEntries([...found].map(([, name = "", colour = ""]) => [name, colour]));
}

const [darkPart = "", brightPart = ""] = css.split(':root[data-theme="bright"]');
const dark = coloursOf(darkPart);
const bright = { ...dark, ...coloursOf(brightPart) };

/** The relative luminance that WCAG defines. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(tokens: Tokens, one: string, other: string): number {
  const lights = [one, other].map((name) => {
    const colour = tokens[name];
    if (colour === undefined) throw new Error(`there is no token --${name}`);
    return luminance(colour);
  });
  return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
}

const READ: readonly [string, readonly string[]][] = [
  ["text", ["ground", "panel", "raised"]],
  ["quiet", ["ground", "panel", "raised"]],
  ["ink", ["layout", "layout-deep"]],
  ["ink-quiet", ["layout", "layout-deep"]],
  ["brass", ["ground", "panel", "raised", "layout"]],
  ["seal", ["ground", "panel", "raised", "layout", "layout-deep"]],
  ["jade", ["ground", "panel", "raised", "layout"]],
  ["amber", ["ground", "panel", "raised", "layout"]],
  ["sky", ["ground", "panel", "raised"]],
  ["on-brass", ["brass"]],
  ["on-seal", ["seal"]],
  ["on-jade", ["jade"]],
  ["on-lit", ["lit"]],
  ["pip-red", ["die"]],
  ["pip", ["die"]],
];

describe.each([
  ["dark", dark],
  ["bright", bright],
])("in the %s theme", (_, tokens) => {
  test.each(READ.flatMap(([text, grounds]) => grounds.map((ground) => [text, ground])))(
    "%s can be read on %s",
    (text, ground) => {
      expect(contrast(tokens, text, ground)).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each(["ground", "panel", "raised"])("the edge of a control is seen on %s", (ground) => {
    expect(contrast(tokens, "edge", ground)).toBeGreaterThanOrEqual(3);
  });
});
