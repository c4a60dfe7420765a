import { RuleTester } from "eslint";
import tseslint from "typescript-eslint";
import { describe, it } from "vitest";

import { noGameLogic } from "./no_game_logic.js";

RuleTester.describe = describe;
RuleTester.it = it;

const parserOptions = { ecmaFeatures: { jsx: true } };
const tester = new RuleTester({ languageOptions: { parser: tseslint.parser, parserOptions } });

/** @param {string} messageId @param {string[]} samples */
const wrong = (messageId, ...samples) =>
  samples.map((code) => ({ code, errors: [{ messageId }] }));

tester.run("no-game-logic", noGameLogic, {
  valid: [
    // Showing.
    "const text = t('pays', { odds });",
    "const text = `${area.pays} to 1`;",
    "const text = 'pays ' + odds;",
    "const row = <p>{box.probability}</p>;",
    "faces.map((face) => <Die face={face} />);",
    "const picture = PIPS[face];",
    "const red = face === 4;",
    "const name = faces.join(', ');",
    "view.winners.forEach(light);",
    "const lit = new Set(view.value.winners);",
    "if (winners.includes(box)) light(box);",
    // Testing whether the venue has sent a value.
    "if (view.faces === null) return;",
    "if (odds === undefined || faces.length === 3) show();",
    "if (typeof pays === 'string') show(pays);",
    // Money of a player's own, limits, and what each result would cost.
    "const sum = stakes.reduce((a, b) => a + b, 0); if (sum > limits.maximum) tell();",
    "const share = exposure.pays[i] / exposure.worst;",
    "const share = table.exposure.value.pays[i] / worst;",
    // How an area is drawn goes by its box.
    "function draw(box) { if (box.startsWith('domino-')) return <Domino />; }",
    "const winners = view.winners;",
  ],
  invalid: [
    ...wrong(
      "arithmetic",
      "const total = faces[0] + rest;",
      "const won = stake * odds;",
      "const won = stake * box.pays['1'];",
      "const share = ways / 216;",
      "edge -= box.house_edge;",
      "const chance = 1 - view.value.probability;",
      "const chance = -probability;",
      "const highest = Math.max(...faces);",
      "const highest = Math.max(...view!.faces!);",
      "let face = 1; face++;",
      "const total = (faces as number[])[0] + rest;",
    ),
    ...wrong(
      "comparison",
      "if (faces[0] === faces[1]) pair();",
      "if (box.house_edge > 0.1) warn();",
      "if (odds !== '1') best();",
      "if (face > 3) high();",
      "if (view.faces?.[0] === 6) six();",
      "if (faces.value.at(0) === 6) six();",
    ),
    ...wrong(
      "parsing",
      "const n = Number(odds);",
      "const n = parseFloat(box.probability);",
      "const n = Number.parseInt(odds, 10);",
      "const n = +odds;",
    ),
    ...wrong(
      "method",
      "const total = faces.reduce((sum, each) => sum + each, 0);",
      "const call = [...x]; faces.toSorted();",
      "const pairs = view.faces.filter((each) => each === one).length;",
      "const triple = faces.every((each) => each === one);",
      "const [p, q] = box.probability.split('/');",
      "const [n] = odds.peek().split(' ');",
      "winners.sort();",
    ),
    ...wrong("made", "const winners = boxes.filter((box) => wins(box));"),
    ...wrong(
      "decided",
      "function wins(box) { if (box === 'small') return lookUp(faces); }",
      "const wins = (box, faces) => box.startsWith('total-');",
      "function wins(box, faces) { switch (box) { case 'any-triple': return same(faces); } }",
      "function wins(box, faces) { return /^single-(\\d)$/.exec(box); }",
    ),
  ],
});
