/**
 * The Display: a wall screen of one table, or of all tables of the venue.
 *
 * [ts6 3.3, 5.11; etg8 5.8]
 */

import { NeedsVenue, NoTable, here } from "../shell/index.ts";
import { useAwake } from "./awake.ts";
import { Corner } from "./corner.tsx";
import { LostLine } from "./lost_line.tsx";
import { VenueWall } from "./venue_wall.tsx";
import { TableWall } from "./table_wall.tsx";
import "./display.css";

export default function Display() {
  useAwake();
  const table = here.value.query.get("table");
  return (
    <NeedsVenue>
      {(link, venue) => {
        if (table !== null && !venue.tables.includes(table)) return <NoTable table={table} />;
        return (
          <div class="display">
            {table === null ? (
              <VenueWall link={link} tables={venue.tables} />
            ) : (
              <TableWall key={table} link={link} name={table} />
            )}
            <LostLine />
            <Corner table={table} />
          </div>
        );
      }}
    </NeedsVenue>
  );
}
