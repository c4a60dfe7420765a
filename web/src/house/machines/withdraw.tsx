/** Withdraws a terminal: its key is no longer valid. */

import type { Machine } from "../../answers.ts";
import { newId, post } from "../../live/index.ts";
import { notify, useSending } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import { HouseForm } from "../form.tsx";
import type { House } from "../house.ts";

interface Props {
  readonly house: House;
  readonly table: string;
  readonly machine: Machine;
  readonly onClose: () => void;
}

export function WithdrawForm({ house, table, machine: { terminal }, onClose }: Props) {
  const t = useWords("house");
  const { fault, busy, send } = useSending();
  const withdraw = async (): Promise<void> => {
    const path = `/api/tables/${encodeURIComponent(table)}/terminals/${encodeURIComponent(terminal)}`;
    await post(`${path}/withdrawal`, { id: newId() });
    notify(() => t("withdrawn", { terminal }));
    house.refresh();
    onClose();
  };
  return (
    <HouseForm
      title={t("withdraw_of", { terminal })}
      kind="grave"
      fault={fault}
      busy={busy}
      onGiven={() => send(withdraw)}
      onClose={onClose}
    >
      <p>{t("withdraw_how", { terminal })}</p>
    </HouseForm>
  );
}
