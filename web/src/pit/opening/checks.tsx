/** The checks that a rulebook asks for before a table opens, as a list to tick. */

import { useSignal } from "@preact/signals";

import type { Wanted } from "../../answers.ts";
import { Button } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";

interface Props {
  readonly checks: readonly Wanted[];
  /** Who makes them, as the document calls them. */
  readonly by: string | null;
  readonly mayAct: boolean;
  readonly busy: boolean;
  readonly onRecord: (made: readonly string[]) => void;
}

export function Checks({ checks, by, mayAct, busy, onRecord }: Props) {
  const t = useWords("pit");
  const ticked = useSignal<ReadonlySet<string>>(new Set());
  const open = checks.filter(({ done }) => !done);
  const step = open[0]?.step ?? null;
  const refused = step?.standing === "refused";
  const isMade = ({ code, done }: Wanted): boolean => done || ticked.value.has(code);
  const made = open.map(({ code }) => code).filter((code) => ticked.value.has(code));
  return (
    <fieldset class="pit-checks">
      <legend>{by === null ? t("checks") : t("checks_by", { by })}</legend>
      {checks.map((check) => (
        <label key={check.code} class="pit-check">
          <input
            type="checkbox"
            checked={isMade(check)}
            disabled={check.done || refused || !mayAct}
            onChange={(event) => {
              const next = new Set(ticked.value);
              if (event.currentTarget.checked) next.add(check.code);
              else next.delete(check.code);
              ticked.value = next;
            }}
          />
          <span>
            {check.name}
            {check.clause !== null && <span class="pit-clause">{t("clause", { clause: check.clause })}</span>}
          </span>
        </label>
      ))}
      {refused && <p class="pit-why">{step.sentence}</p>}
      {mayAct && step !== null && !refused && (
        <Button
          kind={step.standing === "next" ? "main" : "plain"}
          busy={busy}
          aria-disabled={made.length === 0}
          onClick={() => {
            if (made.length > 0) onRecord(made);
          }}
        >
          {step.label}
        </Button>
      )}
    </fieldset>
  );
}
