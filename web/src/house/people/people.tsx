/** The staff: appointment, roles, codes, suspension and dismissal. */

import { useSignal } from "@preact/signals";

import type { HalfACode, StaffMember } from "../../answers.ts";
import { del, newId, post, put } from "../../live/index.ts";
import { SortTable, type Column } from "../../pit/figures/sort_table.tsx";
import { Button, Dialog, Fault, Field, useSending } from "../../shell/index.ts";
import { number, useWords } from "../../words/words.ts";
import { HouseForm } from "../form.tsx";
import type { House } from "../house.ts";
import { RolesField, rolesOf } from "../roles_field.tsx";

/** The open form and its person; without a person, the form to appoint a new one. */
interface Asked {
  readonly what: "appoint" | "roles" | "code" | "suspend" | "reinstate" | "dismiss";
  readonly of: StaffMember | null;
}

export function People({ house }: { readonly house: House }) {
  const t = useWords("house");
  const asked = useSignal<Asked | null>(null);
  const half = useSignal<HalfACode | null>(null);
  const { fault, send } = useSending();
  const all = house.staff.answer.value;
  const show = (person: string): void =>
    send(async () => {
      half.value = await post<HalfACode>(`/api/staff/${encodeURIComponent(person)}/code/half`, {});
      house.staff.refresh();
    });
  const columns = useColumns(house, (next) => (asked.value = next), show);
  const close = (): void => {
    asked.value = null;
    house.refresh();
  };
  return (
    <section class="pit-part" aria-labelledby="house-people">
      <header class="pit-panel-head">
        <h2 id="house-people">{t("staff_of", { count: number(all?.length ?? 0) })}</h2>
        {house.mayStaff && (
          <Button kind="main" onClick={() => (asked.value = { what: "appoint", of: null })}>
            {t("appoint")}…
          </Button>
        )}
      </header>
      <p class="pit-quiet">{t("people_how")}</p>
      <Fault>{fault ?? house.staff.fault.value}</Fault>
      {all === null ? (
        <p class="pit-quiet">{t("asking")}</p>
      ) : (
        <SortTable label={t("view_people")} columns={columns} rows={all} id={({ person }) => person} />
      )}
      {asked.value !== null && <Form key={asked.value.what} asked={asked.value} onClose={close} />}
      {half.value !== null && <Half half={half.value} onClose={() => (half.value = null)} />}
    </section>
  );
}

function useColumns(
  house: House,
  onAsk: (asked: Asked) => void,
  onShow: (person: string) => void,
): readonly Column<StaffMember>[] {
  const t = useWords("house");
  const shell = useWords("shell");
  const listed = (roles: readonly string[]): string =>
    roles.map((role) => shell(`role_${role}` as "role_dealer")).join(shell("list_join"));
  const columns: Column<StaffMember>[] = [
    { name: t("person"), cell: ({ person }) => person, by: ({ person }) => person },
    { name: t("roles"), cell: ({ roles }) => listed(roles) },
    { name: t("state"), cell: (row) => t(stateOf(row)), by: stateOf },
    {
      name: t("logged_in"),
      cell: ({ logged_in }) => (logged_in.length === 0 ? t("logged_in_none") : listed(logged_in)),
    },
  ];
  const acts: Column<StaffMember> = {
    name: t("actions"),
    cell: (row) => <Acts house={house} row={row} onAsk={onAsk} onShow={onShow} />,
  };
  return house.who.role === "auditor" ? columns : [...columns, acts];
}

function stateOf({ ready, coded, suspended }: StaffMember): `state_${"ready" | "coded" | "none" | "suspended"}` {
  if (suspended) return "state_suspended";
  if (coded) return "state_coded";
  return ready ? "state_ready" : "state_none";
}

interface ActsProps {
  readonly house: House;
  readonly row: StaffMember;
  readonly onAsk: (asked: Asked) => void;
  readonly onShow: (person: string) => void;
}

