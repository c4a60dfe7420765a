/** Irregularities as a list: the user chooses one, sees what will happen, and confirms it. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import type { Consequence, IrregularityView, PreviewAsked } from "../../answers.ts";
import { PIT } from "../../declared.ts";
import type { Role, WireCommand } from "../../protocol.ts";
import { Button } from "../../shell/index.ts";
import { said } from "../../words/said.ts";
import { cited, money, useWords, type Words } from "../../words/words.ts";
import { capital } from "../../words/capital.ts";
import { PreviewAnswer, usePreview } from "../parts/preview.tsx";
import { Fields, type Given } from "./fields.tsx";
import { isWhole, postingOf } from "./moves.tsx";
import type { Taker } from "../keys.ts";
import { ECHO } from "../steps/next.ts";
import "./irregularities.css";

const NOTHING: Given = { note: "", first: "", round: "", faces: [], dice_set: "", voids_round: false, moves: [] };

export interface IrregularitiesProps {
  /** The table, and whether its money is chips. */
  readonly table: string;
  readonly chips: boolean;
  readonly list: readonly IrregularityView[];
  /** The role of the person logged in. */
  readonly role: Role;
  readonly chosen: string | null;
  readonly onChoose: (code: string | null) => void;
  /** Ask the server again what will happen with the given values. */
  readonly onGiven: (code: string, given: Given) => void;
  /** Send the command; returns the answer as a sentence, and whether it was refused. */
  readonly onConfirm: (command: WireCommand) => Promise<Outcome>;
  readonly takeKeys: (taker: Taker | null) => void;
  /** Everything at this table that waits for a second person; null while that is not known. */
  readonly waiting?: readonly string[] | null;
}

export interface Outcome {
  readonly refused: boolean;
  readonly sentence: string;
  readonly clause: string | null;
  /** What waits for a second person because of it. */
  readonly pending?: string | null;
}

