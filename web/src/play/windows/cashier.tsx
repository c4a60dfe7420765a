/** Takes vouchers in and prints them. Their numbers are stored nowhere in the browser. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import type { VoucherPrinted } from "../../protocol.ts";
import { Button, Dialog, Fault, KeypadField, Money, notify, useSending } from "../../shell/index.ts";
import type { SlipToPrint } from "../../slips/slip.tsx";
import { lasting, said } from "../../words/said.ts";
import { cited, loadWords, moment, money, useWords } from "../../words/words.ts";
import { inFours } from "../../words/written.ts";
import "./cashier.css";
import type { Game } from "../game.ts";
import { useLatest } from "../latest.ts";
import type { WindowProps } from "./windows.tsx";

/** How long a voucher may be missing before the player is told that it is gone. */
const SHOWN_AGAIN_MS = 1_500;
/** A voucher's number, with separators between its digits. */
const NUMBER_MAX = 30;

/** Take a voucher: its value is added to the balance after a moment. */
export function BuyIn({ game, onClose }: WindowProps) {
  const t = useWords("play");
  const written = useSignal("");
  const fault = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const isLost = game.link.status.value !== "live";
  const take = async (number: string): Promise<void> => {
    const view = game.terminal.view.peek();
    if (view === null || isBusy.peek()) return;
    isBusy.value = true;
    fault.value = null;
    const { table, terminal } = view;
    const answer = await game.link.ask("cage", { type: "TakeVoucher", number, table, terminal });
    isBusy.value = false;
    if (answer.type === "Refused") fault.value = answer.sentence;
    else onClose();
  };
  return (
    <Dialog title={t("buy_in")} onClose={onClose}>
      <form
        class="cashier-form"
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          const number = written.peek().replace(/[\s-]/g, "");
          // The next player must not find a number that may still be valid.
          written.value = "";
          if (number === "") fault.value = lasting(() => t("number_missing"));
          else void take(number);
        }}
      >
        <KeypadField
          label={t("voucher_number")}
          hint={t("voucher_hint")}
          fault={fault.value}
          name="number"
          autoComplete="off"
          maxLength={NUMBER_MAX}
          autoFocus
          value={written.value}
          onValue={(text) => (written.value = text)}
        />
        <Button kind="main" type="submit" busy={isBusy.value} aria-disabled={isLost}>
          {t("take_voucher")}
        </Button>
        {isLost && <p class="cashier-note">{t("obstacle_line")}</p>}
      </form>
    </Dialog>
  );
}

/** Turn the free balance into a voucher, after the player has confirmed it. */
export function CashOut({ game, onClose }: WindowProps) {
  const t = useWords("play");
  const fault = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const view = game.terminal.view.value;
  const credits = view?.credits ?? 0;
  const kept = game.kept.value;
  const isOff = credits === 0 || kept !== null || game.link.status.value !== "live";
  const cashOut = async (): Promise<void> => {
    if (view === null || isOff || isBusy.peek()) return;
    isBusy.value = true;
    const answer = await game.link.ask(view.table, { type: "CashOut", terminal: view.terminal });
    isBusy.value = false;
    if (answer.type === "Refused") fault.value = answer.sentence;
    else onClose();
  };
  return (
    <Dialog title={t("cash_out")} onClose={onClose}>
      <p class="cashier-sum">
        <Money cents={credits} />
      </p>
      <p>{credits === 0 ? t("nothing_to_cash_out") : t("cash_out_how")}</p>
      {view !== null && view.staked > 0 && <p>{t("cash_out_staked", { amount: money(view.staked) })}</p>}
      {kept !== null && <p>{t(kept)}</p>}
      {fault.value !== null && (
        <p class="cashier-fault" role="alert">
          {said(fault.value)}
        </p>
      )}
      <Button kind="main" busy={isBusy.value} aria-disabled={isOff} onClick={() => void cashOut()}>
        {t("cash_out_now")}
      </Button>
    </Dialog>
  );
}

