/** Everything that screens use to talk to the server, live and over HTTP [etg8 5.2.2]. */

export { roundsOf } from "./changes.ts";
export type { Behind } from "./checkpoint.ts";
export { newId } from "./clock.ts";
export type { ChipTable, CollectedChips, PayoutGuide, PaidChips, ChipStack } from "./chip_table.ts";
export { del, get, post, Problem, put, addressOf, refusalOf, type Query } from "./http.ts";
export { openLink, type As, type Link, type Status } from "./link/link.ts";
export type { LiveTable } from "./live_table.ts";
export type { LiveTerminal } from "./live_terminal.ts";
export {
  currentSession,
  demoSeat,
  demoStaff,
  forgetTerminal,
  storeTerminal,
  logIn,
  logOut,
  readTerminalKey,
  tabPin,
  tabSession,
  terminalKey,
} from "./who.ts";
