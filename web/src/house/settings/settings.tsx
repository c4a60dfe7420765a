/** What the house was founded with. */

import { money, number, useWords } from "../../words/words.ts";
import { Facts } from "../facts.tsx";
import type { House } from "../house.ts";

export function HouseSettings({ house }: { readonly house: House }) {
  const t = useWords("house");
  const floor = house.floor.answer.value;
  if (floor === null) return <p class="pit-quiet">{house.floor.fault.value ?? t("asking")}</p>;
  const { name, operator, currency, voucher_days, approve_above, day_starts, time_zone } = floor;
  const facts: [string, string][] = [
    [t("house_name"), name],
    [t("operator"), operator === "" ? t("operator_none") : operator],
    [t("currency"), currency],
    [t("voucher_days"), t("settings_days", { count: number(voucher_days) })],
    [t("approve_above"), approve_above === null ? t("approve_above_none") : money(approve_above)],
    [t("day_starts"), t("settings_hour", { hour: String(day_starts).padStart(2, "0"), zone: time_zone })],
  ];
  return (
    <section class="pit-part" aria-labelledby="house-settings">
      <h2 id="house-settings">{t("view_settings")}</h2>
      <p class="pit-quiet">{t("settings_how")}</p>
      <div class="pit-panel">
        <Facts facts={facts} />
      </div>
    </section>
  );
}
