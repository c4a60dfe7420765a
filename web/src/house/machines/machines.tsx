/** The Player Terminals of the house: which there are, how they are, enrolling them, their keys. */

import { useSignal } from "@preact/signals";

import type { FloorTable, Machine } from "../../answers.ts";
import { SortTable, type Column } from "../../pit/figures/sort_table.tsx";
import { Button } from "../../shell/index.ts";
import { moment, number, useWords } from "../../words/words.ts";
import type { House } from "../house.ts";
import { EnrolForm, KeyForm } from "./enrol.tsx";

export function Machines({ house }: { readonly house: House }) {
  const t = useWords("house");
  const enrolling = useSignal(false);
  const floor = house.floor.answer.value;
  if (floor === null) return <p class="pit-quiet">{house.floor.fault.value ?? t("asking")}</p>;
  const tables = floor.tables.filter(({ form }) => form === "terminals");
  return (
    <section class="pit-part" aria-labelledby="house-machines">
      <header class="pit-panel-head">
        <h2 id="house-machines">{t("view_machines")}</h2>
        {house.mayEquip && tables.length > 0 && (
          <Button kind="main" onClick={() => (enrolling.value = true)}>
            {t("enrol")}…
          </Button>
        )}
      </header>
      <p class="pit-quiet">{t(tables.length === 0 ? "no_terminal_tables" : "machines_how")}</p>
      {tables.map((table) => (
        <TableMachines key={table.table} house={house} table={table} />
      ))}
      {enrolling.value && (
        <EnrolForm house={house} tables={tables.map(({ table }) => table)} onClose={() => (enrolling.value = false)} />
      )}
    </section>
  );
}

function TableMachines({ house, table }: { readonly house: House; readonly table: FloorTable }) {
  const t = useWords("house");
  const keying = useSignal<Machine | null>(null);
  const { terminals } = table;
  const columns = useColumns(house, (machine) => (keying.value = machine));
  const id = `house-machines-${table.table}`;
  return (
    <section class="pit-panel" aria-labelledby={id}>
      <h3 id={id}>{t("terminals_of", { table: table.table, count: number(terminals.length) })}</h3>
      {terminals.length === 0 ? (
        <p class="pit-quiet">{t("terminals_none")}</p>
      ) : (
        <SortTable label={table.table} columns={columns} rows={terminals} id={({ terminal }) => terminal} />
      )}
      {keying.value !== null && (
        <KeyForm house={house} table={table.table} machine={keying.value} onClose={() => (keying.value = null)} />
      )}
    </section>
  );
}

function useColumns(house: House, onKey: (machine: Machine) => void): readonly Column<Machine>[] {
  const t = useWords("house");
  const columns: Column<Machine>[] = [
    { name: t("terminal"), cell: ({ terminal }) => terminal, by: ({ terminal }) => terminal },
    { name: t("place"), cell: ({ place }) => place, by: ({ place }) => place },
    { name: t("state"), cell: (row) => <Health row={row} />, by: ({ connected }) => Number(connected) },
    { name: t("key"), cell: ({ keyed }) => t(keyed ? "key_has" : "key_none"), by: ({ keyed }) => Number(keyed) },
  ];
  const acts: Column<Machine> = {
    name: t("actions"),
    cell: (row) => (
      <Button
        kind="quiet"
        aria-label={t(row.keyed ? "replace_key_of" : "give_key_of", { terminal: row.terminal })}
        onClick={() => onKey(row)}
      >
        {t(row.keyed ? "replace_key" : "give_key")}…
      </Button>
    ),
  };
  return house.mayEquip ? [...columns, acts] : columns;
}

function Health({ row }: { readonly row: Machine }) {
  const t = useWords("house");
  const faults = (["failed", "barred", "locked"] as const).filter((each) => row[each]);
  const names = { failed: "out_of_service", barred: "barred", locked: "locked" } as const;
  return (
    <span class="house-health">
      <span>
        <span aria-hidden="true">{row.connected ? "●" : "○"}</span> {t(row.connected ? "connected" : "away")}
      </span>
      {faults.map((each) => (
        <span key={each} class="house-fault">
          <span aria-hidden="true">▲</span> {t(names[each])}
        </span>
      ))}
      {row.doubled !== null && (
        <span class="house-fault">
          <span aria-hidden="true">▲</span> {t("key_doubled", { time: moment(row.doubled) })}
        </span>
      )}
    </span>
  );
}