/** The printed voucher, shown until the player hides it or somebody buys in. */
export function Printed({ game }: { readonly game: Game }) {
  const words = useLatest(useWords("play"));
  const hidden = useSignal<string | null>(null);
  const voucher = game.terminal.voucher.value;
  const shown = useRef<string | null>(null);
  useEffect(() => {
    const before = shown.current;
    shown.current = voucher?.transit ?? null;
    if (voucher !== null || before === null || before === hidden.peek()) return;
    // After a reconnection it is sent again in a moment; otherwise the player is told it is gone.
    const gone = setTimeout(() => notify(() => words.current("voucher_away"), "waits"), SHOWN_AGAIN_MS);
    return () => clearTimeout(gone);
  }, [voucher]);
  if (voucher === null || voucher.transit === hidden.value) return null;
  return <Voucher voucher={voucher} onHide={() => (hidden.value = voucher.transit)} />;
}

interface VoucherProps {
  readonly voucher: VoucherPrinted;
  readonly onHide: () => void;
}

/** Shows the voucher at once; the code that prints it as a slip is loaded when needed. */
function Voucher({ voucher, onHide }: VoucherProps) {
  const t = useWords("play");
  const paper = useSignal<{ readonly Shown: typeof SlipToPrint } | null>(null);
  const { fault, send } = useSending();
  useEffect(() => {
    send(async () => {
      const [{ SlipToPrint: Shown }] = await Promise.all([import("../../slips/slip.tsx"), loadWords("slips")]);
      paper.value = { Shown };
    });
  }, []);
  const shown = paper.value;
  const notes = <Notes session={voucher.session ?? null} />;
  return (
    <Dialog title={t("voucher")} onClose={onHide} closable={false}>
      {shown === null ? (
        <>
          <Written voucher={voucher} />
          {notes}
          <Fault>{fault}</Fault>
          <Button kind="main" onClick={onHide}>
            {t("hide_voucher")}
          </Button>
        </>
      ) : (
        <shown.Shown voucher={voucher} brief done={t("hide_voucher")} onDone={onHide}>
          {notes}
        </shown.Shown>
      )}
    </Dialog>
  );
}

/** A voucher in words, so that the player has its number before the slip is loaded. */
function Written({ voucher }: { readonly voucher: VoucherPrinted }) {
  const t = useWords("play");
  return (
    <>
      <p class="cashier-sum">
        <Money cents={voucher.value} />
      </p>
      <p class="cashier-number">{inFours(voucher.number)}</p>
      <p>{t("voucher_good", { until: moment(voucher.expires) })}</p>
    </>
  );
}

/** What a player should know about a voucher's number, and about the session's code with it. */
function Notes({ session }: { readonly session: string | null }) {
  const t = useWords("play");
  return (
    <>
      <p class="cashier-note">{t("voucher_once")}</p>
      {session !== null && (
        <p class="cashier-note">
          {t("session_code")} <strong>{inFours(session)}</strong>
          <br />
          {t("session_code_how")}
        </p>
      )}
    </>
  );
}

/** Announce money that came or went without a press of a button here. */
export function useMoneyNotices(game: Game): void {
  const words = useLatest(useWords("play"));
  useEffect(
    () =>
      game.terminal.onEvent((event) => {
        switch (event.type) {
          case "CreditsReceived":
            notify(() => words.current("credits_received", { amount: money(event.amount) }));
            break;
          case "BetsRejected": {
            const stakes = event.bets.reduce((all, [, stake]) => all + stake, 0);
            const { clause } = event;
            const ground = (): string => (clause == null ? "" : cited(words.current, clause));
            notify(() => words.current("bets_rejected", { amount: money(stakes), ground: ground() }), "refused");
            break;
          }
          case "BetsRegistered":
            if (event.on_behalf === true) notify(() => words.current("placed_for_you"));
            break;
          case "BetsWithdrawn":
            if (event.on_behalf === true) notify(() => words.current("withdrawn_for_you"));
            break;
          case "RoundsCorrected": {
            const { rounds, given, taken, clause } = event;
            const what = () => ({ given: money(given), taken: money(taken), ground: cited(words.current, clause) });
            notify(() => words.current("rounds_corrected", { rounds: rounds.join(", "), ...what() }), "waits");
            break;
          }
          case "RulingRecorded":
            notify(() => words.current("ruling_recorded", { ground: cited(words.current, event.clause) }), "waits");
            break;
          default:
            break;
        }
      }),
    [game, words],
  );
}
