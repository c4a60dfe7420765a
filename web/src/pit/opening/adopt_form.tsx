/** The form to choose a table's rulebook, adopted exactly as the server publishes it. */

import { useSignal } from "@preact/signals";

import type { RulebookList } from "../../answers.ts";
import { capital } from "../../words/capital.ts";
import { Problem } from "../../live/index.ts";
import type { Refused, Registered, WireCommand } from "../../protocol.ts";
import { Button, Choice, Dialog, given } from "../../shell/index.ts";
import { number, useWords } from "../../words/words.ts";
import { useOnce } from "../once.ts";

interface Props {
  readonly title: string;
  readonly onAsk: (command: WireCommand) => Promise<Registered | Refused>;
  readonly onClose: () => void;
}

/** The canonical text of a rulebook, not parsed: its hash is of exactly this text. */
async function canonicalOf(key: string, unreachable: string): Promise<string> {
  const answer = await fetch(`/api/rulebooks/${encodeURIComponent(key)}`).catch((error: unknown) => {
    const problem = new Problem(0, "UNREACHABLE", unreachable);
    problem.cause = error;
    throw problem;
  });
  if (!answer.ok) throw new Problem(answer.status, "UNREADABLE", unreachable);
  return answer.text();
}

export function AdoptForm({ title, onAsk, onClose }: Props) {
  const t = useWords("pit");
  const books = useOnce<RulebookList>("/api/rulebooks");
  const fault = useSignal<string | null>(null);
  const busy = useSignal(false);
  const adopt = async (address: string): Promise<void> => {
    const [key = "", pay_table] = address.split("/");
    const canonical = await canonicalOf(key, t("rulebook_unread"));
    const answer = await onAsk({ type: "AdoptRulebook", canonical, pay_table: Number(pay_table) });
    if (answer.type === "Registered") onClose();
    else fault.value = capital(answer.sentence);
  };
  const submit = (event: SubmitEvent): void => {
    const { address } = given(event);
    if (address === undefined || busy.value) return;
    busy.value = true;
    fault.value = null;
    adopt(address)
      .catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        fault.value = capital(error.message);
      })
      .catch(reportError)
      .finally(() => {
        busy.value = false;
      });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="pit-form" onSubmit={submit}>
        <p class="pit-quiet">{t("adopt_how")}</p>
        <Choice label={t("rulebook")} name="address" fault={fault.value} required>
          {(books.value?.rulebooks ?? []).map((book) => (
            <optgroup key={book.key} label={titleOf(t, book)}>
              {book.pay_tables.map(({ address, layout, boxes }) => (
                <option key={address} value={address}>
                  {t("pay_table_of", { address, layout, boxes: number(boxes) })}
                </option>
              ))}
            </optgroup>
          ))}
        </Choice>
        <p class="pit-quiet">{t("takes_two")}</p>
        <p class="pit-acts">
          <Button kind="main" type="submit" busy={busy.value || books.value === null}>
            {title}
          </Button>
          <Button onClick={onClose}>{t("cancel")}</Button>
        </p>
      </form>
    </Dialog>
  );
}

function titleOf(t: ReturnType<typeof useWords<"pit">>, book: RulebookList["rulebooks"][number]): string {
  const { title, version } = book;
  return version === null ? title : t("book_version", { title, version });
}
