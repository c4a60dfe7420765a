/** The money that a ruling moves: from which account to which, and how much. */

import type { Posting } from "../../protocol.ts";
import { Button, Field } from "../../shell/index.ts";
import { useWords, type Words } from "../../words/words.ts";
import { readAmount } from "../../words/written.ts";
import { Amount } from "../money/forms/form.tsx";
import "./moves.css";

/** One side of a move: the house, its shortfall, or a player at a terminal or in a seat. */
export interface Side {
  readonly account: "house" | "shortfall" | "player";
  readonly of: string;
}

export interface Move {
  readonly from: Side;
  readonly to: Side;
  readonly amount: string;
}

/** The most moves of one ruling; more need several rulings. */
const MOVES_MAX = 20;
const NAME_LETTERS_MAX = 64;
const EMPTY: Move = { from: { account: "house", of: "" }, to: { account: "player", of: "" }, amount: "" };

function accountOf({ account, of }: Side): string | null {
  if (account === "house") return "house:bank";
  if (account === "shortfall") return "house:void-shortfall";
  return of.trim() === "" ? null : `terminal:${of.trim()}`;
}

/** The posting of a move; null while the move is incomplete. */
export function postingOf({ from, to, amount }: Move): readonly [Posting] | null {
  const [source, destination, cents] = [accountOf(from), accountOf(to), readAmount(amount)];
  if (source === null || destination === null || cents == null || cents === 0) return null;
  return source === destination ? null : [[source, destination, cents]];
}

export function isWhole(move: Move): boolean {
  return postingOf(move) !== null;
}

interface Props {
  readonly moves: readonly Move[];
  readonly chips: boolean;
  readonly onMoves: (moves: readonly Move[]) => void;
}

export function Moves({ moves, chips, onMoves }: Props) {
  const t = useWords("console");
  const change = (place: number, part: Partial<Move>): void =>
    onMoves(moves.map((move, each) => (each === place ? { ...move, ...part } : move)));
  return (
    <fieldset class="moves">
      <legend>{t("moves")}</legend>
      <p class="console-hint">{t("moves_how")}</p>
      {moves.map((move, place) => {
        const number = place + 1;
        const same = accountOf(move.from) !== null && accountOf(move.from) === accountOf(move.to);
        return (
          <fieldset key={place} class="moves-one">
            <legend>{t("move", { number })}</legend>
            <SideFields t={t} name={t("move_from")} side={move.from} chips={chips} onSide={(from) => change(place, { from })} />
            <SideFields t={t} name={t("move_to")} side={move.to} chips={chips} onSide={(to) => change(place, { to })} />
            <Amount
              label={t("move_amount")}
              fault={amountFault(t, move.amount)}
              value={move.amount}
              onValue={(amount) => change(place, { amount })}
            />
            <Button
              kind="quiet"
              aria-label={t("move_remove", { number })}
              onClick={() => onMoves(moves.filter((_, each) => each !== place))}
            >
              ✕
            </Button>
            {same && (
              <p class="console-refused" role="alert">
                {t("move_same")}
              </p>
            )}
          </fieldset>
        );
      })}
      {moves.length < MOVES_MAX && <Button onClick={() => onMoves([...moves, EMPTY])}>{t("move_add")}</Button>}
    </fieldset>
  );
}

/** Whether an amount is invalid; an empty one is not. */
function amountFault(t: Words<"console">, text: string): string | null {
  if (text === "") return null;
  const cents = readAmount(text);
  return cents == null || cents === 0 ? t("move_no_amount") : null;
}

interface SideProps {
  readonly t: Words<"console">;
  readonly name: string;
  readonly side: Side;
  readonly chips: boolean;
  readonly onSide: (side: Side) => void;
}

function SideFields({ t, name, side, chips, onSide }: SideProps) {
  const blank = side.of !== "" && side.of.trim() === "";
  return (
    <div class="moves-side">
      <label class="moves-account">
        <span>{name}</span>
        <select
          value={side.account}
          onChange={(event) => onSide({ ...side, account: event.currentTarget.value as Side["account"] })}
        >
          <option value="house">{t(chips ? "move_rack" : "move_house")}</option>
          <option value="shortfall">{t("move_shortfall")}</option>
          <option value="player">{t("move_player")}</option>
        </select>
      </label>
      {side.account === "player" && (
        <Field
          label={t(chips ? "move_seat" : "move_terminal")}
          fault={blank ? t("move_nobody") : null}
          autocomplete="off"
          maxLength={NAME_LETTERS_MAX}
          value={side.of}
          onInput={(event) => onSide({ ...side, of: event.currentTarget.value })}
        />
      )}
    </div>
  );
}
