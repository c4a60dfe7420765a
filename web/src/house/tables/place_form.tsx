/** The form for a table's place on the map of the floor: column and row, or no place. */

import type { FloorTable } from "../../answers.ts";
import { Problem } from "../../live/index.ts";
import { Field, notify, useSending } from "../../shell/index.ts";
import { number, useWords, type Words } from "../../words/words.ts";
import { HouseForm } from "../form.tsx";
import type { House } from "../house.ts";

/** The last column and row of the map. */
const MAP_MAX = 40;

/** A place in words. */
export function placeIn(t: Words<"house">, place: FloorTable["place"]): string {
  return place === null ? t("map_place_none") : t("map_place_at", { column: number(place[0]), row: number(place[1]) });
}

interface Props {
  readonly house: House;
  readonly table: FloorTable;
  readonly onClose: () => void;
}

export function PlaceForm({ house, table: { table, place }, onClose }: Props) {
  const t = useWords("house");
  const { fault, busy, send } = useSending();
  const put = async (column: string, row: string): Promise<void> => {
    if ((column === "") !== (row === "")) throw new Problem(400, "HALF_A_PLACE", t("map_place_half"));
    const there = column === "" ? null : ([Number(column), Number(row)] as const);
    await house.propose("venue", { type: "PlaceTable", stream: `table/${table}`, place: there });
    notify(() => t("map_placed", { table, place: placeIn(t, there) }));
    onClose();
  };
  const count = { type: "number", min: 1, max: MAP_MAX } as const;
  return (
    <HouseForm
      title={t("map_place_of", { table })}
      act={t("map_place_put")}
      fault={fault}
      busy={busy}
      onGiven={({ column = "", row = "" }) => send(() => put(column, row))}
      onClose={onClose}
    >
      <p>{t("map_place_how")}</p>
      <Field label={t("map_column")} name="column" defaultValue={place === null ? "" : String(place[0])} autofocus {...count} />
      <Field label={t("map_row")} name="row" defaultValue={place === null ? "" : String(place[1])} {...count} />
    </HouseForm>
  );
}
