// @ts-check
// The terminal without a page: one bet on Small at a table of a demo venue, told until it is settled.
//
//   node examples/terminal_node.js http://127.0.0.1:8888

import { demoTerminal, Terminal } from "./terminal.js";

const address = /** @type {any} */ (globalThis).process.argv[2] ?? "http://127.0.0.1:8888";
/** @type {import("./terminal.js").Asked | null} */
let asked = null;
let told = "";

const terminal = new Terminal(address, await demoTerminal(address), () => {
  const table = terminal.table;
  if (!asked && terminal.connected && table?.phase === "betting" && table.limits) {
    asked = terminal.place("small", table.limits.minimum);
  }
  const now = asked ? `small ${asked.state}${asked.sentence ? `: ${asked.sentence}` : ""}` : "waiting";
  if (now !== told) console.log((told = now));
  if (terminal.over || asked?.state === "refused" || (asked && terminal.last)) {
    console.log(terminal.over || `${terminal.last}; ${terminal.credits} credits`);
    terminal.close();
  }
});
terminal.connect();
