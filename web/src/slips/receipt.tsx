/** A player's receipt: the outcome of a round in words and figures, and the house's signed text. */

import type { RoundReceipt } from "../answers.ts";
import { Qr } from "../shell/controls/qr.tsx";
import { Button, Dialog, save, useNames, venue } from "../shell/index.ts";
import { amount, moment, number, useWords } from "../words/words.ts";
import { useSheet } from "./sheet.tsx";
import "./slips.css";

/** The most characters that a scanner can read from one code. */
const QR_LETTERS_MAX = 2_300;

interface ReceiptProps {
  readonly receipt: RoundReceipt;
  /** Whether the signed text is unfolded, as it must be on paper. */
  readonly unfolded?: boolean;
}

export function Receipt({ receipt, unfolded = false }: ReceiptProps) {
  const t = useWords("slips");
  const names = useNames();
  const text = JSON.stringify(receipt);
  const sum = (of: "stake" | "won" | "back"): string =>
    amount(receipt.bets.reduce((total, bet) => total + bet[of], 0));
  return (
    <article class="receipt" aria-label={t("receipt_of")}>
      <p class="slip-venue">{venue.value?.name ?? "Tai Sai"}</p>
      <h3>{t("receipt_round", { round: number(receipt.round) })}</h3>
      <p>
        {t("receipt_table", { table: receipt.stream.replace(/^table\//, ""), session: receipt.session })}
        {receipt.faces !== null && (
          <>
            <br />
            {t("receipt_dice", { faces: receipt.faces.join(" · ") })}
          </>
        )}
      </p>
      <table>
        <thead>
          <tr>
            <th>{t("receipt_box")}</th>
            <th>{t("receipt_stake")}</th>
            <th>{t("receipt_won")}</th>
            <th>{t("receipt_back")}</th>
          </tr>
        </thead>
        <tbody>
          {receipt.bets.map((bet) => (
            <tr key={bet.box}>
              <th scope="row">{names.value?.boxes[bet.box] ?? bet.box}</th>
              <td>{amount(bet.stake)}</td>
              <td>{amount(bet.won)}</td>
              <td>{amount(bet.back)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t("receipt_total")}</th>
            <td>{sum("stake")}</td>
            <td>{sum("won")}</td>
            <td>{sum("back")}</td>
          </tr>
        </tfoot>
      </table>
      {receipt.void && <p>{t("receipt_void")}</p>}
      <p>
        {t("receipt_signed", { time: moment(receipt.at) })}
        <br />
        {t("receipt_check")}
      </p>
      {text.length <= QR_LETTERS_MAX && <Qr text={text} label={t("receipt_qr")} />}
      <details class="receipt-signed" open={unfolded}>
        <summary>
          <code>{fileName(receipt)}</code>
        </summary>
        <p class="receipt-text">{text}</p>
      </details>
      {venue.value?.demo === true && <p class="slip-title">{t("slip_demo")}</p>}
    </article>
  );
}

interface ReceiptDialogProps {
  readonly receipt: RoundReceipt;
  readonly onClose: () => void;
}

function fileName({ stream, round }: RoundReceipt): string {
  return `receipt-${stream.replace(/^table\//, "")}-${round}.json`;
}

/** The receipt as a file: exactly what was signed, as `taisai audit receipt` reads it. */
function saveFile(receipt: RoundReceipt): void {
  const file = new Blob([`${JSON.stringify(receipt)}\n`], { type: "application/json" });
  save(file, fileName(receipt));
}

/** The receipt in a dialog, with buttons to print and save it. */
export function ReceiptDialog({ receipt, onClose }: ReceiptDialogProps) {
  const t = useWords("slips");
  useSheet(<Receipt receipt={receipt} unfolded />, "page");
  return (
    <Dialog title={t("receipt_of")} onClose={onClose}>
      <p class="slip-acts">
        <Button kind="main" onClick={() => print()}>
          {t("print")}
        </Button>
        <Button onClick={() => saveFile(receipt)}>{t("receipt_save")}</Button>
        <Button onClick={onClose}>{t("done")}</Button>
      </p>
      <div class="slip-shown">
        <Receipt receipt={receipt} />
      </div>
    </Dialog>
  );
}
