/** The cage: a cashier's counter, with the drawer, vouchers, unclaimed money, and receipts. */

import type { SessionView } from "../answers.ts";
import type { Link } from "../live/index.ts";
import type { Role } from "../protocol.ts";
import { NeedsStaff } from "../shell/index.ts";
import { CageScreen } from "./cage_screen.tsx";

const ROLES: readonly Role[] = ["cage"];

export default function CageOfVenue() {
  return (
    <NeedsStaff roles={ROLES}>
      {(link: Link, who: SessionView) => <CageScreen link={link} who={who} />}
    </NeedsStaff>
  );
}
