/** The lists of chips to collect and then to pay: chips drawn, lines ticked off by the dealer. */

import { useEffect, useRef } from "preact/hooks";

import { ColourChip, colourName } from "../../../layout/index.ts";
import type { CollectedChips, PayoutGuide, PaidChips } from "../../../live/index.ts";
import type { ChipSeat, Pieces } from "../../../protocol.ts";
import { Button } from "../../../shell/index.ts";
import { cited, money, number, useWords } from "../../../words/words.ts";
import { capital } from "../../../words/capital.ts";
import { sumOf, type Marked } from "../../money/counts/chips.ts";
import { ChipsDrawn } from "./chips_drawn.tsx";
import "./payout_lists.css";

/** One line of the lists: something to take off a box, or to pay beside it. */
export interface PayingLine {
  readonly act: "put_back" | "collect" | "pay";
  readonly box: string;
  readonly seat: string;
  readonly amount: number;
  /** Null if the rack cannot make up the amount. */
  readonly chips: readonly Pieces[] | null;
  readonly change: readonly Pieces[];
}

/** The first list: collected chips that have not lost are put back, then the rest is collected. */
function collecting({ put_back, collect }: PayoutGuide): readonly PayingLine[] {
  return [
    ...put_back.map((each: CollectedChips) => ({ ...each, act: "put_back" as const })),
    ...collect.map((each: CollectedChips) => ({ ...each, act: "collect" as const })),
  ];
}

function paying({ pay }: PayoutGuide): readonly PayingLine[] {
  return pay.map((each: PaidChips) => ({ ...each, act: "pay" as const, change: [] }));
}

/** The lines to do now: nothing is paid before everything is collected. */
export function linesNow(guide: PayoutGuide): readonly PayingLine[] {
  const first = collecting(guide);
  return first.length > 0 ? first : paying(guide);
}

interface Props {
  readonly guide: PayoutGuide | null;
  readonly nameOf: (box: string) => string;
  readonly playerAt: (seat: string) => ChipSeat | null;
  readonly marked: Marked;
  /** How many lines have been ticked off. */
  readonly done: number;
  readonly onDone: (done: number) => void;
  /** Whether the large button goes through the lines. */
  readonly walking: boolean;
  readonly onWalk: (walking: boolean) => void;
}

export function Paying(props: Props) {
  const { guide, done, walking, onWalk } = props;
  const t = useWords("recording");
  if (guide === null) return <p class="console-hint">{t("paying_none")}</p>;
  const now = linesNow(guide);
  const [back, isPaid] = [guide.put_back.length, now[0]?.act === "pay"];
  const first = collecting(guide);
  return (
    <section class="rec-paying" aria-label={t("paying")}>
      <header class="rec-paying-head">
        <p>
          <strong>{t("paying_round", { round: number(guide.round) })}</strong>{" "}
          {done < now.length ? t("paying_how") : t(isPaid ? "paying_done" : "collecting_done")}
        </p>
        <Button aria-pressed={walking} onClick={() => onWalk(!walking)}>
          {t("paying_walk")}
        </Button>
      </header>
      <Parts guide={guide} />
      {back > 0 && <List {...props} title={t("put_back")} total={sumOfLines(guide.put_back)} lines={first.slice(0, back)} from={0} />}
      <List {...props} title={t(back > 0 ? "collect_then" : "collect_first")} total={guide.collected} lines={first.slice(back)} more={guide.more_collect} from={back} />
      <List {...props} title={t("then_pay")} total={guide.paid} lines={paying(guide)} more={guide.more_pay} from={isPaid ? 0 : null} />
      {guide.wanted.length > 0 && (
        <p class="rec-paying-fill">
          <strong>{t("fill_wanted", { amount: money(sumOf(guide.wanted)) })}</strong>{" "}
          <ChipsDrawn chips={guide.wanted} marked={props.marked} />
        </p>
      )}
    </section>
  );
}

/** Bets that were outside the limits: how much of each played, to tell its player. */
function Parts({ guide }: { readonly guide: PayoutGuide }) {
  const t = useWords("recording");
  const words = useWords("console");
  if (guide.parts.length === 0) return null;
  return (
    <ul class="rec-paying-parts" aria-label={t("played_in_part")}>
      {guide.more_parts > 0 && <li>{t.count("more_lines", guide.more_parts)}</li>}
      {guide.parts.map(({ seat, box, sentence, clause }) => (
        <li key={`${seat} ${box}`}>
          {capital(sentence)}
          {clause !== null && <span class="console-clause"> {cited(words, clause)}</span>}
        </li>
      ))}
    </ul>
  );
}

interface ListProps extends Props {
  readonly title: string;
  readonly total: number;
  readonly lines: readonly PayingLine[];
  /** How many lines the server left out because the list is too long. */
  readonly more?: number;
  /** The place of its first line among the lines to do now; null if none of them is. */
  readonly from: number | null;
}

function sumOfLines(lines: readonly CollectedChips[]): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}

function List({ title, total, lines, more = 0, from, ...props }: ListProps) {
  const t = useWords("recording");
  return (
    <section class="rec-paying-part">
      <h2>
        {title} <span>{money(total)}</span>
      </h2>
      {lines.length === 0 && <p class="console-hint">{t("paying_nothing")}</p>}
      <ol>
        {lines.map((line, place) => (
          <Line key={`${line.box} ${line.seat}`} {...props} line={line} place={from === null ? null : from + place} />
        ))}
      </ol>
      {more > 0 && <p class="console-hint">{t.count("more_lines", more)}</p>}
    </section>
  );
}

interface LineProps extends Props {
  readonly line: PayingLine;
  readonly place: number | null;
}

function Line({ line, place, done, onDone, nameOf, playerAt, marked }: LineProps) {
  const t = useWords("recording");
  const names = useWords("layout");
  const shown = useRef<HTMLLIElement>(null);
  const isNow = place === done;
  // The next line of a long list stays in view.
  useEffect(() => {
    if (isNow) shown.current?.scrollIntoView({ block: "nearest" });
  }, [isNow]);
  const player = playerAt(line.seat);
  const isDone = place !== null && place < done;
  const state = isNow ? "now" : isDone ? "done" : "later";
  return (
    <li ref={shown} class="rec-paying-line" data-act={line.act} data-state={state}>
      <button
        type="button"
        class="rec-paying-tick"
        role="checkbox"
        aria-checked={isDone}
        disabled={place === null}
        onClick={() => place !== null && onDone(isDone ? place : place + 1)}
      >
        <span class="rec-paying-mark" aria-hidden="true" />
        <span class="rec-paying-who">
          <span class="rec-paying-seat">{t("seat", { seat: line.seat })}</span>
          {player?.colour != null && (
            <>
              <span class="rec-paying-chip">
                <ColourChip colour={player.colour} value={player.value} />
              </span>
              {colourName(names, player.colour)}
            </>
          )}
        </span>
        <span class="rec-paying-box">{nameOf(line.box)}</span>
        <Chips line={line} marked={marked} />
        <span class="rec-paying-amount">{money(line.amount)}</span>
      </button>
    </li>
  );
}

function Chips({ line, marked }: { readonly line: PayingLine; readonly marked: Marked }) {
  const t = useWords("recording");
  if (line.chips === null) return <span class="rec-paying-short">{t("rack_short")}</span>;
  return (
    <span class="rec-paying-chips">
      <ChipsDrawn chips={line.chips} marked={marked} />
      {line.change.length > 0 && (
        <span class="rec-paying-change">
          {t("change_back")} <ChipsDrawn chips={line.change} marked={marked} />
        </span>
      )}
    </span>
  );
}
