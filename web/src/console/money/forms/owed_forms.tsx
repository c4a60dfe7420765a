/** Forms for money in the wrong place: to be recovered from a player, or on the wrong box. */

import { useSignal } from "@preact/signals";

import type { ChipTable, ChipStack } from "../../../live/index.ts";
import type { SeatMoney, PutBetRight, WireCommand } from "../../../protocol.ts";
import { Choice, Field } from "../../../shell/index.ts";
import { money, useWords, type Words } from "../../../words/words.ts";
import { readAmount } from "../../../words/written.ts";
import { chipsSentence } from "../../chips/payout/chips_drawn.tsx";
import { markedOf, NOTE_LETTERS_MAX, readChips, shortOf, sumWritten, writeChips, type Written } from "../counts/chips.ts";
import { CountSheet } from "../counts/count_sheet.tsx";
import { Amount, MoneyForm, type FormProps } from "./form.tsx";

/** Records how much of a reversal could not be collected from a player. */
export function RecoveryForm({ owed, ...form }: FormProps & { readonly owed: SeatMoney }) {
  const t = useWords("console");
  const missing = useSignal("");
  const note = useSignal("");
  const tried = useSignal(false);
  const amount = readAmount(missing.value);
  const read = (): WireCommand | null => {
    tried.value = true;
    if (amount == null || amount > owed.amount || note.value.trim() === "") return null;
    return { type: "RecordRecovery", seat: owed.name, missing: amount, note: note.value };
  };
  return (
    <MoneyForm
      title={t("money_recovery_of", { seat: owed.name })}
      act={t("money_recovery")}
      read={read}
      second
      {...form}
    >
      <p>{t("money_owed", { seat: owed.name, amount: money(owed.amount) })}</p>
      <Amount
        label={t("money_missing")}
        hint={t("money_missing_how")}
        fault={missingFault(t, amount, owed.amount, tried.value)}
        value={missing.value}
        onValue={(text) => (missing.value = text)}
        first
      />
      <Note note={note.value} onNote={(text) => (note.value = text)} tried={tried.value} />
    </MoneyForm>
  );
}

function missingFault(
  t: Words<"console">,
  amount: number | null | undefined,
  owed: number,
  tried: boolean,
): string | null {
  if (amount === undefined) return t("money_not_amount");
  if ((amount ?? 0) > owed) return t("money_missing_over", { amount: money(owed) });
  return tried && amount === null ? t("money_zero_missing") : null;
}

const REASONS: readonly PutBetRight["reason"][] = ["touching-line", "moved-by-dealer", "moved-by-patron"];

/** A box with its name. */
export interface BoxName {
  readonly box: string;
  readonly name: string;
}

interface PutRightProps extends FormProps {
  readonly table: ChipTable;
  readonly boxes: readonly BoxName[];
}

