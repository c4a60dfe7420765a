/** A voucher as it is printed: what it is worth, its number, and the number to be scanned. */

import type { IssuedVoucher } from "../answers.ts";
import { Qr } from "../shell/controls/qr.tsx";
import { venue } from "../shell/index.ts";
import { moment, money, number, useWords } from "../words/words.ts";
import { inFours } from "../words/written.ts";
import "./slips.css";

export function Slip({ voucher }: { readonly voucher: Omit<IssuedVoucher, "id"> }) {
  const t = useWords("slips");
  return (
    <article class="slip" aria-label={t("slip")}>
      <p class="slip-venue">{venue.value?.name ?? "Tai Sai"}</p>
      <p class="slip-title">{t("slip")}</p>
      <p class="slip-value">{money(voucher.value)}</p>
      <Qr text={voucher.number} label={t("slip_qr")} />
      <p class="slip-number">{inFours(voucher.number)}</p>
      <p>
        {t("slip_serial", { serial: number(voucher.serial) })}
        <br />
        {t("slip_until", { time: moment(voucher.expires) })}
      </p>
      {voucher.session != null && (
        <p class="slip-session">
          {t("slip_session")}
          <br />
          {inFours(voucher.session)}
        </p>
      )}
      <p class="slip-how">{t("slip_how")}</p>
      {venue.value?.demo === true && <p class="slip-title">{t("slip_demo")}</p>}
    </article>
  );
}
