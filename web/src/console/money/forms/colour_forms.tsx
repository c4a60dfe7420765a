/** Forms for colour chips: give a player a colour, buy pieces, convert them back. */

import { useSignal } from "@preact/signals";

import { ColourChip, colourName } from "../../../layout/index.ts";
import type { ChipTable } from "../../../live/index.ts";
import type { LimitsAsked, WireCommand } from "../../../protocol.ts";
import { Choice, Field } from "../../../shell/index.ts";
import { money, number, useWords, type Words } from "../../../words/words.ts";
import { readAmount, writeAmount } from "../../../words/written.ts";
import { ChipsDrawn } from "../../chips/payout/chips_drawn.tsx";
import { COUNT_LETTERS_MAX, counted, fewestChips, readChips, readCount, sumWritten, type Written } from "../counts/chips.ts";
import { CountSheet } from "../counts/count_sheet.tsx";
import { Amount, MoneyForm } from "./form.tsx";
import type { SeatFormProps } from "./seat_forms.tsx";

const NOTHING: Written = new Map();

/** The colours that no player has. */
export function freeColours({ chip_set, seats }: ChipTable): readonly string[] {
  return chip_set.colours.filter((colour) => !seats.some((seat) => seat.colour === colour));
}

interface AssignProps extends SeatFormProps {
  /** The table's limits; their minimum is proposed as the value of a piece. */
  readonly limits: LimitsAsked | null;
}

/** Give a player a colour at a value, which the marker button shows. */
export function AssignForm({ table, seat: { seat }, limits, ...form }: AssignProps) {
  const t = useWords("console");
  const names = useWords("layout");
  const free = freeColours(table);
  const colour = useSignal(free[0] ?? "");
  const value = useSignal(writeAmount(limits?.minimum));
  const tried = useSignal(false);
  const worth = readAmount(value.value);
  const fault = worth === null ? t("money_value_missing") : !worth ? t("money_not_amount") : null;
  const read = (): WireCommand | null => {
    tried.value = true;
    if (!worth || colour.value === "") return null;
    return { type: "AssignColour", seat, colour: colour.value, value: worth };
  };
  return (
    <MoneyForm title={t("money_assign_of", { seat })} act={t("money_assign")} read={read} {...form}>
      <div class="money-colour-choice">
        <span class="money-sheet-drawn" aria-hidden="true">
          <ColourChip colour={colour.value} value={worth ?? null} />
        </span>
        <Choice
          label={t("money_colour")}
          fault={free.length === 0 ? t("money_no_colour_free") : null}
          value={colour.value}
          autofocus
          onChange={(event) => (colour.value = event.currentTarget.value)}
        >
          {free.map((each) => (
            <option key={each} value={each}>
              {colourName(names, each)}
            </option>
          ))}
        </Choice>
      </div>
      <Amount
        label={t("money_marked_at")}
        hint={t("money_marked_how")}
        fault={tried.value ? fault : null}
        value={value.value}
        onValue={(text) => (value.value = text)}
      />
    </MoneyForm>
  );
}

/** The values of the form to buy pieces. */
interface Bought {
  readonly cash: string;
  readonly given: Written;
  readonly count: string;
}

function paidIn({ cash, given }: Bought): number {
  return (readAmount(cash) ?? 0) + sumWritten(given);
}

/** The error of the payment; an empty one is an error only once the form is sent. */
function paidFault(t: Words<"console">, bought: Bought, tried: boolean): string | null {
  if (readAmount(bought.cash) === undefined) return t("money_not_amount");
  if (readChips(bought.given) === undefined) return t("money_given_wrong");
  return tried && paidIn(bought) === 0 ? t("money_amount_missing") : null;
}

function piecesFault(t: Words<"console">, bought: Bought, value: number, tried: boolean): string | null {
  const pieces = readCount(bought.count);
  const paid = paidIn(bought);
  if (pieces === undefined) return t("money_not_count");
  const differs = paid > 0 && (pieces ?? 0) * value !== paid;
  return tried && differs ? t("money_pieces_differ", { paid: money(paid), value: money(value) }) : null;
}

