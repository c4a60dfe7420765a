/** The handling of an alert: who has seen it, who is responsible, and the buttons for both. */

import { useSignal } from "@preact/signals";

import type { Alert, AlertStep, StaffMember } from "../../answers.ts";
import { GIVE_ALERTS } from "../../declared.ts";
import { newId, post } from "../../live/index.ts";
import { Button, Choice, Dialog, Fault, Field, useSending } from "../../shell/index.ts";
import { clock, moment, useWords, type Words } from "../../words/words.ts";
import type { Floor } from "../floor.ts";
import { useOnce } from "../once.ts";
import "./care.css";

const NOTE_LETTERS_MAX = 500;

interface CareProps {
  readonly floor: Floor;
  readonly alert: Alert;
}

/** Who has seen an alert and who is responsible for it, with buttons to handle it. */
export function AlertCare({ floor, alert }: CareProps) {
  const t = useWords("pit");
  const opened = useSignal(false);
  const { fault, busy, send } = useSending();
  const { care } = alert;
  const seen = care?.acknowledged ?? null;
  const acknowledge = async (): Promise<void> => {
    await post(`/api/pit/alerts/${alert.alert}/acknowledge`, { id: newId() });
    floor.pit.refresh();
  };
  return (
    <div class="pit-care">
      {seen !== null && (
        <p class="pit-care-seen">
          <span aria-hidden="true">✓</span> {t("seen_by", { person: seen.by, time: clock(seen.at) })}
        </p>
      )}
      {care?.person != null && (
        <p class="pit-care-with">
          <span aria-hidden="true">☞</span> {t("with_person", { person: care.person })}
        </p>
      )}
      {floor.mayAct && (
        <p class="pit-care-acts">
          {seen === null && (
            <Button busy={busy} aria-label={t("acknowledge_of", { alert: alert.sentence })} onClick={() => send(acknowledge)}>
              {t("acknowledge")}
            </Button>
          )}
          <Button kind="quiet" aria-label={t("see_to_of", { alert: alert.sentence })} onClick={() => (opened.value = true)}>
            {t("see_to")}
          </Button>
        </p>
      )}
      <Fault>{fault}</Fault>
      {opened.value && <SeeTo floor={floor} alert={alert} onClose={() => (opened.value = false)} />}
    </div>
  );
}

interface SeeToProps extends CareProps {
  readonly onClose: () => void;
}

/** The history of an alert, and a form to do more: add a note, take it, or give it to another. */
function SeeTo({ floor, alert, onClose }: SeeToProps) {
  const t = useWords("pit");
  const note = useSignal("");
  const { fault, busy, send } = useSending();
  const { care } = alert;
  const act = (what: "acknowledge" | "assign", more: object = {}): void =>
    send(async () => {
      await post(`/api/pit/alerts/${alert.alert}/${what}`, { id: newId(), note: note.peek(), ...more });
      floor.pit.refresh();
      onClose();
    });
  return (
    <Dialog title={t("see_to_title")} onClose={onClose}>
      <div class="pit-form">
        <p class="pit-care-words">{alert.sentence}</p>
        {care !== null && <Steps steps={care.steps} />}
        <Field
          label={t("care_note")}
          maxLength={NOTE_LETTERS_MAX}
          autocomplete="off"
          value={note.value}
          onInput={({ currentTarget }) => (note.value = currentTarget.value)}
        />
        <Fault>{fault}</Fault>
        <p class="pit-acts">
          {care?.acknowledged == null && (
            <Button kind="main" busy={busy} onClick={() => act("acknowledge")}>
              {t("acknowledge")}
            </Button>
          )}
          {care?.person !== floor.who.person && (
            <Button busy={busy} onClick={() => act("assign", { person: floor.who.person })}>
              {t("take_it")}
            </Button>
          )}
          <Button kind="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
        </p>
        {GIVE_ALERTS.includes(floor.who.role) && (
          <Give of={care?.person ?? null} busy={busy} onGive={(person) => act("assign", { person })} />
        )}
      </div>
    </Dialog>
  );
}

interface GiveProps {
  readonly of: string | null;
  readonly busy: boolean;
  readonly onGive: (person: string) => void;
}

/** The form to give an alert to a member of staff. */
function Give({ of, busy, onGive }: GiveProps) {
  const t = useWords("pit");
  const staff = useOnce<readonly StaffMember[]>("/api/staff");
  const chosen = useSignal("");
  const others = (staff.value ?? []).filter(({ person }) => person !== of);
  const person = chosen.value || (others[0]?.person ?? "");
  if (others.length === 0) return null;
  return (
    <div class="pit-care-give">
      <Choice label={t("give_to")} value={person} onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}>
        {others.map((each) => (
          <option key={each.person}>{each.person}</option>
        ))}
      </Choice>
      <Button busy={busy} onClick={() => onGive(person)}>
        {t("give_it")}
      </Button>
    </div>
  );
}

/** What was done about an alert, the oldest first. */
export function Steps({ steps }: { readonly steps: readonly AlertStep[] }) {
  const t = useWords("pit");
  return (
    <ol class="pit-care-steps" aria-label={t("care_history")}>
      {steps.map((step, place) => (
        <li key={place}>
          <time>{moment(step.at)}</time> {wordsOf(t, step)}
          {step.note !== "" && <q>{step.note}</q>}
        </li>
      ))}
    </ol>
  );
}

function wordsOf(t: Words<"pit">, { by, person }: AlertStep): string {
  if (person === null) return t("step_seen", { by });
  return person === by ? t("step_taken", { by }) : t("step_given", { by, person });
}
