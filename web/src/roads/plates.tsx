/** The bead plate and the big road. */

import { useWords } from "../words/words.ts";
import { bigRoad, ROWS } from "./big_road.ts";
import { useColumns } from "./columns.ts";
import { entries, type By, type RoadRound } from "./outcome.ts";
import { Bead, Road, RoundsTable, summaryOf } from "./road.tsx";

export interface PlateProps {
  /** Finished rounds, the oldest first. */
  readonly rounds: readonly RoadRound[];
  readonly by: By;
  /** The most columns that are shown; the last ones that fit. */
  readonly columns?: number;
  readonly still?: boolean;
  readonly note?: boolean;
}

function cellAt(column: number, row: number): Record<string, string> {
  return { gridColumn: String(column + 1), gridRow: String(row + 1) };
}

/** The bead plate: one bead per round, six per column. */
export function BeadPlate({ rounds, by, columns: most = 12, still, note }: PlateProps) {
  const t = useWords("roads");
  const { columns, grid } = useColumns(most);
  const all = entries(rounds, by);
  const gone = Math.max(0, Math.ceil(all.length / ROWS) - columns) * ROWS;
  const shown = all.slice(gone);
  return (
    <Road
      title={t(`bead_plate_${by}`)}
      summary={summaryOf(t, shown, by)}
      table={<RoundsTable entries={shown} />}
      {...{ still, note }}
    >
      <div class="road-grid" ref={grid} style={{ "--columns": String(columns) }}>
        {shown.map(({ round, outcome }, place) => (
          <span
            key={round.round}
            class="road-cell"
            style={cellAt(Math.floor(place / ROWS), place % ROWS)}
          >
            <Bead outcome={outcome} newest={place === shown.length - 1} />
          </span>
        ))}
      </div>
    </Road>
  );
}

/** The big road: each run of one outcome goes down a column. */
export function BigRoad({ rounds, by, columns: most = 24, still, note }: PlateProps) {
  const t = useWords("roads");
  const { columns, grid } = useColumns(most);
  const all = entries(rounds, by);
  const cells = bigRoad(all);
  const gone = Math.max(0, ...cells.map(({ column }) => column + 1 - columns));
  const shown = cells.filter(({ column }) => column >= gone);
  const first = shown.reduce((least, { entry }) => Math.min(least, entry.round.round), Infinity);
  const listed = all.filter(({ round }) => round.round >= first);
  return (
    <Road
      title={t(`big_road_${by}`)}
      summary={summaryOf(t, listed, by)}
      table={<RoundsTable entries={listed} />}
      {...{ still, note }}
    >
      <div class="road-grid" ref={grid} style={{ "--columns": String(columns) }}>
        {shown.map(({ column, row, outcome, entry, triples }) => (
          <span key={entry.round.round} class="road-cell" style={cellAt(column - gone, row)}>
            <Bead
              outcome={outcome}
              triples={outcome === "triple" && triples < 2 ? 0 : triples}
              newest={entry === cells.at(-1)?.entry}
            />
          </span>
        ))}
      </div>
    </Road>
  );
}
