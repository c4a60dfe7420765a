/** All seats at a glance: the player, their colour, the chips in front of them and their stake. */

import { ColourChip, colourName } from "../../layout/index.ts";
import type { ChipSeat } from "../../protocol.ts";
import { money, number, short, useWords, type Words } from "../../words/words.ts";
import type { Recorder } from "./record/recorder.ts";
import "./seat_strip.css";

export function SeatStrip({ recorder }: { readonly recorder: Recorder }) {
  const t = useWords("recording");
  const { seats } = recorder;
  const chosen = recorder.seat.value;
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = seats.indexOf(chosen ?? "") + by;
    const seat = seats[(at + seats.length) % seats.length];
    if (seat !== undefined) recorder.select(seat);
    const strip = event.currentTarget;
    if (strip instanceof HTMLElement) strip.querySelector<HTMLElement>(`[data-seat="${seat}"]`)?.focus();
  };
  return (
    <div class="rec-seats" role="radiogroup" aria-label={t("seats")} onKeyDown={move}>
      {seats.map((seat, place) => (
        <Seat
          key={seat}
          seat={seat}
          player={recorder.playerAt(seat)}
          isChosen={seat === chosen}
          isFirst={chosen === null && place === 0}
          onChoose={() => recorder.select(seat)}
        />
      ))}
    </div>
  );
}

interface SeatProps {
  readonly seat: string;
  readonly player: ChipSeat | null;
  readonly isChosen: boolean;
  readonly isFirst: boolean;
  readonly onChoose: () => void;
}

function Seat({ seat, player, isChosen, isFirst, onChoose }: SeatProps) {
  const t = useWords("recording");
  const names = useWords("layout");
  return (
    <button
      type="button"
      role="radio"
      class="rec-seat"
      data-seat={seat}
      data-standing={player === null ? "free" : player.away ? "away" : "taken"}
      aria-checked={isChosen}
      aria-label={seatSentence(t, names, seat, player)}
      tabIndex={isChosen || isFirst ? 0 : -1}
      onClick={onChoose}
    >
      <span class="rec-seat-head">
        <span class="rec-seat-number">{seat}</span>
        {player?.colour != null && (
          <span class="rec-seat-chip">
            <ColourChip colour={player.colour} value={player.value} />
          </span>
        )}
      </span>
      <span class="rec-seat-name">{nameOf(t, names, player)}</span>
      {player !== null && <Front player={player} />}
    </button>
  );
}

function Front({ player }: { readonly player: ChipSeat }) {
  const t = useWords("recording");
  return (
    <span class="rec-seat-figures">
      <span class="rec-seat-front">
        {short(player.credits)}
        {player.colour !== null && <span> · {t("pieces", { count: number(player.pieces) })}</span>}
      </span>
      <span class="rec-seat-staked" data-none={player.staked === 0}>
        {t("staked_short", { amount: short(player.staked) })}
      </span>
    </span>
  );
}

function nameOf(t: Words<"recording">, names: Words<"layout">, player: ChipSeat | null): string {
  if (player === null) return t("seat_is_free");
  if (player.away) return t("seat_is_away");
  return player.colour === null ? t("value_chips") : colourName(names, player.colour);
}

/** A seat in words. */
export function seatSentence(t: Words<"recording">, names: Words<"layout">, seat: string, player: ChipSeat | null): string {
  const parts = [t("seat", { seat }), nameOf(t, names, player)];
  if (player !== null) {
    if (player.value !== null) parts.push(t("marked_at", { value: money(player.value) }));
    if (player.colour !== null) parts.push(t("pieces_in_front", { count: number(player.pieces) }));
    parts.push(t("in_front", { amount: money(player.credits) }), t("staked", { amount: money(player.staked) }));
  }
  return parts.join(names("comma"));
}
