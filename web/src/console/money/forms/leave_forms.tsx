/** Forms for leaving: one player with their chips, or all at once; colours are converted first. */

import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { colourName } from "../../../layout/index.ts";
import type { ChipTable } from "../../../live/index.ts";
import type { ChipSeat, LeaveSeat } from "../../../protocol.ts";
import { announce, Button, Dialog } from "../../../shell/index.ts";
import { saidOf } from "../../../words/said.ts";
import { money, number, useWords } from "../../../words/words.ts";
import { inFours } from "../../../words/written.ts";
import { ChipsDrawn } from "../../chips/payout/chips_drawn.tsx";
import { capital } from "../../../words/capital.ts";
import { PreviewAnswer, usePreview, type Previewed } from "../../parts/preview.tsx";
import { fewestChips } from "../counts/chips.ts";
import { MoneyForm, type FormProps } from "./form.tsx";
import type { SeatFormProps } from "./seat_forms.tsx";
import "./leave_forms.css";

/** How a player leaves; pieces of a colour stay at the table. */
function leaving({ seat, pieces }: ChipSeat): LeaveSeat {
  return { type: "LeaveSeat", seat, converts: pieces > 0 };
}

/** One player leaves: with all chips, or while bets stay on the layout to be settled. */
export function LeaveForm({ table, seat: player, ...form }: SeatFormProps) {
  const t = useWords("console");
  const { seat, staked, credits, session } = player;
  const walks = staked > 0;
  const answer = usePreview(table.table, leaving(player));
  return (
    <MoneyForm
      title={t("money_leave_of", { seat })}
      act={walks ? t("money_walk_away") : t("money_leave")}
      grave={walks}
      read={() => leaving(player)}
      {...form}
    >
      {walks ? (
        <p class="console-waits">{t("money_walks", { amount: money(staked) })}</p>
      ) : (
        <p>{t("money_leaves", { amount: money(credits) })}</p>
      )}
      {!walks && <Converted table={table} player={player} />}
      {session !== "" && (
        <p class="console-hint">{t("money_session_code_give", { code: inFours(session) })}</p>
      )}
      <PreviewAnswer answer={answer.value} chips />
    </MoneyForm>
  );
}

/** The pieces to convert first, and the chips handed out for them. */
function Converted({ table, player }: { readonly table: ChipTable; readonly player: ChipSeat }) {
  const t = useWords("console");
  const { pieces, value } = player;
  if (pieces === 0) return null;
  const chips = fewestChips(pieces * (value ?? 0), table.rack);
  return (
    <p class="console-waits">
      {t.count("money_convert_first", pieces)}{" "}
      {chips !== null && <ChipsDrawn chips={chips} marked={new Map()} />}
    </p>
  );
}

/** Why a player could not leave their seat. */
type Refusals = ReadonlyMap<string, string>;

interface AllProps extends FormProps {
  readonly table: ChipTable;
}

