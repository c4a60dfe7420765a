/**
 * The form for a round dealt by hand while the system was down: its dice, its stacks, its payments.
 *
 * The stacks are those that were recorded, or are keyed as a dealer keys a layout. The server shows
 * the effects before a second person is asked.
 */

import { useSignal } from "@preact/signals";

import type { ChipTable } from "../../../live/index.ts";
import type { EnterRoundByHand, Pieces } from "../../../protocol.ts";
import { Button, Choice, Field } from "../../../shell/index.ts";
import { money, useWords, type Words } from "../../../words/words.ts";
import { readAmount } from "../../../words/written.ts";
import { FacePicker } from "../../entry/face_picker.tsx";
import type { Taker } from "../../keys.ts";
import { PreviewAnswer, usePreview } from "../../parts/preview.tsx";
import { Amount, MoneyForm, type Ask } from "../../money/forms/form.tsx";
import { markedOf, NOTE_LETTERS_MAX, sumOf } from "../../money/counts/chips.ts";
import { ECHO } from "../../steps/next.ts";
import { ChipsDrawn } from "../payout/chips_drawn.tsx";
import { faultSentence } from "./record_line.tsx";
import { isWhole, readLine, type Understood } from "./line.ts";
import type { Recorder } from "./recorder.ts";
import "./by_hand_form.css";

/** The phases after the close, in which the bets no longer change. */
const CLOSED_BETS: ReadonlySet<string> = new Set(["no-more-bets", "result", "confirmed"]);

/** A stack as it lay: its seat, its box, its chips. */
export interface Laid {
  readonly seat: string;
  readonly box: string;
  readonly chips: readonly Pieces[];
}

/** The values of the form. */
interface Filled {
  readonly faces: readonly number[];
  /** Null: use the recorded stacks. */
  readonly stacks: readonly Laid[] | null;
  /** The amount paid to each seat, as typed. */
  readonly paid: Readonly<Record<string, string>>;
  readonly note: string;
}

interface Props {
  readonly recorder: Recorder;
  readonly table: ChipTable;
  readonly takeKeys: (taker: Taker | null) => void;
  readonly ask: Ask;
  readonly onClose: () => void;
}

/** The command of the form; null while it is incomplete. */
export function byHand(filled: Filled): EnterRoundByHand | null {
  const paid = Object.entries(filled.paid).map(([seat, text]) => [seat, readAmount(text)] as const);
  if (filled.faces.length < ECHO || paid.some(([, amount]) => amount === undefined)) return null;
  return {
    type: "EnterRoundByHand",
    faces: filled.faces,
    paid: paid.flatMap(([seat, amount]) => (amount == null || amount === 0 ? [] : [[seat, amount] as const])),
    stacks: filled.stacks?.map(({ seat, box, chips }) => [seat, box, chips] as const) ?? null,
    note: filled.note,
  };
}

export function ByHandForm({ recorder, table, takeKeys, ask, onClose }: Props) {
  const t = useWords("recording");
  const view = recorder.desk.table.view.value;
  // A round not yet begun has no record; the bets of a closed round are as recorded.
  const phase = view?.phase ?? "";
  const isClosed = CLOSED_BETS.has(phase);
  const recorded = isClosed || phase === "betting";
  const filled = useSignal<Filled>({ faces: view?.faces ?? [], stacks: recorded ? null : [], paid: {}, note: "" });
  const tried = useSignal(false);
  const set = (change: Partial<Filled>): void => {
    filled.value = { ...filled.value, ...change };
  };
  const command = byHand(filled.value);
  const read = (): EnterRoundByHand | null => {
    tried.value = true;
    return command;
  };
  const answer = usePreview(recorder.desk.name, command);
  const { faces, stacks, paid, note } = filled.value;
  return (
    <MoneyForm title={t("by_hand")} act={t("by_hand_act")} read={read} second wide ask={ask} onClose={onClose}>
      <p class="console-hint">{t(recorded ? "by_hand_under_way" : "by_hand_new")}</p>
      <FacePicker faces={faces} onFaces={(next) => set({ faces: next })} takeKeys={takeKeys} />
      {tried.value && faces.length < ECHO && <p class="field-fault" aria-invalid tabIndex={-1}>{t("by_hand_faces")}</p>}
      <fieldset class="money-reasons by-hand-stacks">
        <legend>{t("by_hand_stacks")}</legend>
        {recorded && (
          <label class="console-check">
            <input type="radio" name="stacks" checked={stacks === null} onChange={() => set({ stacks: null })} />
            <span>{t("by_hand_recorded", { amount: money(sumStacks(table, table.stacks)) })}</span>
          </label>
        )}
        {recorded && !isClosed && (
          <label class="console-check">
            <input
              type="radio"
              name="stacks"
              checked={stacks !== null}
              onChange={() => set({ stacks: table.stacks.map(({ seat, box, chips }) => ({ seat, box, chips })) })}
            />
            <span>{t("by_hand_keyed")}</span>
          </label>
        )}
        {stacks !== null && (
          <Layout recorder={recorder} table={table} stacks={stacks} onStacks={(next) => set({ stacks: next })} />
        )}
      </fieldset>
      <fieldset class="money-reasons by-hand-paid">
        <legend>{t("by_hand_paid")}</legend>
        <div>
          {table.seats.map(({ seat }) => (
            <Amount
              key={seat}
              label={t("seat", { seat })}
              fault={readAmount(paid[seat] ?? "") === undefined ? t("by_hand_no_amount") : null}
              value={paid[seat] ?? ""}
              onValue={(text) => set({ paid: { ...paid, [seat]: text } })}
            />
          ))}
        </div>
      </fieldset>
      <Field
        label={t("by_hand_note")}
        autocomplete="off"
        maxLength={NOTE_LETTERS_MAX}
        value={note}
        onInput={(event) => set({ note: event.currentTarget.value })}
      />
      {command !== null && <PreviewAnswer answer={answer.value} chips />}
    </MoneyForm>
  );
}

