/** The house: its people, machines, tables and settings, and pending commands. */

import type { SessionView } from "../answers.ts";
import { SEE_VENUE, STAFFING } from "../declared.ts";
import type { Link } from "../live/index.ts";
import { Waiting } from "../pit/attention/waiting.tsx";
import type { Role } from "../protocol.ts";
import { here, NeedsStaff } from "../shell/index.ts";
import { useWords } from "../words/words.ts";
import { useHouse, type House as TheHouse } from "./house.ts";
import { Machines } from "./machines/machines.tsx";
import { People } from "./people/people.tsx";
import { HouseSettings } from "./settings/settings.tsx";
import { HouseTables } from "./tables/tables.tsx";
import "../pit/pit.css";
import "./house.css";

/** The likeliest first. */
const ROLES: readonly Role[] = [...new Set<Role>([...STAFFING, ...SEE_VENUE])];
const VIEWS = ["people", "tables", "machines", "settings"] as const;
type View = (typeof VIEWS)[number];

export default function House() {
  return (
    <NeedsStaff roles={ROLES}>
      {(link: Link, who: SessionView) => <HouseScreen link={link} who={who} />}
    </NeedsStaff>
  );
}

interface Props {
  readonly link: Link;
  readonly who: SessionView;
}

function HouseScreen({ link, who }: Props) {
  const t = useWords("house");
  const house = useHouse(link, who);
  const asked = here.value.query.get("view");
  const view = VIEWS.find((each) => each === asked) ?? "people";
  return (
    <div class="pit house">
      <header class="pit-bar">
        <h1 class="unseen">{t("title")}</h1>
        <nav class="pit-views" aria-label={t("views")}>
          {VIEWS.map((each) => (
            <a
              key={each}
              href={each === "people" ? "/house" : `/house?view=${each}`}
              aria-current={view === each ? "page" : undefined}
            >
              {t(`view_${each}`)}
            </a>
          ))}
        </nav>
      </header>
      {/* Focusable, so that keys can scroll a list without controls. */}
      <div class="pit-view" role="group" aria-label={t(`view_${view}`)} tabIndex={0}>
        <Shown view={view} house={house} />
      </div>
      <Waiting floor={house} />
    </div>
  );
}

function Shown({ view, house }: { readonly view: View; readonly house: TheHouse }) {
  switch (view) {
    case "people":
      return <People house={house} />;
    case "tables":
      return <HouseTables house={house} />;
    case "machines":
      return <Machines house={house} />;
    case "settings":
      return <HouseSettings house={house} />;
  }
}
