// @ts-check
// The page of terminal.html: shows a Terminal, and passes presses of its buttons on to it.

import { boxesOf, demoTerminal, Terminal } from "./terminal.js";

/** @param {string} id */
const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {number} cents */
const money = (cents) => (cents / 100).toFixed(2);

/**
 * @param {string} id
 * @param {string[]} lines
 */
function list(id, lines) {
  at(id).replaceChildren(
    ...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })),
  );
}

/** @param {Terminal} terminal */
function show(terminal) {
  const { table, closesAt } = terminal;
  const left = closesAt === null ? null : Math.max(0, Math.ceil((closesAt - terminal.now()) / 1000));
  at("who").textContent = `${terminal.key.terminal} at ${terminal.key.table}`;
  at("connection").textContent =
    terminal.over || (terminal.connected ? "connected" : "connection lost, coming back");
  at("phase").textContent = table
    ? `round ${table.round}, ${table.phase}${left === null ? "" : `, ${left} seconds left`}`
    : "";
  at("dice").textContent = table?.faces ? `${table.faces.join(" ")}: ${table.call ?? ""}` : "";
  at("credits").textContent = `${money(terminal.credits)}, and ${money(terminal.staked)} staked`;
  at("last").textContent = terminal.last;
  list("bets", Object.entries(terminal.bets).map(([box, stake]) => `${box}: ${money(stake)}`));
  list(
    "asked",
    [...terminal.asked].reverse().map((each) => {
      const what = each.command.type === "PlaceBets" ? each.command.bets.join(" ") : "take back";
      return `${what}: ${each.state}${each.sentence ? `, ${each.sentence}` : ""}`;
    }),
  );
}

const terminal = new Terminal(location.origin, await demoTerminal(location.origin), () => {
  show(terminal);
});
terminal.connect();
setInterval(() => show(terminal), 500);

at("bet").addEventListener("submit", (event) => {
  event.preventDefault();
  const stake = Math.round(Number(/** @type {HTMLInputElement} */ (at("stake")).value) * 100);
  terminal.place(/** @type {HTMLSelectElement} */ (at("box")).value, stake);
});
at("clear").addEventListener("click", () => terminal.clear());

// The boxes come from the venue, as everything does.
const waiting = setInterval(async () => {
  const payTable = terminal.table?.rulebook?.pay_table;
  if (!payTable) return;
  clearInterval(waiting);
  const boxes = await boxesOf(location.origin, payTable);
  at("box").replaceChildren(...boxes.map((box) => new Option(box, box)));
}, 100);
