/** The counter: a voucher is scanned or keyed, looked up, then paid or voided. */

import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { capital } from "../words/capital.ts";
import { Problem } from "../live/index.ts";
import { Button, Dialog, Field, KeypadField } from "../shell/index.ts";
import { lasting, said } from "../words/said.ts";
import { moment, money, number, useWords } from "../words/words.ts";
import { Camera, hasCamera } from "./camera.tsx";
import type { Desk, Presented } from "./desk.ts";
import { placeOf } from "./place.ts";

/** A number, with separators between its digits. */
const NUMBER_LETTERS_MAX = 24;
const WHY_MAX = 500;

/** Carry out actions at the counter, one at a time; a refusal gives a sentence to show. */
function useAttempt() {
  const fault = useSignal<string | null>(null);
  const busy = useSignal(false);
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    if (busy.peek()) return false;
    busy.value = true;
    fault.value = null;
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      fault.value = capital(error.message);
      return false;
    } finally {
      busy.value = false;
    }
  };
  return { fault, busy, attempt };
}

interface CounterProps {
  readonly desk: Desk;
  /** A number that was scanned, to be used once. */
  readonly scanned: Signal<string | null>;
}

export function Counter({ desk, scanned }: CounterProps) {
  const t = useWords("cage");
  const written = useSignal("");
  const camera = useSignal(false);
  const { fault, busy, attempt } = useAttempt();
  const look = async (digits: string): Promise<void> => {
    if (digits === "") {
      fault.value = lasting(() => t("missing_number"));
      return;
    }
    if (await attempt(() => desk.present(digits))) written.value = "";
  };
  const fresh = scanned.value;
  useEffect(() => {
    if (fresh === null) return;
    scanned.value = null;
    look(fresh).catch(reportError);
  }, [fresh]);
  const voucher = desk.presented.value;
  return (
    <section class="pit-panel" aria-labelledby="cage-counter">
      <h2 id="cage-counter">{t("counter")}</h2>
      <p class="pit-quiet">{t("scan_how")}</p>
      <form
        class="cage-look"
        noValidate
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          look(written.value.replace(/[\s-]/g, "")).catch(reportError);
        }}
      >
        <KeypadField
          label={t("number")}
          hint={t("number_hint")}
          fault={fault.value}
          autocomplete="off"
          maxLength={NUMBER_LETTERS_MAX}
          value={written.value}
          onValue={(text) => (written.value = text)}
        />
        <p class="pit-acts">
          <Button kind={voucher === null ? "main" : "plain"} type="submit" busy={busy.value}>
            {t("look")}
          </Button>
          {hasCamera() && <Button onClick={() => (camera.value = true)}>{t("camera")}</Button>}
        </p>
        {!hasCamera() && <p class="pit-quiet">{t("camera_missing")}</p>}
      </form>
      {voucher !== null && <Found key={voucher.serial} desk={desk} voucher={voucher} />}
      {camera.value && (
        <Camera
          onClose={() => (camera.value = false)}
          onScan={(what) => {
            camera.value = false;
            if ("voucher" in what) look(what.voucher).catch(reportError);
          }}
        />
      )}
    </section>
  );
}

interface FoundProps {
  readonly desk: Desk;
  readonly voucher: Presented;
}

/** The voucher's details, with the actions that are possible. */
function Found({ desk, voucher }: FoundProps) {
  const t = useWords("cage");
  const voiding = useSignal(false);
  const { fault, busy, attempt } = useAttempt();
  const blanks = { amount: money(voucher.value) };
  const title = t("found", { serial: number(voucher.serial) });
  const shown = useRef<HTMLElement>(null);
  useEffect(() => shown.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <article ref={shown} class="cage-found" aria-label={title}>
      <h3>{title}</h3>
      <p class="cage-worth">{money(voucher.value)}</p>
      <p class="pit-quiet">
        {t(voucher.sold ? "found_sold" : "found_from", { place: placeOf(t, voucher.place) })}
      </p>
      <dl class="pit-facts">
        <div>
          <dt>{t("issued")}</dt>
          <dd>{moment(voucher.at)}</dd>
        </div>
        <div>
          <dt>{t("expires")}</dt>
          <dd>{moment(voucher.expires)}</dd>
        </div>
      </dl>
      {voucher.takes_two && <p class="pit-quiet">{t("takes_two")}</p>}
      <div role="alert">{fault.value !== null && <p class="console-refused">{said(fault.value)}</p>}</div>
      <p class="pit-acts">
        <Button kind="main" busy={busy.value} onClick={() => void attempt(() => desk.pay(voucher))}>
          {t(voucher.takes_two ? "pay_two" : "pay", blanks)}
        </Button>
        {voucher.sold && <Button onClick={() => (voiding.value = true)}>{t("void")}</Button>}
        <Button kind="quiet" onClick={() => (desk.presented.value = null)}>
          {t("put_away")}
        </Button>
      </p>
      {voiding.value && <Voiding desk={desk} voucher={voucher} onClose={() => (voiding.value = false)} />}
    </article>
  );
}

/** The form to void a sale: a reason, and a second person's approval [D41]. */
function Voiding({ desk, voucher, onClose }: FoundProps & { readonly onClose: () => void }) {
  const t = useWords("cage");
  const why = useSignal("");
  const missing = useSignal(false);
  const { fault, busy, attempt } = useAttempt();
  const send = async (): Promise<void> => {
    missing.value = why.value.trim() === "";
    if (!missing.value && (await attempt(() => desk.void(voucher, why.value)))) onClose();
  };
  return (
    <Dialog title={t("void_title", { serial: number(voucher.serial) })} onClose={onClose}>
      <form
        class="console-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send().catch(reportError);
        }}
      >
        <p class="cage-worth">{money(voucher.value)}</p>
        <Field
          label={t("void_why")}
          hint={t("void_hint")}
          fault={missing.value ? t("missing_why") : fault.value}
          autocomplete="off"
          maxLength={WHY_MAX}
          value={why.value}
          onInput={(event) => (why.value = event.currentTarget.value)}
          autofocus
        />
        <p class="pit-acts">
          <Button kind="grave" type="submit" busy={busy.value}>
            {t("void_now", { amount: money(voucher.value) })}
          </Button>
          <Button onClick={onClose}>{t("cancel")}</Button>
        </p>
      </form>
    </Dialog>
  );
}
