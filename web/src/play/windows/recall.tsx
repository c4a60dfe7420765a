/** The last rounds, again, bet by bet with the reason and the clause [ts6 3.9]. */

import { computed, signal, useComputed, useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";

import type { Recall as Recalled, RecalledLine, RecalledRound } from "../../answers.ts";
import { DiceRow, Layout, type BoxMarks, type ChipMark } from "../../layout/index.ts";
import { get } from "../../live/index.ts";
import { Button, Dialog, Money } from "../../shell/index.ts";
import { language, money, useWords } from "../../words/words.ts";
import { inFours } from "../../words/written.ts";
import type { Game } from "../game.ts";
import "./recall.css";
import type { WindowProps } from "./windows.tsx";

export function Recall({ game, onClose }: WindowProps) {
  const t = useWords("play");
  const rounds = useSignal<readonly RecalledRound[] | null>(null);
  const session = useSignal<string | null>(null);
  const fault = useSignal<string | null>(null);
  const chosen = useSignal(0);
  const tongue = language.value;
  useEffect(() => {
    const ending = new AbortController();
    get<Recalled>("/api/terminal/recall", { language: tongue }, { signal: ending.signal }).then(
      (answer) => {
        rounds.value = answer.rounds;
        session.value = answer.session ?? null;
      },
      (error: unknown) => {
        if (!ending.signal.aborted) fault.value = error instanceof Error ? error.message : String(error);
      },
    );
    return () => ending.abort();
  }, [tongue]);
  const round = rounds.value?.[chosen.value];
  return (
    <Dialog title={t("last_rounds")} onClose={onClose} wide>
      {fault.value !== null && <p role="alert">{fault.value}</p>}
      {rounds.value === null && fault.value === null && <p>{t("one_moment")}</p>}
      {rounds.value?.length === 0 && <p>{t("no_rounds_yet")}</p>}
      {session.value !== null && (
        <p class="recall-session">
          {t("session_code")} <strong>{inFours(session.value)}</strong> <span>{t("session_code_how")}</span>
        </p>
      )}
      {rounds.value !== null && round !== undefined && (
        <div class="recall">
          <ul class="recall-rounds" aria-label={t("last_rounds")}>
            {rounds.value.map((each, place) => (
              <li key={each.round}>
                <Choice round={each} isChosen={place === chosen.value} onChoose={() => (chosen.value = place)} />
              </li>
            ))}
          </ul>
          <Replay key={round.round} game={game} round={round} />
        </div>
      )}
    </Dialog>
  );
}

/** What a round came to. */
function gainOf(round: RecalledRound): number {
  return round.lines.reduce((all, line) => all + line.back - line.stake, 0);
}

interface ChoiceProps {
  readonly round: RecalledRound;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Choice({ round, isChosen, onChoose }: ChoiceProps) {
  const t = useWords("play");
  return (
    <Button class="recall-choice" aria-pressed={isChosen} onClick={onChoose}>
      <span>{t("round", { round: round.round })}</span>
      {round.faces === null ? <span>{t("void")}</span> : <DiceRow faces={round.faces} size="1.25rem" />}
      <span>{round.void ? t("void") : <Money cents={gainOf(round)} gain />}</span>
    </Button>
  );
}

/** A round on the layout: step by step each bet gets its outcome. */
function Replay({ game, round }: { readonly game: Game; readonly round: RecalledRound }) {
  const t = useWords("play");
  // Zero is before the dice; then one more bet is settled with each step.
  const step = useSignal(1);
  const printed = game.printed.value;
  const line = round.lines[step.value - 1];
  const boxes = useMemo(() => marksAt(round, step), [round]);
  const lit = useComputed(() => {
    const settled = round.lines.slice(0, step.value);
    return new Set(round.void ? [] : settled.filter(({ won }) => won > 0).map(({ box }) => box));
  });
  return (
    <section class="recall-replay" aria-label={t("round", { round: round.round })}>
      <header class="recall-head">
        {round.faces !== null && <DiceRow faces={round.faces} call={round.call} size="2.5rem" />}
        <p class="recall-call">{round.void ? t("scene_void") : round.call}</p>
      </header>
      {printed !== null && (
        <div class="recall-layout">
          <Layout layout={printed.layout} odds={printed.odds} boxes={boxes} lit={lit.value} still />
        </div>
      )}
      <div class="recall-steps">
        <Button aria-disabled={step.value <= 1} onClick={() => (step.value = Math.max(1, step.value - 1))}>
          ← {t("bet_before")}
        </Button>
        <span>{t("bet_of", { bet: Math.min(step.value, round.lines.length), bets: round.lines.length })}</span>
        <Button
          aria-disabled={step.value >= round.lines.length}
          onClick={() => (step.value = Math.min(round.lines.length, step.value + 1))}
        >
          {t("bet_after")} →
        </Button>
      </div>
      <div class="recall-line" role="status">
        {line === undefined ? <p>{t("no_bets_then")}</p> : <Settled line={line} isVoid={round.void} />}
      </div>
    </section>
  );
}

function Settled({ line, isVoid }: { readonly line: RecalledLine; readonly isVoid: boolean }) {
  const t = useWords("play");
  return (
    <>
      <p class="recall-reason">{line.reason}</p>
      <p>
        {t("line_sum", { stake: money(line.stake), back: money(line.back) })}
        {!isVoid && line.odds !== null && ` · ${t("at_odds", { odds: line.odds })}`}
        {line.clause !== null && ` · ${t("clause", { clause: line.clause })}`}
      </p>
    </>
  );
}

/** The marks of a round that is over, as far as it is known. */
function marksAt(round: RecalledRound, step: ReadonlySignal<number>): (box: string) => BoxMarks {
  const none = signal<readonly ChipMark[]>([]);
  const known = new Map<string, BoxMarks>();
  round.lines.forEach((line, place) => {
    const own = computedMarks(line, place, step);
    if (!known.has(line.box)) known.set(line.box, { own });
  });
  return (box) => known.get(box) ?? { own: none };
}

function computedMarks(
  line: RecalledLine,
  place: number,
  step: ReadonlySignal<number>,
): ReadonlySignal<readonly ChipMark[]> {
  return computed(() => {
    if (place >= step.value) return [{ amount: line.stake, state: "registered" }];
    return line.back === 0
      ? [{ amount: line.stake, state: "lost" }]
      : [{ amount: line.back, state: line.won > 0 ? "won" : "registered" }];
  });
}
