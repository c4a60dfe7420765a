/** The tables of the house: their set-up, and a form for new ones. */

import { useSignal } from "@preact/signals";

import type { FloorTable } from "../../answers.ts";
import { LimitsShown } from "../../pit/limits/limits_shown.tsx";
import { addressOf, Button } from "../../shell/index.ts";
import { saidOf } from "../../words/said.ts";
import { money, useWords } from "../../words/words.ts";
import { Facts } from "../facts.tsx";
import type { House } from "../house.ts";
import { Departures, DeparturesForm } from "./departures.tsx";
import { placeIn, PlaceForm } from "./place_form.tsx";
import { TableForm } from "./table_form.tsx";

export function HouseTables({ house }: { readonly house: House }) {
  const t = useWords("house");
  const creating = useSignal(false);
  const floor = house.floor.answer.value;
  if (floor === null) return <p class="pit-quiet">{saidOf(house.floor.fault.value) ?? t("asking")}</p>;
  return (
    <section class="pit-part" aria-labelledby="house-tables">
      <header class="pit-panel-head">
        <h2 id="house-tables">{t("view_tables")}</h2>
        {house.mayEquip && (
          <Button kind="main" onClick={() => (creating.value = true)}>
            {t("new_table")}…
          </Button>
        )}
      </header>
      <p class="pit-quiet">{t(floor.tables.length === 0 ? "tables_none" : "tables_how")}</p>
      <div class="house-cards">
        {floor.tables.map((table) => (
          <Card key={table.table} house={house} table={table} />
        ))}
      </div>
      {creating.value && <TableForm house={house} onClose={() => (creating.value = false)} />}
    </section>
  );
}

function Card({ house, table }: { readonly house: House; readonly table: FloorTable }) {
  const t = useWords("house");
  const console = useWords("console");
  const pit = useWords("pit");
  const { form, equipment, title, pay_table, dice_set, handpay_threshold, phase } = table;
  const departing = useSignal(false);
  const placing = useSignal(false);
  const id = `house-table-${table.table}`;
  const inPit = house.who.role !== "technician";
  const facts: [string, string][] = [
    [t("form"), t(`form_${form}`)],
    [t("tumbler"), t(`tumbler_${equipment.tumbler}`)],
    [t("plays_by"), title === null ? t("plays_by_none") : `${title} · ${pay_table ?? ""}`],
    [t("dice"), dice_set ?? t("dice_none")],
    [t("phase"), console(`phase_${phase}` as "phase_closed")],
    [t("map_place"), placeIn(t, table.place)],
  ];
  if (form === "terminals")
    facts.push([t("handpay"), handpay_threshold === null ? t("handpay_none") : money(handpay_threshold)]);
  return (
    <section class="pit-panel" aria-labelledby={id}>
      <h3 id={id}>{table.table}</h3>
      <Facts facts={facts}>
        <div>
          <dt>{pit("limits")}</dt>
          <dd>
            <LimitsShown limits={table.limits} />
          </dd>
        </div>
        <div>
          <dt>{t("departures")}</dt>
          <dd>
            <Departures table={table} />
          </dd>
        </div>
      </Facts>
      <p class="pit-acts">
        {house.mayManage && (
          <Button
            aria-label={t("departures_of", { table: table.table })}
            onClick={() => (departing.value = true)}
          >
            {t("departures")}…
          </Button>
        )}
        {house.mayAct && (
          <Button aria-label={t("map_place_of", { table: table.table })} onClick={() => (placing.value = true)}>
            {t("map_place")}…
          </Button>
        )}
      </p>
      {inPit && (
        <p>
          <a href={addressOf("pit", table.table)}>{t("to_pit")}</a>
        </p>
      )}
      {departing.value && (
        <DeparturesForm house={house} table={table} onClose={() => (departing.value = false)} />
      )}
      {placing.value && <PlaceForm house={house} table={table} onClose={() => (placing.value = false)} />}
    </section>
  );
}
