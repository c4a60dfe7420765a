/** The fields of a report: the round, the dice, and a note on what happened. */

import type { IrregularityView } from "../../answers.ts";
import { Field } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import { FacePicker } from "../entry/face_picker.tsx";
import type { Taker } from "../keys.ts";
import { Moves, type Move } from "./moves.tsx";

/** The values of the fields; with them the server describes more exactly what will happen. */
export interface Given {
  readonly note: string;
  readonly first: string;
  readonly round: string;
  readonly faces: readonly number[];
  readonly dice_set: string;
  readonly voids_round: boolean;
  /** The money that a ruling moves. */
  readonly moves: readonly Move[];
}

interface FieldsProps {
  /** Whether the table's money is chips. */
  readonly chips: boolean;
  readonly view: IrregularityView;
  readonly given: Given;
  readonly onChange: (part: Partial<Given>) => void;
  readonly takeKeys: (taker: Taker | null) => void;
}

/** The fields that an irregularity needs. */
export function Fields({ view, given, chips, onChange, takeKeys }: FieldsProps) {
  const t = useWords("console");
  const wants = (field: string): boolean => view.fields.includes(field) || view.optional.includes(field);
  const proposed = (name: "first" | "round"): string => {
    const number = view.command === null ? undefined : Reflect.get(view.command, name);
    return number === undefined ? "" : String(number);
  };
  return (
    <>
      {wants("first") && (
        <Field
          label={t("first_round")}
          type="number"
          min={1}
          value={given.first || proposed("first")}
          onInput={(event) => onChange({ first: event.currentTarget.value })}
        />
      )}
      {wants("round") && (
        <Field
          label={t("which_round")}
          type="number"
          min={1}
          value={given.round || proposed("round")}
          onInput={(event) => onChange({ round: event.currentTarget.value })}
        />
      )}
      {wants("faces") && (
        <FacePicker
          faces={given.faces}
          onFaces={(faces) => onChange({ faces })}
          takeKeys={takeKeys}
        />
      )}
      {wants("dice_set") && (
        <Field
          label={t("dice_set")}
          hint={t("dice_set_how")}
          maxLength={64}
          value={given.dice_set}
          onInput={(event) => onChange({ dice_set: event.currentTarget.value })}
        />
      )}
      {wants("note") && (
        <Field
          label={t("note")}
          hint={t("note_how")}
          maxLength={500}
          required={view.fields.includes("note")}
          value={given.note}
          onInput={(event) => onChange({ note: event.currentTarget.value })}
        />
      )}
      {wants("voids_round") && (
        <label class="console-check">
          <input
            type="checkbox"
            checked={given.voids_round}
            onChange={(event) => onChange({ voids_round: event.currentTarget.checked })}
          />
          <span>{t("voids_round")}</span>
        </label>
      )}
      {wants("postings") && (
        <Moves moves={given.moves} chips={chips} onMoves={(moves) => onChange({ moves })} />
      )}
    </>
  );
}