/** Moves a bet to the box that its player had meant. */
export function PutRightForm({ table, boxes, ...form }: PutRightProps) {
  const t = useWords("console");
  const place = useSignal(placeOf(table.stacks[0]));
  const to = useSignal("");
  const written = useSignal<Written>(writeChips(table.stacks[0]?.chips ?? []));
  const reason = useSignal<PutBetRight["reason"] | "">("");
  const note = useSignal("");
  const tried = useSignal(false);
  const stack = table.stacks.find((each) => placeOf(each) === place.value);
  const marked = markedOf(table);
  const nameOf = (box: string): string => boxes.find((each) => each.box === box)?.name ?? box;
  const choose = (chosen: string): void => {
    place.value = chosen;
    written.value = writeChips(table.stacks.find((each) => placeOf(each) === chosen)?.chips ?? []);
  };
  const none = tried.value && sumWritten(written.value, marked) === 0;
  const read = (): WireCommand | null => {
    tried.value = true;
    const chips = readChips(written.value, marked);
    if (stack === undefined || chips === undefined || to.value === "" || reason.value === "") return null;
    if (chips.length === 0 || shortOf(written.value, stack.chips) !== null) return null;
    if (note.value.trim() === "") return null;
    const where = { seat: stack.seat, from_box: stack.box, to_box: to.value };
    return { type: "PutBetRight", ...where, chips, reason: reason.value, note: note.value };
  };
  return (
    <MoneyForm title={t("money_put_right")} read={read} second {...form}>
      <StackChoice stacks={table.stacks} nameOf={nameOf} place={place.value} onPlace={choose} />
      <Choice
        label={t("money_to_box")}
        fault={tried.value && to.value === "" ? t("money_box_missing") : null}
        value={to.value}
        onChange={(event) => (to.value = event.currentTarget.value)}
      >
        <option value="">{t("money_choose")}</option>
        {boxes
          .filter(({ box }) => box !== stack?.box)
          .map(({ box, name }) => (
            <option key={box} value={box}>
              {name}
            </option>
          ))}
      </Choice>
      <CountSheet
        legend={t("money_chips_moved")}
        chips={(stack?.chips ?? []).map(([chip]) => chip)}
        written={written.value}
        onWrite={(next) => (written.value = next)}
        marked={marked}
        held={stack?.chips ?? []}
        fault={none ? t("money_chips_missing") : null}
      />
      <ReasonChoice reason={reason.value} onReason={(chosen) => (reason.value = chosen)} tried={tried.value} />
      <Note note={note.value} onNote={(text) => (note.value = text)} tried={tried.value} />
    </MoneyForm>
  );
}

/** The key of a stack, by seat and box: a player has one stack on a box. */
function placeOf(stack: ChipStack | undefined): string {
  return stack === undefined ? "" : `${stack.seat} ${stack.box}`;
}

interface StackChoiceProps {
  readonly stacks: readonly ChipStack[];
  readonly nameOf: (box: string) => string;
  readonly place: string;
  readonly onPlace: (place: string) => void;
}

function StackChoice({ stacks, nameOf, place, onPlace }: StackChoiceProps) {
  const t = useWords("console");
  const recording = useWords("recording");
  const names = useWords("layout");
  return (
    <Choice
      label={t("money_from_box")}
      value={place}
      autofocus
      onChange={(event) => onPlace(event.currentTarget.value)}
    >
      {stacks.map((stack) => (
        <option key={placeOf(stack)} value={placeOf(stack)}>
          {t(stack.oral ? "money_stack_oral" : "money_stack", {
            seat: stack.seat,
            box: nameOf(stack.box),
            chips: chipsSentence(recording, names, stack.chips),
          })}
        </option>
      ))}
    </Choice>
  );
}

interface ReasonProps {
  readonly reason: PutBetRight["reason"] | "";
  readonly onReason: (reason: PutBetRight["reason"]) => void;
  readonly tried: boolean;
}

function ReasonChoice({ reason, onReason, tried }: ReasonProps) {
  const t = useWords("console");
  const missing = tried && reason === "";
  return (
    <fieldset class="money-reasons">
      <legend>{t("money_reason")}</legend>
      {REASONS.map((each) => (
        <label key={each} class="console-check">
          <input
            type="radio"
            name="reason"
            checked={reason === each}
            aria-invalid={missing || undefined}
            onChange={() => onReason(each)}
          />
          <span>{t(`money_reason_${each}`)}</span>
        </label>
      ))}
      {missing && <p class="field-fault">{t("money_reason_missing")}</p>}
    </fieldset>
  );
}

interface NoteProps {
  readonly note: string;
  readonly onNote: (note: string) => void;
  readonly tried: boolean;
}

function Note({ note, onNote, tried }: NoteProps) {
  const t = useWords("console");
  return (
    <Field
      label={t("note")}
      hint={t("note_how")}
      fault={tried && note.trim() === "" ? t("money_note_missing") : null}
      autocomplete="off"
      maxLength={NOTE_LETTERS_MAX}
      value={note}
      onInput={(event) => onNote(event.currentTarget.value)}
    />
  );
}
