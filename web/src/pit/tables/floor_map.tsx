/** The map of the floor: each table at its place, with its state and the most it may cost. */

import { useEffect, useRef } from "preact/hooks";

import type { Alert, Pit, PitTable } from "../../answers.ts";
import { addressOf } from "../../shell/index.ts";
import { money, number, useWords } from "../../words/words.ts";
import { SHOWN_ELSEWHERE } from "../attention/alerts.tsx";
import type { Floor } from "../floor.ts";
import { atStake, isUnreported, SHAPES, type Level, type Seen } from "./condition.ts";
import { Phase } from "./phase.tsx";
import { cardsIn, moveAmong, useSeen } from "./tables.tsx";
import "./floor_map.css";

interface Props {
  readonly floor: Floor;
  readonly pit: Pit;
}

/** Column and row of a table. */
export type Place = readonly [column: number, row: number];

/** The place of each table: from the floor plan, and the others in rows below, in their order. */
export function placesOf(tables: readonly Pick<PitTable, "table" | "place">[]): ReadonlyMap<string, Place> {
  const planned = tables.flatMap(({ table, place }) => (place === null ? [] : [[table, place] as const]));
  const places = new Map<string, Place>(planned);
  const others = tables.filter(({ place }) => place === null);
  const columns = Math.max(Math.ceil(Math.sqrt(tables.length)), ...planned.map(([, [column]]) => column));
  const below = Math.max(0, ...planned.map(([, [, row]]) => row));
  others.forEach(({ table }, at) => places.set(table, [(at % columns) + 1, below + Math.floor(at / columns) + 1]));
  return places;
}

export function FloorMap({ floor, pit }: Props) {
  const t = useWords("pit");
  const seen = useSeen(floor, pit.tables, pit.alerts);
  const places = placesOf(pit.tables);
  const grave = pit.alerts.filter(({ level, code }) => level !== "info" && code !== SHOWN_ELSEWHERE);
  const map = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const last = floor.last.peek();
    cardsIn(map.current).find((each) => each.dataset["table"] === last)?.focus();
  }, []);
  // Tab goes through the tables as they are on the floor: row by row.
  const inRows = seen.toSorted((one, other) => order(places, one) - order(places, other));
  return (
    <section class="pit-part" aria-labelledby="pit-map">
      <h2 id="pit-map">{t("view_map")}</h2>
      <p class="pit-quiet">{t("map_how")}</p>
      <div class="pit-map-floor">
        <ul ref={map} class="pit-map" aria-labelledby="pit-map" onKeyDown={(event) => moveAmong(map.current, event)}>
          {inRows.map((each) => (
            <OnFloor
              key={each.reported.table}
              floor={floor}
              seen={each}
              place={places.get(each.reported.table) ?? [1, 1]}
              alerts={grave.filter(({ table }) => table === each.reported.table)}
            />
          ))}
        </ul>
      </div>
    </section>
  );
}

const ROW = 1_000;

function order(places: ReadonlyMap<string, Place>, { reported }: Seen): number {
  const [column, row] = places.get(reported.table) ?? [0, 0];
  return row * ROW + column;
}

interface OnFloorProps {
  readonly floor: Floor;
  readonly seen: Seen;
  readonly place: Place;
  readonly alerts: readonly Alert[];
}

function OnFloor({ floor, seen, place, alerts }: OnFloorProps) {
  const t = useWords("pit");
  const { reported, live, condition, flags } = seen;
  const level: Level | undefined = flags[0]?.level;
  const { staked, worst } = atStake(reported, live);
  const known = !isUnreported(seen);
  const open = alerts.filter(({ care }) => care?.acknowledged == null).length;
  return (
    <li
      class={level === undefined ? "pit-spot" : `pit-spot pit-spot-${level}`}
      style={{ gridColumn: String(place[0]), gridRow: String(place[1]) }}
    >
      <a href={addressOf("pit", reported.table)} data-table={reported.table}>
        <strong>{reported.table}</strong>
        <Phase floor={floor} live={live} phase={condition.phase} />
        {known && (
          <span class="pit-spot-money">
            <span>{t("map_staked", { amount: money(staked) })}</span>
            <span>{t("map_worst", { amount: money(worst) })}</span>
          </span>
        )}
        {alerts.length > 0 && (
          <span class={`pit-spot-alerts pit-level-${alerts[0]?.level ?? "watch"}`}>
            <span aria-hidden="true">{SHAPES[alerts[0]?.level ?? "watch"]}</span>{" "}
            {open > 0 ? t.count("map_alerts", open) : t("map_seen")}
          </span>
        )}
        {flags.slice(0, 2).map(({ code, level: grave, words }) => (
          <span key={code} class={`pit-spot-flag pit-level-${grave}`}>
            <span aria-hidden="true">{SHAPES[grave]}</span> {words}
          </span>
        ))}
        {flags.length > 2 && <span class="pit-spot-flag">{t("map_more", { count: number(flags.length - 2) })}</span>}
      </a>
    </li>
  );
}
