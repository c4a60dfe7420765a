/** The operation of a table: what it needs before it opens, notice of closing, and closing. */

import { useSignal } from "@preact/signals";

import type { Opening } from "../../answers.ts";
import type { Answered } from "../../console/polling.ts";
import type { Step } from "../../protocol.ts";
import { Button } from "../../shell/index.ts";
import { said } from "../../words/said.ts";
import { useWords } from "../../words/words.ts";
import { useRequest } from "../requests.ts";
import type { Floor } from "../floor.ts";
import { NoteForm } from "./note_form.tsx";
import { OpeningList } from "../opening/opening.tsx";
import type { Seen } from "../tables/condition.ts";
import "./operation.css";

interface Props {
  readonly floor: Floor;
  readonly seen: Seen;
  readonly opening: Answered<Opening>;
}

export function Running({ floor, seen, opening }: Props) {
  const t = useWords("pit");
  const closed = opening.value !== null && !opening.value.open;
  return (
    <section class="pit-panel" aria-labelledby="pit-running">
      <h3 id="pit-running">{t(closed ? "opening" : "running")}</h3>
      {opening.value === null ? (
        <p class="pit-quiet">{opening.sentence ?? t("asking")}</p>
      ) : closed ? (
        <OpeningList floor={floor} seen={seen} opening={opening.value} />
      ) : (
        <Open floor={floor} seen={seen} />
      )}
    </section>
  );
}

/** Steps of an open table that are taken in the pit; the others are taken at the Game Console. */
const OURS = ["GiveNotice", "CloseTable", "Rectify", "DeclareSafeProcedure"] as const;
/** Steps that are shown only at a stopped table. */
const STOPPED: ReadonlySet<string> = new Set(["Rectify", "DeclareSafeProcedure"]);

function Open({ floor, seen }: { readonly floor: Floor; readonly seen: Seen }) {
  const t = useWords("pit");
  const { reported, live, condition } = seen;
  const { busy, refused, ask } = useRequest(floor, reported.table);
  const noting = useSignal<Step | null>(null);
  const steps = (live?.steps.value?.steps ?? []).filter(
    ({ command }) =>
      OURS.some((each) => each === command) && (!STOPPED.has(command) || condition.stopped !== null),
  );
  if (live === null) return <p class="pit-quiet">{t("at_console")}</p>;
  return (
    <>
      {condition.noticeGiven && <p class="pit-running-notice">{t("closes_after")}</p>}
      <ul class="pit-running">
        {steps.map((step) => (
          <li key={step.command}>
            {floor.mayAct && (
              <Button
                kind={step.standing === "next" ? "main" : "plain"}
                busy={busy.value === step.command}
                aria-disabled={step.standing === "refused"}
                onClick={() => {
                  if (step.standing === "refused") return;
                  if (step.give === null) noting.value = step;
                  else void ask(step.give);
                }}
              >
                {step.label}
                {step.fields.length > 0 && "…"}
              </Button>
            )}
            {!floor.mayAct && <span>{step.label}</span>}
            {step.standing === "refused" && <span class="pit-why">{step.sentence}</span>}
          </li>
        ))}
      </ul>
      <div role="alert">
        {refused.value !== null && <p class="pit-refused">{said(refused.value.sentence)}</p>}
      </div>
      {noting.value !== null && (
        <NoteForm
          title={noting.value.label}
          second={noting.value.second}
          onClose={() => (noting.value = null)}
          onNote={(note) =>
            ask(
              noting.value?.command === "DeclareSafeProcedure"
                ? { type: "DeclareSafeProcedure", note }
                : { type: "Rectify", note },
            )
          }
        />
      )}
    </>
  );
}
