/** Wins that locked a terminal: each is paid by hand, against the winner's session code [D42]. */

import { useSignal } from "@preact/signals";

import type { LockedWin, SetAside } from "../answers.ts";
import { newId, post } from "../live/index.ts";
import type { Floor } from "../pit/floor.ts";
import { CodeForm } from "../pit/cage/code_form.tsx";
import { announce, Button, Dialog, useSending } from "../shell/index.ts";
import { saidOf } from "../words/said.ts";
import { money, useWords } from "../words/words.ts";

interface Props {
  readonly floor: Floor;
  readonly wins: readonly LockedWin[];
}

export function HandPays({ floor, wins }: Props) {
  const t = useWords("cage");
  const chosen = useSignal<LockedWin | null>(null);
  return (
    <section class="pit-panel" aria-labelledby="cage-hand">
      <h2 id="cage-hand">{t("hand")}</h2>
      {wins.length === 0 && <p class="pit-quiet">{t("hand_none")}</p>}
      {wins.length > 0 && (
        <ul class="cage-wins">
          {wins.map((win) => (
            <li key={`${win.table} ${win.terminal}`}>
              <span>
                <strong>{money(win.amount)}</strong> {t("hand_at", { terminal: win.terminal, table: win.table })}
              </span>
              <Button
                aria-label={t("hand_pay_of", { terminal: win.terminal, table: win.table })}
                onClick={() => (chosen.value = win)}
              >
                {t("hand_pay")}…
              </Button>
            </li>
          ))}
        </ul>
      )}
      {chosen.value !== null && <PayForm floor={floor} win={chosen.value} onClose={() => (chosen.value = null)} />}
    </section>
  );
}

interface PayProps {
  readonly floor: Floor;
  readonly win: LockedWin;
  readonly onClose: () => void;
}

/** The form to pay a win: the code proves who won, and a second person approves the payment. */
function PayForm({ floor, win, onClose }: PayProps) {
  const t = useWords("cage");
  const console = useWords("console");
  const refused = useSignal<string | null>(null);
  const { fault, busy, send } = useSending();
  const { table, terminal } = win;
  const pay = (code: string): void => {
    refused.value = null;
    send(async () => {
      const aside = await post<SetAside>("/api/cage/hand-pays", { id: newId(), table, terminal, code });
      const answer = await floor.ask("cage", { type: "PayUnclaimed", code, ...aside });
      if (answer.type === "Refused") {
        refused.value = answer.sentence;
        return;
      }
      announce(console("waits_second"));
      onClose();
    });
  };
  return (
    <Dialog title={t("hand_pay_of", { terminal, table })} onClose={onClose}>
      <CodeForm
        label={t("hand_pay")}
        fault={saidOf(refused.value) ?? fault}
        busy={busy}
        onCode={pay}
        onClose={onClose}
      >
        <p class="cage-worth">{money(win.amount)}</p>
        <p class="pit-quiet">{t("hand_how")}</p>
      </CodeForm>
    </Dialog>
  );
}