/** Pieces of a player's colour for cash or value chips, as many as the payment is worth. */
export function BuyColourForm({ table, seat: { seat, colour, value }, ...form }: SeatFormProps) {
  const t = useWords("console");
  const names = useWords("layout");
  const bought = useSignal<Bought>({ cash: "", given: NOTHING, count: "" });
  const tried = useSignal(false);
  const [own, worth] = [colour ?? "", value ?? 0];
  const pay = (part: Partial<Bought>): void => {
    const paying = { ...bought.value, ...part };
    const due = paidIn(paying);
    const whole = due > 0 && worth > 0 && due % worth === 0;
    bought.value = { ...paying, count: whole ? String(due / worth) : "" };
  };
  const read = (): WireCommand | null => {
    tried.value = true;
    const [cash, given] = [readAmount(bought.value.cash), readChips(bought.value.given)];
    const count = readCount(bought.value.count) ?? 0;
    if (cash === undefined || given === undefined || count === 0) return null;
    if (count * worth !== paidIn(bought.value)) return null;
    return { type: "BuyColour", seat, count, cash: cash ?? 0, given };
  };
  return (
    <MoneyForm
      title={t("money_buy_colour_of", { seat, colour: colourName(names, own) })}
      act={t("money_buy_colour")}
      read={read}
      {...form}
    >
      <p>{t("money_piece_worth", { value: money(worth), count: number(table.colours[own] ?? 0) })}</p>
      <Amount
        label={t("money_cash")}
        fault={paidFault(t, bought.value, tried.value)}
        value={bought.value.cash}
        onValue={(cash) => pay({ cash })}
        first
      />
      <PieceCount
        hint={t("money_pieces_how")}
        fault={piecesFault(t, bought.value, worth, tried.value)}
        value={bought.value.count}
        onValue={(count) => (bought.value = { ...bought.value, count })}
      />
      <details class="money-more">
        <summary>{t("money_with_chips")}</summary>
        <CountSheet
          legend={t("money_given")}
          chips={counted(table)}
          written={bought.value.given}
          onWrite={(given) => pay({ given })}
        />
      </details>
    </MoneyForm>
  );
}

interface PieceCountProps {
  readonly hint: string;
  readonly fault: string | null;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly first?: boolean;
}

/** A field for a number of pieces. */
function PieceCount({ hint, fault, value, onValue, first = false }: PieceCountProps) {
  const t = useWords("console");
  return (
    <Field
      label={t("money_pieces")}
      hint={hint}
      fault={fault}
      inputMode="numeric"
      autocomplete="off"
      maxLength={COUNT_LETTERS_MAX}
      autofocus={first}
      value={value}
      onFocus={(event) => event.currentTarget.select()}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  );
}

/** Converts pieces back into value chips, before they leave the table. */
export function ConvertForm({ table, seat: { seat, colour, value, pieces }, ...form }: SeatFormProps) {
  const t = useWords("console");
  const names = useWords("layout");
  const written = useSignal(String(pieces));
  const tried = useSignal(false);
  const count = readCount(written.value);
  const worth = (count ?? 0) * (value ?? 0);
  const chips = fewestChips(worth, table.rack);
  const read = (): WireCommand | null => {
    tried.value = true;
    return count == null || count === 0 || count > pieces ? null : { type: "ConvertColour", seat, count };
  };
  return (
    <MoneyForm
      title={t("money_convert_of", { seat, colour: colourName(names, colour ?? "") })}
      act={t("money_convert")}
      read={read}
      {...form}
    >
      <PieceCount
        hint={t("money_front_how", { count: number(pieces), value: money(value ?? 0) })}
        fault={convertFault(t, count, pieces, tried.value)}
        value={written.value}
        onValue={(text) => (written.value = text)}
        first
      />
      <p class="money-worth">
        {t("money_worth", { amount: money(worth) })}
        {chips !== null && chips.length > 0 && <ChipsDrawn chips={chips} marked={new Map()} />}
      </p>
    </MoneyForm>
  );
}

function convertFault(
  t: Words<"console">,
  count: number | null | undefined,
  pieces: number,
  tried: boolean,
): string | null {
  if (count === undefined) return t("money_not_count");
  if ((count ?? 0) > pieces) return t("money_only_front", { count: number(pieces) });
  return tried && !count ? t("money_count_missing") : null;
}

/** Returns a colour to the display rack. */
export function ReleaseForm({ seat: { seat, colour }, ...form }: SeatFormProps) {
  const t = useWords("console");
  const names = useWords("layout");
  return (
    <MoneyForm
      title={t("money_release_of", { seat, colour: colourName(names, colour ?? "") })}
      act={t("money_release")}
      read={() => ({ type: "ReleaseColour", seat })}
      {...form}
    >
      <p>{t("money_release_how")}</p>
    </MoneyForm>
  );
}
