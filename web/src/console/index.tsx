/**
 * The Game Console: the entry terminal, the one next step, and the panels that a dealer watches.
 *
 * [ts6 3.3; etg8 1.3; div9 6.2]
 */

import type { SessionView } from "../answers.ts";
import { AT_THE_CONSOLE } from "../declared.ts";
import type { Link } from "../live/index.ts";
import { here, venue, NeedsStaff, NoTable } from "../shell/index.ts";
import { GameConsole } from "./game_console.tsx";

export default function Console() {
  const table = here.value.query.get("table");
  const there = venue.value?.tables;
  if (table === null || (there !== undefined && !there.includes(table))) return <NoTable table={table} />;
  return (
    <NeedsStaff roles={AT_THE_CONSOLE}>
      {(link: Link, who: SessionView) => <GameConsole key={table} link={link} who={who} table={table} />}
    </NeedsStaff>
  );
}
