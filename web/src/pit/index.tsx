/** The pit: all tables at a glance, their win compared with theory, pending commands, alerts. */

import type { SessionView } from "../answers.ts";
import { SEE_PIT } from "../declared.ts";
import type { Link } from "../live/index.ts";
import type { Role } from "../protocol.ts";
import { NeedsStaff } from "../shell/index.ts";
import { PitScreen } from "./pit_screen.tsx";

/** The likeliest first. */
const ROLES: readonly Role[] = [...new Set<Role>(["pit-manager", ...SEE_PIT])];

export default function Pit() {
  return (
    <NeedsStaff roles={ROLES}>
      {(link: Link, who: SessionView) => <PitScreen link={link} who={who} />}
    </NeedsStaff>
  );
}
