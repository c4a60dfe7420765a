/** A table's card in the pit: its state, its money now, and its win compared with theory. */

import { roundsOf } from "../../live/index.ts";
import type { PitTable } from "../../answers.ts";
import { DiceRow } from "../../layout/dice/dice.tsx";
import { DiceStrip } from "../../roads/index.ts";
import { addressOf } from "../../shell/index.ts";
import { money, number, useWords, type Words } from "../../words/words.ts";
import { Band } from "../figures/band.tsx";
import { Flags } from "./flags.tsx";
import type { Floor } from "../floor.ts";
import { Phase } from "./phase.tsx";
import { atStake, isUnreported, type Seen } from "./condition.ts";
import "./card.css";
import "../days/day_panel.css";

interface Props {
  readonly floor: Floor;
  readonly seen: Seen;
  /** Whether there is room for the last rounds, and for the band in words. */
  readonly roomy?: boolean;
}

/** How many rounds a large card shows. */
const LAST_ROUNDS = 6;

export function Card({ floor, seen, roomy = false }: Props) {
  const t = useWords("pit");
  const { reported, live, condition, flags } = seen;
  const level = flags[0]?.level;
  return (
    <article class={level === undefined ? "pit-card" : `pit-card pit-card-${level}`}>
      <header class="pit-card-head">
        <h2>
          <a href={addressOf("pit", reported.table)} data-table={reported.table}>
            {reported.table}
          </a>
        </h2>
        <Phase floor={floor} live={live} phase={condition.phase} />
      </header>
      <div class="pit-card-play">
        <div>
          <p class="pit-card-book">{bookOf(t, seen)}</p>
          <p class="pit-card-dealer">{roundOf(t, seen)}</p>
        </div>
        <LastDice seen={seen} />
      </div>
      <dl class="pit-card-facts">
        <AtStake seen={seen} />
        <Places seen={seen} />
      </dl>
      {reported.form === "chips" && <p class="pit-card-day">{dayOf(t, reported)}</p>}
      <Band figures={reported.figures} small />
      {roomy && <DiceStrip rounds={roundsOf(live?.view.value)} count={LAST_ROUNDS} />}
      <Flags flags={flags} />
    </article>
  );
}

/** The stakes on the table, as a separate component: they change twice a second. */
function AtStake({ seen: { reported, live } }: { readonly seen: Seen }) {
  const t = useWords("pit");
  const { staked, worst } = atStake(reported, live);
  const unreported = isUnreported({ reported, live });
  return (
    <>
      <Fact name={t("staked_now")} figure={unreported ? UNREPORTED : money(staked)} />
      <Fact name={t("worst_now")} figure={unreported ? UNREPORTED : money(worst)} />
    </>
  );
}

function Fact({ name, figure }: { readonly name: string; readonly figure: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{figure}</dd>
    </div>
  );
}

/** The number of players: connected terminals, or at a chip table the seats that are taken. */
function Places({ seen: { reported, live } }: { readonly seen: Seen }) {
  const t = useWords("pit");
  const view = live?.view.value ?? null;
  if (reported.form === "chips") {
    const taken = view?.taken.length ?? reported.day?.seats ?? 0;
    const figure = view === null ? number(taken) : t("of", { part: number(taken), whole: number(view.seats) });
    return <Fact name={t("day_seats")} figure={reported.suspended ? UNREPORTED : figure} />;
  }
  const figure = t("of", { part: number(reported.connected), whole: number(reported.terminals) });
  return <Fact name={t("terminals")} figure={reported.suspended ? UNREPORTED : figure} />;
}

/** The gaming day of a chip table, in short. */
function dayOf(t: Words<"pit">, { day }: PitTable): string {
  if (day === null) return t("day_none_short");
  return t("day_short", { date: day.date, win: day.win === null ? t("to_count") : money(day.win) });
}

/** Shown in place of an unknown figure. */
const UNREPORTED = "–";

/** The round, and who deals it. */
export function roundOf(t: Words<"pit">, seen: Seen): string {
  const dealer = dealerOf(t, seen);
  if (isUnreported(seen)) return dealer;
  const { round } = seen.condition;
  return round === 0 ? t("round_none") : t("round_by", { round: number(round), dealer });
}

/** The rulebook and the pay table. */
export function bookOf(t: Words<"pit">, { reported, live }: Seen): string {
  if (isUnreported({ reported, live })) return t("unreported");
  const book = live?.view.value?.rulebook ?? null;
  const title = book?.title ?? reported.title;
  const address = book?.pay_table ?? reported.pay_table;
  return title === null || address === null ? t("no_rulebook") : t("book", { title, address });
}

/** Who deals, by name where that is known. */
export function dealerOf(t: Words<"pit">, { reported, condition }: Seen): string {
  if (condition.automatic) return t("dealer_automatic");
  // The journal may still name the automatic dealer: the present dealer has done nothing yet.
  const known = reported.dealer === "person" && reported.dealt_by !== null && reported.dealt_by !== AUTOMATIC;
  return known ? (reported.dealt_by ?? "") : t("dealer_person");
}

/** The journal's name for the automatic dealer. */
const AUTOMATIC = "automatic-dealer";

/** The dice of this round once they are entered, else those of the last. */
export function LastDice({ seen: { reported, live } }: { readonly seen: Seen }) {
  const t = useWords("pit");
  const view = live?.view.value ?? null;
  const last = roundsOf(view).at(-1) ?? reported.last;
  if (view !== null && view.faces !== null) return <DiceRow faces={view.faces} call={view.call} />;
  if (last === null) return isUnreported({ reported, live }) ? null : <span class="pit-quiet">{t("no_dice")}</span>;
  if (last.faces === null) return <span class="pit-quiet">{t("void_round", { round: number(last.round) })}</span>;
  return (
    <span class="pit-card-last">
      <DiceRow faces={last.faces} />
    </span>
  );
}
