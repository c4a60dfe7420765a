/** The form to sell a voucher: cash in, slip out. */

import { useSignal } from "@preact/signals";

import type { IssuedVoucher } from "../answers.ts";
import { capital } from "../words/capital.ts";
import { Button, Dialog, Fault, KeypadField, useSending } from "../shell/index.ts";
import { SlipToPrint } from "../slips/slip.tsx";
import { useWords } from "../words/words.ts";
import { AMOUNT_LETTERS_MAX, readAmount } from "../words/written.ts";
import type { Desk } from "./desk.ts";

interface SellProps {
  readonly desk: Desk;
  /** Whether a shift is open: only then a cashier is responsible for the cash [D37]. */
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

function SlipDialog({ voucher, onClose }: SlipProps) {
  const t = useWords("cage");
  const slips = useWords("slips");
  return (
    <Dialog title={t("slip_ready")} onClose={onClose}>
      <SlipToPrint voucher={voucher} done={slips("done")} onDone={onClose}>
        <p class="pit-quiet">{t("slip_once")}</p>
      </SlipToPrint>
    </Dialog>
  );
}
