/** The seats: one is chosen, with the actions for its player beside it. */

import { colourName } from "../../layout/index.ts";
import type { ChipTable } from "../../live/index.ts";
import type { ChipSeat } from "../../protocol.ts";
import { Button, Money } from "../../shell/index.ts";
import { money, useWords } from "../../words/words.ts";
import { inFours } from "../../words/written.ts";
import { ChipsDrawn } from "../chips/payout/chips_drawn.tsx";
import type { Recorder } from "../chips/record/recorder.ts";
import { SeatStrip } from "../chips/seat_strip.tsx";
import type { Entry } from "../history/log.ts";
import { markedOf } from "./counts/chips.ts";
import { freeColours } from "./forms/colour_forms.tsx";
import { Figure } from "./figure.tsx";
import type { Opened } from "./forms/form_name.ts";
import { handedTo } from "./forms/results.ts";

interface Props {
  readonly table: ChipTable;
  /** The chosen seat; its chips are recorded too. */
  readonly recorder: Recorder;
  /** Whether the table is closed: chips can still be changed back, but nobody may sit down. */
  readonly closed: boolean;
  readonly log: readonly Entry[];
  readonly onOpen: (opened: Opened) => void;
  readonly onTake: (seat: string) => void;
  /** Why the last seat could not be taken. */
  readonly refused: string | null;
}

export function Seats({ table, recorder, closed, log, onOpen, onTake, refused }: Props) {
  const t = useWords("console");
  const chosen = recorder.seat.value;
  const seat = table.seats.find((each) => each.seat === chosen);
  return (
    <section class="money-part" aria-labelledby="money-seats">
      <h2 id="money-seats">{t("money_seats")}</h2>
      <SeatStrip recorder={recorder} />
      {(chosen === null || (closed && seat === undefined)) && (
        <p class="console-hint">{t(closed ? "money_seats_closed" : "money_seat_choose")}</p>
      )}
      {chosen !== null && seat === undefined && !closed && (
        <p class="money-acts">
          <Button onClick={() => onTake(chosen)}>
            {t("money_take_seat", { seat: chosen })}
          </Button>
        </p>
      )}
      {table.seats.some(({ away }) => !away) && (
        <p class="money-acts">
          <Button onClick={() => onOpen({ form: "all-leave" })}>{t("money_all_leave_open")}</Button>
        </p>
      )}
      {seat !== undefined && <SeatCard table={table} seat={seat} closed={closed} log={log} onOpen={onOpen} />}
      <div role="alert">{refused !== null && <p class="console-refused">{refused}</p>}</div>
    </section>
  );
}

interface CardProps {
  readonly table: ChipTable;
  readonly seat: ChipSeat;
  readonly closed: boolean;
  readonly log: readonly Entry[];
  readonly onOpen: (opened: Opened) => void;
}

function SeatCard({ table, seat, closed, log, onOpen }: CardProps) {
  const t = useWords("console");
  const names = useWords("layout");
  const { seat: name, colour, value } = seat;
  const handed = handedTo(log, name);
  return (
    <article class="money-card" aria-label={t("money_seat", { seat: name })}>
      <dl class="money-figures">
        <Figure name={t("money_in_front")}>
          <Money cents={seat.credits} />
        </Figure>
        <Figure name={t("money_on_layout")}>
          <Money cents={seat.staked} />
        </Figure>
        {colour !== null && (
          <Figure name={colourName(names, colour)}>
            {t.count("money_pieces_at", seat.pieces, { value: money(value ?? 0) })}
          </Figure>
        )}
        {seat.session !== "" && (
          <Figure name={t("money_session_code")}>{inFours(seat.session)}</Figure>
        )}
      </dl>
      {seat.away ? (
        <p class="console-waits">{t("money_away_how")}</p>
      ) : (
        <Acts table={table} seat={seat} closed={closed} onOpen={onOpen} />
      )}
      <div role="status">
        {handed !== null && (
          <p class="money-outcome">
            {t("money_result_out")} <ChipsDrawn chips={handed} marked={markedOf(table)} />
          </p>
        )}
      </div>
    </article>
  );
}

function Acts({ table, seat: { seat, colour }, closed, onOpen }: Omit<CardProps, "log">) {
  const t = useWords("console");
  const free = colour === null && freeColours(table).length > 0;
  return (
    <p class="money-acts">
      {!closed && <Button onClick={() => onOpen({ form: "buy", seat })}>{t("money_buy_open")}</Button>}
      <Button onClick={() => onOpen({ form: "exchange", seat })}>{t("money_exchange_open")}</Button>
      {free && !closed && <Button onClick={() => onOpen({ form: "assign", seat })}>{t("money_assign_open")}</Button>}
      {colour !== null && (
        <>
          {!closed && (
            <Button onClick={() => onOpen({ form: "buy-colour", seat })}>{t("money_buy_colour_open")}</Button>
          )}
          <Button onClick={() => onOpen({ form: "convert", seat })}>{t("money_convert_open")}</Button>
          <Button onClick={() => onOpen({ form: "release", seat })}>{t("money_release_open")}</Button>
        </>
      )}
      <Button onClick={() => onOpen({ form: "leave", seat })}>{t("money_leave_open")}</Button>
    </p>
  );
}