/** All players leave: one line for each seat, as the rules require, and one button for all. */
export function AllLeaveForm({ table, ask, onClose }: AllProps) {
  const t = useWords("console");
  const seated = table.seats.filter(({ away }) => !away);
  // A player with bets on the layout stays, unless the dealer chooses otherwise.
  const stays = useSignal<ReadonlySet<string>>(new Set(seated.filter(({ staked }) => staked > 0).map(({ seat }) => seat)));
  const refused = useSignal<Refusals>(new Map());
  const busy = useSignal(false);
  const taken = useSignal<ReadonlyMap<string, number>>(new Map());
  const outcome = useSignal<string | null>(null);
  const leave = seated.filter(({ seat }) => !stays.value.has(seat));
  const send = async (): Promise<void> => {
    if (busy.value || leave.length === 0) return;
    busy.value = true;
    outcome.value = null;
    const turned = new Map<string, string>();
    for (const player of leave) {
      const answer = await ask(leaving(player));
      if (answer.type === "Refused") turned.set(player.seat, capital(answer.sentence));
    }
    refused.value = turned;
    busy.value = false;
    if (turned.size === 0) {
      announce(t("money_done", { what: t.count("money_all_leave", leave.length) }));
      onClose();
    } else {
      outcome.value = t("money_all_leave_some", { left: leave.length - turned.size, kept: turned.size });
    }
  };
  return (
    <Dialog title={t("money_all_leave_title")} onClose={onClose} wide>
      <form
        class="console-form money-form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p class="console-hint">{t("money_all_leave_how")}</p>
        <ul class="leave-lines">
          {seated.map((player) => (
            <Line
              key={player.seat}
              table={table}
              player={player}
              refused={saidOf(refused.value.get(player.seat) ?? null)}
              busy={busy.value}
              stays={stays}
              taken={taken}
            />
          ))}
        </ul>
        {seated.length === 0 && <p>{t("money_all_left")}</p>}
        <p class="leave-sum">
          {leave.every(({ seat }) => taken.value.has(seat)) &&
            t("money_all_leave_sum", { amount: money(sumOf(leave, taken.value)) })}
        </p>
        <div role="status">{outcome.value !== null && <p class="console-waits">{outcome.value}</p>}</div>
        <p class="console-form-acts money-form-acts">
          <Button kind="main" type="submit" busy={busy.value} aria-disabled={leave.length === 0}>
            {t.count("money_all_leave", leave.length)}
          </Button>
          <Button onClick={onClose}>{t("cancel")}</Button>
        </p>
      </form>
    </Dialog>
  );
}

function sumOf(players: readonly ChipSeat[], taken: ReadonlyMap<string, number>): number {
  return players.reduce((sum, { seat }) => sum + (taken.get(seat) ?? 0), 0);
}

interface LineProps {
  readonly table: ChipTable;
  readonly player: ChipSeat;
  readonly refused: string | null;
  readonly busy: boolean;
  readonly stays: Signal<ReadonlySet<string>>;
  readonly taken: Signal<ReadonlyMap<string, number>>;
}

/** A seat, with the outcome of the server's dry run. */
function Line({ table, player, refused, busy, stays, taken }: LineProps) {
  const t = useWords("console");
  const names = useWords("layout");
  const { seat, colour, pieces, staked, session } = player;
  // A player whose departure is being sent needs no dry run.
  const tried = useRef(leaving(player));
  if (!busy) tried.current = leaving(player);
  const answer = usePreview(table.table, tried.current).value;
  const takes = takenIn(answer);
  useEffect(() => {
    // A player who may not leave takes nothing; until that is known there is no sum.
    if (takes !== null || answer.fault !== null) taken.value = new Map([...taken.peek(), [seat, takes ?? 0]]);
  }, [seat, takes, answer.fault]);
  const goes = !stays.value.has(seat);
  const fault = refused ?? (answer.fault === null ? null : capital(answer.fault));
  return (
    <li class="leave-line" data-refused={fault !== null}>
      <label class="console-check">
        <input
          type="checkbox"
          checked={goes}
          onChange={({ currentTarget }) => {
            const others = [...stays.value].filter((each) => each !== seat);
            stays.value = new Set(currentTarget.checked ? others : [...others, seat]);
          }}
        />
        <span>
          <strong>{t("money_seat", { seat })}</strong> {colour !== null && colourName(names, colour)}
        </span>
      </label>
      <span class="leave-what">
        {takes !== null && t("money_takes", { amount: money(takes) })}{" "}
        {staked > 0 && t("money_walks_short", { amount: money(staked) })}
        {staked === 0 && pieces > 0 && t.count("money_converted", pieces, { count: number(pieces) })}
        {session !== "" && <span class="leave-code">{inFours(session)}</span>}
      </span>
      <span role="alert">{fault !== null && <span class="console-refused">{fault}</span>}</span>
    </li>
  );
}

/** What a player would leave with, by the dry run; null if that is not known. */
function takenIn({ preview }: Previewed): number | null {
  const own = preview?.accounts.find(({ account }) => account === "credits");
  return preview === null ? null : Math.max(0, -(own?.change ?? 0));
}
