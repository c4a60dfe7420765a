/** The fields of a step's form: a name, a number of tumbles, what was lit or sealed. */

import type { WireCommand } from "../../protocol.ts";
import { Field } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import { ECHO } from "./next.ts";

/** The values of all fields that a step may have. */
export interface Filled {
  readonly faces: readonly number[];
  readonly note: string;
  readonly dice_set: string;
  readonly seal: string;
  readonly identity: string;
  readonly power: string;
  readonly times: string;
  readonly right: boolean;
  readonly intact: boolean;
  readonly testified: readonly Fact[];
}

/** Missing facts of a round that two persons may testify to. */
export const FACTS = ["closed", "tumbled"] as const;
export type Fact = (typeof FACTS)[number];

export const NOTHING: Filled = {
  ...{ faces: [], note: "", dice_set: "", seal: "", identity: "", power: "", times: "" },
  ...{ right: true, intact: true, testified: [] },
};

/** The command of a step with its fields; `equipment` is the piece to register. */
export function commandOf(command: string, filled: Filled, equipment = ""): WireCommand | null {
  const { faces, note, dice_set, seal, identity, power, times, right, intact, testified } = filled;
  switch (command) {
    case "AmendResult":
    case "RunTest":
      return { type: command, faces };
    case "DeclareOutcome":
      return faces.length === ECHO ? { type: command, faces, testified } : { type: command, faces: null };
    case "Rectify":
    case "DeclareSafeProcedure":
      return { type: command, note };
    case "RegisterDice":
      return { type: command, dice_set, seal };
    case "RegisterEquipment":
      return { type: command, equipment, identity };
    case "SwitchOn":
      return { type: command, power };
    case "VerifyTest":
      return { type: command, right, note };
    case "TryTumbler":
      return { type: command, times: Number(times) };
    case "ReadSeal":
      return { type: command, seal, intact };
    default:
      return null;
  }
}

/** Whether three faces are needed and some are missing. */
export function lacksFaces(command: string, filled: Filled): boolean {
  return (command === "AmendResult" || command === "RunTest") && filled.faces.length < ECHO;
}

const NAME_LETTERS_MAX = 64;
const NOTE_LETTERS_MAX = 500;
const NAMES = ["dice_set", "seal", "identity", "power"] as const;

interface Props {
  readonly fields: readonly string[];
  readonly filled: Filled;
  readonly onFill: (change: Partial<Filled>) => void;
}

export function ActFields({ fields, filled, onFill }: Props) {
  const t = useWords("console");
  const wants = (field: string): boolean => fields.includes(field);
  // A note is needed only if the wrong boxes were lit.
  const wantsNote = wants("note") && !(wants("right") && filled.right);
  return (
    <>
      {wants("right") && (
        <fieldset class="console-checks">
          <legend>{t("lit_how")}</legend>
          {([true, false] as const).map((right) => (
            <label key={String(right)} class="console-check">
              <input
                type="radio"
                name="right"
                checked={filled.right === right}
                onChange={() => onFill({ right })}
              />
              <span>{t(right ? "lit_right" : "lit_wrong")}</span>
            </label>
          ))}
        </fieldset>
      )}
      {wantsNote && (
        <Field
          label={t("note")}
          hint={t("note_how")}
          value={filled.note}
          maxLength={NOTE_LETTERS_MAX}
          required
          onInput={(event) => onFill({ note: event.currentTarget.value })}
        />
      )}
      {NAMES.filter(wants).map((field) => (
        <Field
          key={field}
          label={t(field)}
          value={filled[field]}
          maxLength={NAME_LETTERS_MAX}
          autocomplete="off"
          required
          onInput={(event) => onFill({ [field]: event.currentTarget.value })}
        />
      ))}
      {wants("times") && (
        <Field
          label={t("times")}
          type="number"
          min={0}
          max={1000}
          value={filled.times}
          required
          onInput={(event) => onFill({ times: event.currentTarget.value })}
        />
      )}
      {wants("intact") && (
        <label class="console-check">
          <input
            type="checkbox"
            checked={filled.intact}
            onChange={(event) => onFill({ intact: event.currentTarget.checked })}
          />
          <span>{t("intact")}</span>
        </label>
      )}
    </>
  );
}
