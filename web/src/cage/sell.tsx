/** Selling a voucher: the cash comes in, the slip goes out. */

import { useSignal } from "@preact/signals";

import type { IssuedVoucher } from "../answers.ts";
import { capital } from "../console/parts/capital.ts";
import { Button, Dialog, Fault, KeypadField, useSending } from "../shell/index.ts";
import { useSheet } from "../slips/sheet.tsx";
import { Slip } from "../slips/slip.tsx";
import { useWords } from "../words/words.ts";
import { AMOUNT_LETTERS_MAX, readAmount } from "../words/written.ts";
import type { Desk } from "./desk.ts";

interface SellProps {
  readonly desk: Desk;
  /** Whether a shift is open: only then somebody answers for the cash [D37]. */
  readonly open: boolean;
}

export function Sell({ desk, open }: SellProps) {
  const t = useWords("cage");
  const written = useSignal("");
  const tried = useSignal(false);
  const { fault, busy, send } = useSending();
  const value = readAmount(written.value);
  const wrong = value === undefined ? t("not_amount") : value === null || value === 0 ? t("missing_amount") : null;
  const sell = (): void => {
    tried.value = true;
    if (wrong !== null || value == null) return;
    send(async () => {
      await desk.sell(value);
      written.value = "";
      tried.value = false;
    });
  };
  const last = desk.lastSale.value;
  return (
    <section class="pit-panel" aria-labelledby="cage-sell">
      <h2 id="cage-sell">{t("sell")}</h2>
      {!open && <p class="pit-quiet">{t("sell_none")}</p>}
      {open && (
        <form
          class="cage-look"
          noValidate
          autocomplete="off"
          onSubmit={(event) => {
            event.preventDefault();
            sell();
          }}
        >
          <KeypadField
            label={t("sell_value")}
            fault={tried.value ? wrong : null}
            autocomplete="off"
            maxLength={AMOUNT_LETTERS_MAX}
            point
            value={written.value}
            onValue={(text) => (written.value = text)}
          />
          <Fault>{fault === null ? null : capital(fault)}</Fault>
          <p class="pit-acts">
            <Button kind="main" type="submit" busy={busy}>
              {t("sell_now")}
            </Button>
            {last !== null && (
              <Button onClick={() => send(async () => await desk.showAgain(last))}>{t("again")}</Button>
            )}
          </p>
        </form>
      )}
      {desk.slip.value !== null && <SlipDialog voucher={desk.slip.value} onClose={() => (desk.slip.value = null)} />}
    </section>
  );
}

interface SlipProps {
  readonly voucher: IssuedVoucher;
  readonly onClose: () => void;
}

/** The slip, to be printed now: its number is shown once [D40]. */
function SlipDialog({ voucher, onClose }: SlipProps) {
  const t = useWords("cage");
  const slips = useWords("slips");
  useSheet(<Slip voucher={voucher} />, "slip");
  return (
    <Dialog title={t("slip_ready")} onClose={onClose}>
      <div class="slip-shown">
        <Slip voucher={voucher} />
      </div>
      <p class="pit-quiet">{t("slip_once")}</p>
      <p class="slip-acts">
        <Button kind="main" onClick={() => print()}>
          {slips("print")}
        </Button>
        <Button onClick={onClose}>{slips("done")}</Button>
      </p>
    </Dialog>
  );
}