/** The buttons for a person: nobody decides about themself; half of a code to show comes first. */
function Acts({ house, row, onAsk, onShow }: ActsProps) {
  const t = useWords("house");
  const { person, ready, half, suspended } = row;
  const other = person !== house.who.person;
  const others = house.mayStaff && other;
  return (
    <span class="house-acts">
      {half && (
        <Button kind="main" aria-label={t("show_half_of", { person })} onClick={() => onShow(person)}>
          {t("show_half")}
        </Button>
      )}
      {others && (
        <Button kind="quiet" aria-label={t("change_roles_of", { person })} onClick={() => onAsk({ what: "roles", of: row })}>
          {t("change_roles")}…
        </Button>
      )}
      {others && (
        <Button
          kind="quiet"
          aria-label={t(ready ? "reset_of" : "make_code_of", { person })}
          onClick={() => onAsk({ what: "code", of: row })}
        >
          {t(ready ? "reset" : "make_code")}…
        </Button>
      )}
      {other && house.mayAct && !suspended && (
        <Button kind="quiet" aria-label={t("suspend_of", { person })} onClick={() => onAsk({ what: "suspend", of: row })}>
          {t("suspend")}…
        </Button>
      )}
      {others && suspended && (
        <Button kind="quiet" aria-label={t("reinstate_of", { person })} onClick={() => onAsk({ what: "reinstate", of: row })}>
          {t("reinstate")}…
        </Button>
      )}
      {others && (
        <Button kind="quiet" aria-label={t("dismiss_of", { person })} onClick={() => onAsk({ what: "dismiss", of: row })}>
          {t("dismiss")}…
        </Button>
      )}
    </span>
  );
}

interface FormProps {
  readonly asked: Asked;
  readonly onClose: () => void;
}

function Form({ asked: { what, of }, onClose }: FormProps) {
  const t = useWords("house");
  const { fault, busy, send } = useSending();
  const noRole = useSignal(false);
  const person = of?.person ?? "";
  const address = `/api/staff/${encodeURIComponent(person)}`;
  const ask = async (filled: Readonly<Record<string, string | undefined>>): Promise<void> => {
    const roles = rolesOf(filled);
    const id = newId();
    if (what === "appoint") await post("/api/staff", { id, person: filled["person"] ?? "", roles });
    else if (what === "roles") await put(`${address}/roles`, { id, roles });
    else if (what === "code") await post(`${address}/code`, { id });
    else if (what === "suspend") await put(`${address}/suspension`, { id });
    else if (what === "reinstate") await del(`${address}/suspension`, { id });
    else await del(address, { id });
    onClose();
  };
  const common = { fault, busy, onClose };
  const withRoles = what === "appoint" || what === "roles";
  const given = (filled: Readonly<Record<string, string | undefined>>): void => {
    noRole.value = withRoles && rolesOf(filled).length === 0;
    if (!noRole.value) send(() => ask(filled));
  };
  const titles = {
    appoint: t("appoint"),
    roles: t("change_roles_of", { person }),
    code: t(of?.ready === true ? "reset_of" : "make_code_of", { person }),
    suspend: t("suspend_of", { person }),
    reinstate: t("reinstate_of", { person }),
    dismiss: t("dismiss_of", { person }),
  };
  return (
    <HouseForm
      title={titles[what]}
      second={what !== "suspend"}
      kind={what === "dismiss" || what === "suspend" ? "grave" : "main"}
      onGiven={given}
      {...common}
    >
      {what === "appoint" && (
        <Field label={t("person")} hint={t("appoint_how")} name="person" autocomplete="off" maxLength={64} required autofocus />
      )}
      {withRoles && <RolesField given={of?.roles ?? []} fault={noRole.value ? t("no_role") : null} />}
      {what === "code" && <p>{t("make_code_how", { person })}</p>}
      {what === "code" && of?.ready === true && <p>{t("reset_how", { person })}</p>}
      {(what === "suspend" || what === "reinstate" || what === "dismiss") && <p>{t(`${what}_how`, { person })}</p>}
    </HouseForm>
  );
}

/** Half of a code, in large letters, for the person who is to have it. */
function Half({ half: { person, half }, onClose }: { readonly half: HalfACode; readonly onClose: () => void }) {
  const t = useWords("house");
  return (
    <Dialog title={t("half_title", { person })} onClose={onClose}>
      <p class="house-code">{half}</p>
      <p>{t("half_shown", { person })}</p>
    </Dialog>
  );
}
