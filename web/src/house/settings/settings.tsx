/** The settings of the house: those that two persons may change, and fixed ones with the reason. */

import { useSignal } from "@preact/signals";

import type { HouseFloor } from "../../answers.ts";
import { Problem } from "../../live/index.ts";
import { Button, Field, notify, useSending } from "../../shell/index.ts";
import { money, number, useWords } from "../../words/words.ts";
import { AMOUNT_LETTERS_MAX, readAmount, writeAmount } from "../../words/written.ts";
import { Facts, type Fact } from "../facts.tsx";
import { HouseForm } from "../form.tsx";
import type { House } from "../house.ts";

export function HouseSettings({ house }: { readonly house: House }) {
  const t = useWords("house");
  const changing = useSignal<"name" | "terms" | null>(null);
  const floor = house.floor.answer.value;
  if (floor === null) return <p class="pit-quiet">{house.floor.fault.value ?? t("asking")}</p>;
  const { name, operator, currency, voucher_days, approve_above, day_starts, time_zone } = floor;
  const change: Fact[] = [
    [t("house_name"), name],
    [t("voucher_days"), t("settings_days", { count: number(voucher_days) }), t("voucher_days_why")],
    [t("approve_above"), approve_above === null ? t("approve_above_none") : money(approve_above)],
  ];
  const hour = String(day_starts).padStart(2, "0");
  const settled: Fact[] = [
    [t("currency"), currency, t("currency_why")],
    [t("operator"), operator === "" ? t("operator_none") : operator, t("operator_why")],
    [t("day_starts"), t("settings_hour", { hour, zone: time_zone }), t("day_starts_why")],
  ];
  const close = (): void => {
    changing.value = null;
  };
  return (
    <section class="pit-part" aria-labelledby="house-settings">
      <h2 id="house-settings">{t("view_settings")}</h2>
      <div class="house-cards">
        <section class="pit-panel" aria-labelledby="house-changes">
          <h3 id="house-changes">{t("settings_change")}</h3>
          <p class="pit-quiet">{t("settings_change_how")}</p>
          <Facts facts={change} />
          {house.mayManage && (
            <p class="pit-acts">
              <Button onClick={() => (changing.value = "name")}>{t("rename")}…</Button>
              <Button onClick={() => (changing.value = "terms")}>{t("terms")}…</Button>
            </p>
          )}
        </section>
        <section class="pit-panel" aria-labelledby="house-settled">
          <h3 id="house-settled">{t("settings_settled")}</h3>
          <p class="pit-quiet">{t("settings_settled_how")}</p>
          <Facts facts={settled} />
        </section>
      </div>
      {changing.value === "name" && <NameForm house={house} floor={floor} onClose={close} />}
      {changing.value === "terms" && <TermsForm house={house} floor={floor} onClose={close} />}
    </section>
  );
}

interface Props {
  readonly house: House;
  readonly floor: HouseFloor;
  readonly onClose: () => void;
}

function NameForm({ house, floor, onClose }: Props) {
  const t = useWords("house");
  const { fault, busy, send } = useSending();
  const ask = async (name: string): Promise<void> => {
    await house.propose("venue", { type: "RenameVenue", name });
    notify(() => t("asked_for"));
    onClose();
  };
  return (
    <HouseForm
      title={t("rename")}
      second
      fault={fault}
      busy={busy}
      onGiven={({ name = "" }) => send(() => ask(name.trim()))}
      onClose={onClose}
    >
      <Field label={t("house_name")} name="name" defaultValue={floor.name} autocomplete="off" maxLength={64} required autofocus />
    </HouseForm>
  );
}

/** The form for future vouchers: their validity, and above what value they take two persons. */
function TermsForm({ house, floor, onClose }: Props) {
  const t = useWords("house");
  const { fault, busy, send } = useSending();
  const ask = async (days: string, above: string): Promise<void> => {
    const approve_above = readAmount(above);
    if (approve_above === undefined) throw new Problem(400, "NOT_AMOUNT", t("not_amount"));
    await house.propose("cage", { type: "SetVoucherTerms", voucher_days: Number(days), approve_above });
    notify(() => t("asked_for"));
    onClose();
  };
  const { voucher_days, approve_above } = floor;
  return (
    <HouseForm
      title={t("terms")}
      second
      fault={fault}
      busy={busy}
      onGiven={({ days = "", above = "" }) => send(() => ask(days, above))}
      onClose={onClose}
    >
      <Field
        label={t("voucher_days")}
        hint={t("voucher_days_why")}
        name="days"
        type="number"
        min={1}
        max={3650}
        defaultValue={String(voucher_days)}
        required
        autofocus
      />
      <Field
        label={t("approve_above")}
        hint={t("approve_above_how")}
        name="above"
        defaultValue={approve_above === null ? "" : writeAmount(approve_above)}
        inputMode="decimal"
        autocomplete="off"
        maxLength={AMOUNT_LETTERS_MAX}
      />
    </HouseForm>
  );
}
