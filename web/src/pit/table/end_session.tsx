/** Ends a player's session: the effects, the reason, and the code to hand to the player. */

import { useSignal } from "@preact/signals";

import type { EndedSession } from "../../answers.ts";
import { PreviewAnswer, usePreview } from "../../console/parts/preview.tsx";
import { newId, post, Problem } from "../../live/index.ts";
import { Button, Dialog } from "../../shell/index.ts";
import { inFours } from "../../words/written.ts";
import { money, useWords } from "../../words/words.ts";
import { NoteForm, type Answered } from "./note_form.tsx";
import "./end_session.css";

interface Props {
  readonly table: string;
  readonly terminal: string;
  readonly onClose: () => void;
}

export function EndSession({ table, terminal, onClose }: Props) {
  const t = useWords("pit");
  const ended = useSignal<EndedSession | null>(null);
  const id = useSignal(newId());
  const answer = usePreview(table, { type: "EndSession", terminal, note: "…" });
  const end = async (note: string): Promise<Answered> => {
    try {
      const path = `/api/tables/${encodeURIComponent(table)}/sessions/end`;
      ended.value = await post<EndedSession>(path, { id: id.value, terminal, note });
      return { type: "Registered" };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // The next press is a new order, unless the outcome of this one is unknown.
      if (error.status !== 0) id.value = newId();
      return { type: "Refused", sentence: error.message };
    }
  };
  if (ended.value !== null) return <Ended ended={ended.value} onClose={onClose} />;
  return (
    <NoteForm title={t("end_session_of", { terminal })} onNote={end} onClose={onClose} keepsOpen>
      <p class="pit-quiet">{t("end_session_how")}</p>
      <PreviewAnswer answer={answer.value} chips={false} />
    </NoteForm>
  );
}

/** The money set aside, and the code: the cage pays the person who brings it. */
function Ended({ ended, onClose }: { readonly ended: EndedSession; readonly onClose: () => void }) {
  const t = useWords("pit");
  return (
    <Dialog title={t("ended_title", { terminal: ended.terminal })} onClose={onClose}>
      <div class="pit-form" role="status">
        {ended.amount === 0 ? (
          <p>{t("ended_nothing")}</p>
        ) : (
          <p>{t("ended_kept", { amount: money(ended.amount) })}</p>
        )}
        <p class="pit-ended-code">
          <span>{t("ended_code")}</span> <strong>{inFours(ended.session)}</strong>
        </p>
        <p>{t("ended_give")}</p>
        <p class="pit-acts">
          <Button kind="main" onClick={onClose} autofocus>
            {t("ended_done")}
          </Button>
        </p>
      </div>
    </Dialog>
  );
}