function sumStacks(table: ChipTable, stacks: readonly Laid[]): number {
  return stacks.reduce((sum, { chips }) => sum + sumOf(chips, markedOf(table)), 0);
}

interface LayoutProps {
  readonly recorder: Recorder;
  readonly table: ChipTable;
  readonly stacks: readonly Laid[];
  readonly onStacks: (stacks: readonly Laid[]) => void;
}

/** The stacks on the layout, and the line to key more. */
function Layout({ recorder, table, stacks, onStacks }: LayoutProps) {
  const t = useWords("recording");
  const marked = markedOf(table);
  return (
    <>
      {stacks.length === 0 && <p class="console-hint">{t("by_hand_nothing")}</p>}
      <ul class="by-hand-list" role="list">
        {stacks.map((each, place) => (
          <li key={`${each.seat} ${each.box}`}>
            <span>
              {t("to_rule_line", { seat: each.seat, box: recorder.nameOf(each.box), amount: money(sumOf(each.chips, marked)) })}
            </span>
            <ChipsDrawn chips={each.chips} marked={marked} named={false} />
            <Button
              kind="quiet"
              aria-label={t("by_hand_remove", { seat: each.seat, box: recorder.nameOf(each.box) })}
              onClick={() => onStacks(stacks.filter((_, at) => at !== place))}
            >
              ✕
            </Button>
          </li>
        ))}
      </ul>
      <Keyed recorder={recorder} table={table} onPut={(laid) => onStacks(putOn(stacks, laid))} />
    </>
  );
}

/** Add keyed stacks; on the same box they replace the old ones. */
export function putOn(stacks: readonly Laid[], more: readonly Laid[]): readonly Laid[] {
  const there = (one: Laid): boolean => more.some((each) => each.seat === one.seat && each.box === one.box);
  return [...stacks.filter((each) => !there(each)), ...more];
}

interface KeyedProps {
  readonly recorder: Recorder;
  readonly table: ChipTable;
  readonly onPut: (stacks: readonly Laid[]) => void;
}

function Keyed({ recorder, table, onPut }: KeyedProps) {
  const t = useWords("recording");
  const names = useWords("layout");
  const seat = useSignal(table.seats[0]?.seat ?? "");
  const line = useSignal("");
  const pressed = useSignal(false);
  const understood = readLaid(line.value, seat.value, recorder, table);
  const put = (): void => {
    pressed.value = true;
    if (!isWhole(understood)) return;
    onPut(understood.puts.map(({ box, chips }) => ({ seat: seat.value, box, chips })));
    line.value = "";
    pressed.value = false;
  };
  return (
    <div class="by-hand-line">
      <Choice label={t("seats")} value={seat.value} onChange={(event) => (seat.value = event.currentTarget.value)}>
        {table.seats.map((each) => (
          <option key={each.seat} value={each.seat}>
            {t("seat", { seat: each.seat })}
          </option>
        ))}
      </Choice>
      <Field
        label={t("line")}
        hint={table.seats.some((each) => each.seat === seat.value && each.colour !== null) ? t("hint_colour") : t("hint_value")}
        fault={pressed.value && line.value !== "" ? faultOf(t, names, understood) : null}
        autocomplete="off"
        maxLength={400}
        value={line.value}
        onInput={(event) => (line.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || line.value === "") return;
          // Enter puts a keyed line on the layout; with an empty line it sends the form.
          event.preventDefault();
          put();
        }}
      />
      <Button onClick={put}>{t("by_hand_put")}</Button>
    </div>
  );
}

function faultOf(t: Words<"recording">, names: Words<"layout">, { faults }: Understood): string | null {
  const [fault] = faults;
  return fault === undefined ? null : faultSentence(t, names, fault);
}

/** Read a line of stacks; how many pieces a player had at that time is not recorded. */
function readLaid(line: string, seat: string, recorder: Recorder, table: ChipTable): Understood {
  const read = readLine(line, {
    boxes: recorder.boxes.value,
    seat,
    player: recorder.playerAt(seat),
    values: table.chip_set.values,
    stacks: [],
    excess: () => [],
  });
  const faults = read.faults.filter(({ code }) => code !== "too_many" && code !== "seat_away");
  const wrong = read.act === "record" ? [] : [{ code: "no_box" as const, blanks: { text: line }, open: false }];
  return { ...read, faults: [...faults, ...wrong] };
}
