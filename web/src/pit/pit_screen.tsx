/** The pit, laid out: views to the left, what waits and what wants attention beside them. */

import { useEffect, useRef } from "preact/hooks";

import type { Pit, SessionView } from "../answers.ts";
import type { Link } from "../live/index.ts";
import { here, notify } from "../shell/index.ts";
import { clock, number, useWords } from "../words/words.ts";
import { Alerts } from "./alerts.tsx";
import { Bets } from "./bets.tsx";
import { Dealers } from "./dealers.tsx";
import { Dice } from "./dice.tsx";
import { useFloor, type Floor } from "./floor.ts";
import { TablePage } from "./table_page.tsx";
import { Tables } from "./tables.tsx";
import { Waiting } from "./waiting.tsx";
import "./pit.css";

const VIEWS = ["tables", "dealers", "bets", "dice"] as const;
type View = (typeof VIEWS)[number];

function isView(view: string | null): view is View {
  return VIEWS.some((each) => each === view);
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
  const t = useWords("pit");
  useOutcomes(floor);
  const { query } = here.value;
  const table = query.get("table");
  const asked = query.get("view");
  const view = isView(asked) ? asked : "tables";
  const pit = floor.pit.answer.value;
  return (
    <div class="pit">
      <Bar floor={floor} view={table === null ? view : null} />
      <div class="pit-view">
        {pit === null ? (
          <p class="pit-quiet">{floor.pit.fault.value ?? t("asking")}</p>
        ) : table === null ? (
          <Shown view={view} floor={floor} pit={pit} />
        ) : (
          <TablePage key={table} floor={floor} name={table} />
        )}
      </div>
      <Waiting floor={floor} />
      <Alerts alerts={pit?.alerts ?? []} />
    </div>
  );
}

/** Say what became of what was asked for here, where it was not done. */
function useOutcomes(floor: Floor): void {
  const t = useWords("console");
  const words = useRef(t);
  words.current = t;
  useEffect(
    () =>
      floor.onEnded((by) => {
        const say = words.current;
        notify(by === null ? say("waited_in_vain") : say("was_declined", { person: by }), "refused");
      }),
    [floor],
  );
}

interface ShownProps {
  readonly view: View;
  readonly floor: Floor;
  readonly pit: Pit;
}

function Shown({ view, floor, pit }: ShownProps) {
  switch (view) {
    case "tables":
      return <Tables floor={floor} pit={pit} />;
    case "dealers":
      return <Dealers dealers={pit.dealers} />;
    case "bets":
      return <Bets kinds={pit.kinds} />;
    case "dice":
      return <Dice floor={floor} tables={pit.tables} />;
  }
}

/** The views, and how fresh the figures are. */
function Bar({ floor, view }: { readonly floor: Floor; readonly view: View | null }) {
  const t = useWords("pit");
  return (
    <header class="pit-bar">
      <h1 class="unseen">{t("title")}</h1>
      <nav class="pit-views" aria-label={t("views")}>
        {VIEWS.map((each) => (
          <a key={each} href={addressOfView(each)} aria-current={view === each ? "page" : undefined}>
            {t(`view_${each}`)}
          </a>
        ))}
      </nav>
      <Freshness floor={floor} />
    </header>
  );
}

function Freshness({ floor }: { readonly floor: Floor }) {
  const t = useWords("pit");
  const pit = floor.pit.answer.value;
  const fault = floor.pit.fault.value;
  if (pit === null) return null;
  const reading = pit.catching_up;
  return (
    <p class={fault === null ? "pit-fresh" : "pit-fresh pit-fresh-old"}>
      {reading !== null && (
        <span class="pit-catching">
          {t("catching_up", { seen: number(reading.seen), total: number(reading.total) })}
        </span>
      )}
      <span>{t("as_of", { time: clock(pit.at) })}</span>
      {fault !== null && <span role="status">{fault}</span>}
    </p>
  );
}
