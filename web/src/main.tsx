/** Entry point: loads the words of the shell, then shows the screen of the address. */

import { render } from "preact";

import "./style/tokens.css";
import "./style/base.css";
import { App } from "./shell/app.tsx";
import { letGoOfOldTrees } from "./shell/old_trees.ts";
import { applyTheme } from "./shell/settings/theme.ts";
import { readWords } from "./words/words.ts";

const place = document.getElementById("screen");
if (place === null) throw new Error("The page has no place for a screen.");

applyTheme();
letGoOfOldTrees();
await readWords(["shell"]);
render(<App />, place);
