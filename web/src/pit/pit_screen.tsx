/** The layout of the pit: views on the left, pending commands and alerts beside them. */

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

import type { Pit, SessionView } from "../answers.ts";
import type { Link } from "../live/index.ts";
import { useCurrentInView } from "../shell/current_in_view.ts";
import { here } from "../shell/index.ts";
import { saidOf } from "../words/said.ts";
import { clock, number, useWords } from "../words/words.ts";
import { Alerts } from "./attention/alerts.tsx";
import { PastAlerts } from "./attention/past_alerts.tsx";
import { Rulings } from "./attention/rulings.tsx";
import { Bets } from "./figures/bets.tsx";
import { Cage } from "./cage/cage.tsx";
import { Days } from "./days/days.tsx";
import { Dealers } from "./figures/dealers.tsx";
import { Dice } from "./dice/dice.tsx";
import { useFloor, type Floor } from "./floor.ts";
import { Nodes } from "./nodes/nodes.tsx";
import { useOutcomes } from "./outcomes.ts";
import { TablePage } from "./table/table_page.tsx";
import { FloorMap } from "./tables/floor_map.tsx";
import { Tables } from "./tables/tables.tsx";
import { Waiting } from "./attention/waiting.tsx";
import "./pit.css";

const VIEWS = ["tables", "map", "rulings", "dealers", "bets", "dice", "days", "alerts", "cage", "nodes"] as const;
type View = (typeof VIEWS)[number];

/** The view that the address names, or the default. */
function viewOf(wanted: string | null): View {
  return VIEWS.find((each) => each === wanted) ?? "tables";
}

function addressOfView(view: View): string {
  return view === "tables" ? "/pit" : `/pit?view=${view}`;
}

interface Props {
  readonly link: Link;
  readonly who: SessionView;
}

export function PitScreen({ link, who }: Props) {
  const floor = useFloor(link, who);
  useOutcomes(floor);
  const { query } = here.value;
  const table = query.get("table");
  const view = viewOf(query.get("view"));
  const pit = floor.pit.answer.value;
  // A table's own page belongs to the view of tables.
  const current = table === null ? view : "tables";
  return (
    <div class="pit">
      <Bar floor={floor} view={current} />
      <div class="pit-view">
        {table === null ? (
          <Shown view={view} floor={floor} />
        ) : (
          <WithPit floor={floor}>{() => <TablePage key={table} floor={floor} name={table} />}</WithPit>
        )}
      </div>
      <Waiting floor={floor} />
      <Alerts floor={floor} alerts={pit?.alerts ?? []} />
    </div>
  );
}

interface WithPitProps {
  readonly floor: Floor;
  readonly children: (pit: Pit) => ComponentChildren;
}

/** Shows its content once the figures of the floor have been received. */
function WithPit({ floor, children }: WithPitProps) {
  const t = useWords("pit");
  const pit = floor.pit.answer.value;
  if (pit === null) return <p class="pit-quiet">{saidOf(floor.pit.fault.value) ?? t("asking")}</p>;
  return <>{children(pit)}</>;
}

interface ShownProps {
  readonly view: View;
  readonly floor: Floor;
}

function Shown({ view, floor }: ShownProps) {
  switch (view) {
    case "tables":
      return <WithPit floor={floor}>{(pit) => <Tables floor={floor} pit={pit} />}</WithPit>;
    case "map":
      return <WithPit floor={floor}>{(pit) => <FloorMap floor={floor} pit={pit} />}</WithPit>;
    case "rulings":
      return <WithPit floor={floor}>{(pit) => <Rulings floor={floor} pit={pit} />}</WithPit>;
    case "alerts":
      return <WithPit floor={floor}>{(pit) => <PastAlerts known={stepsIn(pit)} />}</WithPit>;
    case "dealers":
      return <WithPit floor={floor}>{({ dealers }) => <Dealers dealers={dealers} />}</WithPit>;
    case "bets":
      return <WithPit floor={floor}>{({ kinds }) => <Bets kinds={kinds} />}</WithPit>;
    case "dice":
      return <WithPit floor={floor}>{({ tables }) => <Dice floor={floor} tables={tables} />}</WithPit>;
    case "days":
      return <Days />;
    case "cage":
      return <Cage floor={floor} />;
    case "nodes":
      return <Nodes floor={floor} />;
  }
}

/** How often alerts were handled: when this grows, past alerts are requested again. */
function stepsIn({ alerts }: Pit): number {
  return alerts.reduce((all, { care }) => all + (care?.steps.length ?? 0), 0);
}

interface BarProps {
  readonly floor: Floor;
  readonly view: View;
}

/** The views, and the time of the figures; gaming days have their own time. */
function Bar({ floor, view }: BarProps) {
  const t = useWords("pit");
  const views = useRef<HTMLElement>(null);
  useCurrentInView(views, view);
  return (
    <header class="pit-bar">
      <h1 class="unseen">{t("title")}</h1>
      <nav ref={views} class="pit-views scrolls-aside" aria-label={t("views")}>
        {VIEWS.map((each) => (
          <a key={each} href={addressOfView(each)} aria-current={view === each ? "page" : undefined}>
            {t(`view_${each}`)}
          </a>
        ))}
      </nav>
      <Freshness floor={floor} timed={view !== "days"} />
    </header>
  );
}

interface FreshnessProps {
  readonly floor: Floor;
  /** Whether the view shows the floor's figures, so that their age applies. */
  readonly timed: boolean;
}

function Freshness({ floor, timed }: FreshnessProps) {
  const t = useWords("pit");
  const pit = floor.pit.answer.value;
  const fault = saidOf(floor.pit.fault.value);
  if (pit === null) return null;
  const reading = pit.catching_up;
  return (
    <p class={fault === null ? "pit-fresh" : "pit-fresh pit-fresh-old"}>
      {reading !== null && (
        <span class="pit-catching">
          {t("catching_up", { seen: number(reading.seen), total: number(reading.total) })}
        </span>
      )}
      {timed && <span>{t("as_of", { time: clock(pit.at) })}</span>}
      {fault !== null && <span role="status">{fault}</span>}
    </p>
  );
}
