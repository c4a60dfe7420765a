/** The Display: a wall screen of one table, or of all tables of the house. */

import { NeedsHouse, NoTable, here } from "../shell/index.ts";
import { useAwake } from "./awake.ts";
import { Corner } from "./corner.tsx";
import { LostLine } from "./lost_line.tsx";
import { RoomWall } from "./venue_wall.tsx";
import { TableWall } from "./table_wall.tsx";
import "./display.css";

export default function Display() {
  useAwake();
  const table = here.value.query.get("table");
  return (
    <NeedsHouse>
      {(link, house) => {
        if (table !== null && !house.tables.includes(table)) return <NoTable table={table} />;
        return (
          <div class="display">
            {table === null ? (
              <RoomWall link={link} tables={house.tables} />
            ) : (
              <TableWall key={table} link={link} name={table} />
            )}
            <LostLine />
            <Corner table={table} />
          </div>
        );
      }}
    </NeedsHouse>
  );
}
