/** The machines of the house: its terminals, their state and keys; dice and equipment. */

import { useSignal } from "@preact/signals";

import type { FloorTable, Machine } from "../../answers.ts";
import { SortTable, type Column } from "../../pit/figures/sort_table.tsx";
import { Button } from "../../shell/index.ts";
import { saidOf } from "../../words/said.ts";
import { clock, moment, number, useWords } from "../../words/words.ts";
import type { House } from "../house.ts";
import { Devices } from "./devices.tsx";
import { EnrolForm, KeyForm } from "./enrol.tsx";
import { WithdrawForm } from "./withdraw.tsx";

export function Machines({ house }: { readonly house: House }) {
  const t = useWords("house");
  const enrolling = useSignal(false);
  const floor = house.floor.answer.value;
  if (floor === null) return <p class="pit-quiet">{saidOf(house.floor.fault.value) ?? t("asking")}</p>;
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
      {floor.tables.map((table) => (
        <TableMachines key={table.table} house={house} table={table} />
      ))}
      {enrolling.value && (
        <EnrolForm house={house} tables={tables.map(({ table }) => table)} onClose={() => (enrolling.value = false)} />
      )}
    </section>
  );
}

/** The open form and its terminal. */
interface Asked {
  readonly what: "key" | "withdraw";
  readonly machine: Machine;
}

function TableMachines({ house, table }: { readonly house: House; readonly table: FloorTable }) {
  const t = useWords("house");
  const asked = useSignal<Asked | null>(null);
  const opened = useSignal(false);
  const { terminals, form, dice_set, registered } = table;
  const columns = useColumns(house, (next) => (asked.value = next));
  const id = `house-machines-${table.table}`;
  const close = (): void => {
    asked.value = null;
  };
  const count = number(terminals.length);
  const devices = [dice_set ?? t("dice_none"), ...Object.values(registered)].join(" · ");
  return (
    <section class="pit-panel" aria-labelledby={id}>
      <h3 id={id}>{form === "chips" ? table.table : t("terminals_of", { table: table.table, count })}</h3>
      {form === "terminals" && terminals.length === 0 && <p class="pit-quiet">{t("terminals_none")}</p>}
      {terminals.length > 0 && (
        <SortTable label={table.table} columns={columns} rows={terminals} id={({ terminal }) => terminal} />
      )}
      <details class="house-devices" onToggle={(event) => (opened.value = event.currentTarget.open)}>
        <summary>{t("devices_of", { table: table.table, devices })}</summary>
        {opened.value && <Devices house={house} table={table.table} />}
      </details>
      {asked.value?.what === "key" && (
        <KeyForm house={house} table={table.table} machine={asked.value.machine} onClose={close} />
      )}
      {asked.value?.what === "withdraw" && (
        <WithdrawForm house={house} table={table.table} machine={asked.value.machine} onClose={close} />
      )}
    </section>
  );
}

function useColumns(house: House, onAsk: (asked: Asked) => void): readonly Column<Machine>[] {
  const t = useWords("house");
  const columns: Column<Machine>[] = [
    { name: t("terminal"), cell: ({ terminal }) => terminal, by: ({ terminal }) => terminal },
    { name: t("place"), cell: ({ place }) => place, by: ({ place }) => place },
    { name: t("state"), cell: (row) => <Health row={row} />, by: ({ connected }) => Number(connected) },
    { name: t("last_seen"), cell: (row) => <Seen row={row} />, by: ({ seen }) => seen ?? 0 },
    { name: t("page"), cell: (row) => <Page row={row} />, by: ({ client }) => client },
    { name: t("key"), cell: (row) => t(keyOf(row)), by: keyOf },
  ];
  const acts: Column<Machine> = {
    name: t("actions"),
    cell: (row) => <Acts house={house} row={row} onAsk={onAsk} />,
  };
  return house.mayAct ? [...columns, acts] : columns;
}

function keyOf({ keyed, withdrawn }: Machine): "key_withdrawn" | "key_has" | "key_none" {
  if (withdrawn) return "key_withdrawn";
  return keyed ? "key_has" : "key_none";
}

interface ActsProps {
  readonly house: House;
  readonly row: Machine;
  readonly onAsk: (asked: Asked) => void;
}

function Acts({ house, row, onAsk }: ActsProps) {
  const t = useWords("house");
  const { terminal, keyed, withdrawn } = row;
  return (
    <span class="house-acts">
      {house.mayEquip && (
        <Button
          kind="quiet"
          aria-label={t(keyed ? "replace_key_of" : "give_key_of", { terminal })}
          onClick={() => onAsk({ what: "key", machine: row })}
        >
          {t(keyed ? "replace_key" : "give_key")}…
        </Button>
      )}
      {keyed && !withdrawn && (
        <Button
          kind="quiet"
          aria-label={t("withdraw_of", { terminal })}
          onClick={() => onAsk({ what: "withdraw", machine: row })}
        >
          {t("withdraw")}…
        </Button>
      )}
    </span>
  );
}

/** When a terminal was last connected, and from which address. */
function Seen({ row: { seen, since, address } }: { readonly row: Machine }) {
  const t = useWords("house");
  if (seen === null) return <>{t("never_seen")}</>;
  return (
    <span class="house-health">
      <span>{moment(seen)}</span>
      <span class="pit-quiet">{t("came_from", { address, time: clock(since ?? seen) })}</span>
    </span>
  );
}

/** The page or program of a terminal, and whether it is the server's present version. */
function Page({ row: { client, current } }: { readonly row: Machine }) {
  const t = useWords("house");
  if (client === "") return <>{t("page_unknown")}</>;
  if (current === null) return <>{client}</>;
  return (
    <span class={current ? undefined : "house-fault"} title={client}>
      {!current && <span aria-hidden="true">▲ </span>}
      {t(current ? "page_current" : "page_old")}
    </span>
  );
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