export function Irregularities(props: IrregularitiesProps) {
  const t = useWords("console");
  const who = useWords("shell");
  const chosen = props.list.find((each) => each.code === props.chosen);
  if (chosen !== undefined) return <Chosen key={chosen.code} {...props} of={chosen} />;
  const open = props.list.filter((each) => each.standing === "open");
  const refused = props.list.filter((each) => each.standing === "refused");
  return (
    <section class="console-irregular" aria-label={t("irregularities")}>
      <p class="console-hint">{t("irregular_how")}</p>
      <ul class="console-irregular-list">
        {[...open, ...refused].map((each) => (
          <li key={each.code}>
            <button
              type="button"
              class="console-irregular-one"
              aria-disabled={each.standing === "refused"}
              data-code={each.code}
              onClick={() => props.onChoose(each.code)}
            >
              <span class="console-irregular-name">{each.name}</span>
              <span class="console-irregular-what">{inShort(t, who, props.role, each)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Roles that work at a console, or are called to one. */
const ROLES = { dealer: true, supervisor: true, "pit-manager": true, "shift-manager": true, technician: true };
type StaffRole = keyof typeof ROLES;

type T = ReturnType<typeof useWords<"console">>;

/** The effect of an irregularity in a few words, shown beside its name. */
function inShort(t: T, who: Words<"shell">, role: Role, each: IrregularityView): string {
  if (each.may.length > 0 && !each.may.includes(role)) {
    const roles = each.may.filter((name) => name in ROLES).map((name) => who(`role_${name as StaffRole}`));
    return t("for_roles", { roles: roles.join(who("list_join")) });
  }
  if (each.standing === "refused") return capital(each.sentence ?? "");
  if (each.voids) return each.second ? t("voids_two") : t("voids");
  if (each.stops) return t("stops");
  return each.second ? t("takes_two") : t("recorded_only");
}

/** The command of an irregularity, with the values of its fields. */
export function filledIn(view: IrregularityView, given: Given): WireCommand | null {
  const { command } = view;
  if (command === null) return null;
  switch (command.type) {
    case "ReportIrregularity":
    case "RecordInterruption":
    case "Rectify":
    case "DeclareSafeProcedure":
      return { ...command, note: given.note };
    case "FindUndamaged":
      return { ...command, note: given.note, dice_set: given.dice_set || command.dice_set };
    case "ReportDamage":
      return { ...command, note: given.note, dice_set: given.dice_set || null };
    case "VoidSettledRounds":
      return {
        ...command,
        first: Number(given.first || command.first),
        note: given.note,
        dice_set: given.dice_set || null,
      };
    case "CorrectSettledRound":
      return { ...command, round: Number(given.round || command.round), faces: given.faces, note: given.note };
    case "AmendResult":
      return { ...command, faces: given.faces };
    case "Rule":
      return {
        ...command,
        note: given.note,
        voids_round: given.voids_round,
        postings: given.moves.flatMap((move) => postingOf(move) ?? []),
      };
    default:
      return command;
  }
}

/** Roles that may see what a command would do to every account. */
const MAY_LOOK: ReadonlySet<Role> = new Set(PIT);

/** The command to preview: one that corrects money, once its fields are filled in. */
function previewedOf(view: IrregularityView, given: Given, role: Role): PreviewAsked["command"] | null {
  if (!MAY_LOOK.has(role) || !view.may.includes(role)) return null;
  // The note is typed last, and does not change the effects.
  const command = filledIn(view, { ...given, note: given.note.trim() || "…" });
  if (command?.type === "Rule") return (command.postings ?? []).length > 0 ? command : null;
  if (command?.type === "VoidSettledRounds" || command?.type === "CorrectSettledRound") return command;
  return null;
}

function Chosen(props: IrregularitiesProps & { readonly of: IrregularityView }) {
  const { of: view } = props;
  const t = useWords("console");
  const given = useSignal<Given>(NOTHING);
  const answered = useSignal<Outcome | null>(null);
  const sending = useSignal(false);
  const change = (part: Partial<Given>): void => {
    given.value = { ...given.value, ...part };
    if (!("note" in part || "moves" in part)) props.onGiven(view.code, given.value);
  };
  const whole =
    (!view.fields.includes("faces") || given.value.faces.length === ECHO) && given.value.moves.every(isWhole);
  const preview = usePreview(props.table, whole ? previewedOf(view, given.value, props.role) : null);
  const confirm = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const command = filledIn(view, given.value);
    if (command === null || !whole || sending.value) return;
    sending.value = true;
    answered.value = await props.onConfirm(command);
    sending.value = false;
  };
  const back = (): void => props.onChoose(null);
  useWhenAnswered(answered.value?.pending ?? null, props.waiting ?? null, back);
  if (answered.value?.refused === false) return <DoneWith outcome={answered.value} view={view} onBack={back} />;
  return (
    <form class="console-form console-irregular-chosen" onSubmit={(event) => void confirm(event)}>
      <header>
        <Button kind="quiet" onClick={back}>
          ← {t("back_to_list")}
        </Button>
        <h2>{view.name}</h2>
        {view.clause !== null && <span class="console-clause">{cited(t, view.clause)}</span>}
      </header>
      {view.standing === "refused" ? (
        <p class="console-refused">
          {capital(view.sentence ?? "")}
          {" "}
          {view.refusal_clause !== null && (
            <span class="console-clause">{cited(t, view.refusal_clause)}</span>
          )}
        </p>
      ) : (
        <>
          <Will title={view.second ? t("will_now") : t("will_happen")} will={view.will} />
          {view.second && <Will title={t("will_agreed")} will={view.agreed} />}
          {view.voids && (
            <p class="console-irregular-returned">
              {t.count("returned", view.bets, { amount: money(view.returned) })}
            </p>
          )}
          <Fields
            view={view}
            given={given.value}
            chips={props.chips}
            onChange={change}
            takeKeys={props.takeKeys}
          />
          {whole && previewedOf(view, given.value, props.role) !== null && (
            <PreviewAnswer answer={preview.value} chips={props.chips} />
          )}
          <p class="console-form-acts">
            <Button kind={view.voids || view.stops ? "grave" : "main"} type="submit" busy={sending.value} aria-disabled={!whole}>
              {view.second ? t("report_and_wait") : t("report_now")}
            </Button>
            <Button onClick={back}>{t("cancel")}</Button>
          </p>
        </>
      )}
      {answered.value !== null && <Answered outcome={answered.value} />}
    </form>
  );
}

/** Call back once a second person has answered: a report that waited then no longer does. */
function useWhenAnswered(pending: string | null, waiting: readonly string[] | null, back: () => void): void {
  const waited = useRef(false);
  useEffect(() => {
    if (pending === null || waiting === null) return;
    const waits = waiting.includes(pending);
    if (waited.current && !waits) back();
    waited.current = waits;
  }, [pending, waiting]);
}

function Will({ title, will }: { readonly title: string; readonly will: readonly Consequence[] }) {
  const t = useWords("console");
  if (will.length === 0) return null;
  return (
    <section class="console-will">
      <h3>{title}</h3>
      <ol>
        {will.map((each, place) => (
          <li key={place}>
            {capital(each.sentence)}
            {" "}
            {each.clause != null && <span class="console-clause">{cited(t, each.clause)}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Answered({ outcome }: { readonly outcome: Outcome }) {
  const t = useWords("console");
  return (
    <p class="console-refused" role="alert">
      {capital(said(outcome.sentence))}
      {" "}
      {outcome.clause !== null && <span class="console-clause">{cited(t, outcome.clause)}</span>}
    </p>
  );
}

interface DoneProps {
  readonly outcome: Outcome;
  readonly view: IrregularityView;
  readonly onBack: () => void;
}

function DoneWith({ outcome, view, onBack }: DoneProps) {
  const t = useWords("console");
  return (
    <section class="console-irregular-done" role="status">
      <h2>{view.name}</h2>
      <p>{said(outcome.sentence)}</p>
      <Button kind="main" onClick={onBack}>
        {t("back_to_list")}
      </Button>
    </section>
  );
}
