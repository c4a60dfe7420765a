/** A voucher as it is printed: its value, its number, and the number as a code to scan. */

import type { ComponentChildren } from "preact";

import type { IssuedVoucher } from "../answers.ts";
import { Qr } from "../shell/controls/qr.tsx";
import { Button, venue } from "../shell/index.ts";
import { moment, money, number, useWords } from "../words/words.ts";
import { inFours } from "../words/written.ts";
import { useSheet } from "./sheet.tsx";
import "./slips.css";

/** The data printed on a voucher; only the cage knows its serial. */
export type PrintedVoucher = Pick<IssuedVoucher, "number" | "value" | "expires"> &
  Partial<Pick<IssuedVoucher, "serial" | "session">>;

interface SlipProps {
  readonly voucher: PrintedVoucher;
  /** Whether its session and how to use it are written beside it. */
  readonly brief?: boolean;
}

export function Slip({ voucher, brief = false }: SlipProps) {
  const t = useWords("slips");
  return (
    <article class="slip-paper" aria-label={t("slip")}>
      <p class="slip-venue">{venue.value?.name ?? "Tai Sai"}</p>
      <p class="slip-title">{t("slip")}</p>
      <p class="slip-value">{money(voucher.value)}</p>
      <Qr text={voucher.number} label={t("slip_qr")} />
      <p class="slip-number">{inFours(voucher.number)}</p>
      <p>
        {voucher.serial !== undefined && (
          <>
            {t("slip_serial", { serial: number(voucher.serial) })}
            <br />
          </>
        )}
        {t("slip_until", { time: moment(voucher.expires) })}
      </p>
      {!brief && voucher.session != null && (
        <p class="slip-session">
          {t("slip_session")}
          <br />
          {inFours(voucher.session)}
        </p>
      )}
      {!brief && <p class="slip-how">{t("slip_how")}</p>}
      {venue.value?.demo === true && <p class="slip-title">{t("slip_demo")}</p>}
    </article>
  );
}

interface SlipToPrintProps {
  readonly voucher: PrintedVoucher;
  /** Words shown with it on the screen only. */
  readonly children: ComponentChildren;
  /** Whether those words name its session and its use: then the slip on the screen omits them. */
  readonly brief?: boolean;
  /** The name of the button that puts it away. */
  readonly done: string;
  readonly onDone: () => void;
}

/** The slip in a dialog, to print now: its number is shown once [D40]. */
export function SlipToPrint({ voucher, children, brief = false, done, onDone }: SlipToPrintProps) {
  const t = useWords("slips");
  useSheet(<Slip voucher={voucher} />, "slip");
  return (
    <>
      <div class="slip-shown">
        <Slip voucher={voucher} brief={brief} />
      </div>
      {children}
      <p class="slip-acts dialog-foot">
        <Button kind="main" onClick={() => print()}>
          {t("print")}
        </Button>
        <Button onClick={onDone}>{done}</Button>
      </p>
    </>
  );
}
