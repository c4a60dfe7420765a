/** Receipts for players: a session's code finds its rounds, and the server signs one of them. */

import { useSignal } from "@preact/signals";

import type { PlayedRounds, RoundReceipt } from "../answers.ts";
import { post } from "../live/index.ts";
import { CodeForm } from "../pit/cage/code_form.tsx";
import { Button, Dialog, Field, given, useSending } from "../shell/index.ts";
import { ReceiptDialog } from "../slips/receipt.tsx";
import { amount, number, useWords } from "../words/words.ts";

export function Receipts() {
  const t = useWords("cage");
  const open = useSignal(false);
  const receipt = useSignal<RoundReceipt | null>(null);
  return (
    <section class="pit-panel" aria-labelledby="cage-receipts">
      <h2 id="cage-receipts">{t("receipt")}</h2>
      <p class="pit-quiet">{t("receipt_how")}</p>
      <p class="pit-acts">
        <Button onClick={() => (open.value = true)}>{t("receipt_find")}…</Button>
      </p>
      {open.value && (
        <Rounds
          onReceipt={(signed) => {
            open.value = false;
            receipt.value = signed;
          }}
          onClose={() => (open.value = false)}
        />
      )}
      {receipt.value !== null && <ReceiptDialog receipt={receipt.value} onClose={() => (receipt.value = null)} />}
    </section>
  );
}

interface RoundFormProps {
  readonly busy: boolean;
  readonly onRound: (round: number) => void;
}

/** The form for any other round of the session, however old, by its number. */
function RoundForm({ busy, onRound }: RoundFormProps) {
  const t = useWords("cage");
  return (
    <form
      class="console-form"
      onSubmit={(event) => {
        const round = Number(given(event)["round"]);
        if (Number.isInteger(round) && round > 0) onRound(round);
      }}
    >
      <Field label={t("receipt_other")} name="round" inputMode="numeric" pattern="[0-9]{1,15}" autocomplete="off" required />
      <p class="pit-acts">
        <Button type="submit" busy={busy}>
          {t("receipt_other_make")}
        </Button>
      </p>
    </form>
  );
}

interface RoundsProps {
  readonly onReceipt: (receipt: RoundReceipt) => void;
  readonly onClose: () => void;
}

function Rounds({ onReceipt, onClose }: RoundsProps) {
  const t = useWords("cage");
  const slips = useWords("slips");
  const found = useSignal<(PlayedRounds & { readonly code: string }) | null>(null);
  const { fault, busy, send } = useSending();
  const look = (code: string): void =>
    send(async () => {
      found.value = { code, ...(await post<PlayedRounds>("/api/cage/rounds", { code })) };
    });
  const sign = (round: number): void =>
    send(async () => {
      const code = found.value?.code;
      onReceipt(await post<RoundReceipt>("/api/cage/receipts", { code, round }));
    });
  return (
    <Dialog title={t("receipt")} onClose={onClose}>
      <CodeForm label={t("receipt_find")} fault={fault} busy={busy} onCode={look} onClose={onClose} />
      {found.value !== null && (
        <>
          <p>{slips("receipt_table", { table: found.value.table, session: found.value.session })}</p>
          {found.value.rounds.length === 0 && <p class="pit-quiet">{t("receipt_none")}</p>}
          <ul class="cage-wins">
            {found.value.rounds.map((round) => (
              <li key={round.round}>
                <span>
                  <strong>{slips("receipt_round", { round: number(round.round) })}</strong>{" "}
                  {round.faces?.join(" · ")}
                  <br />
                  {slips("receipt_stake")} {amount(round.staked)}, {slips("receipt_back")} {amount(round.back)}
                </span>
                <Button
                  aria-label={t("receipt_make", { round: number(round.round) })}
                  onClick={() => sign(round.round)}
                >
                  {slips("receipt_of")}
                </Button>
              </li>
            ))}
          </ul>
          <RoundForm busy={busy} onRound={sign} />
        </>
      )}
    </Dialog>
  );
}
