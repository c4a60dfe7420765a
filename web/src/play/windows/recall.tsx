/** Shows the last rounds again, bet by bet with the reason and the clause [ts6 3.9]. */

import { signal, useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useMemo } from "preact/hooks";

import type { Recall as Recalled, RecalledLine, RecalledRound, RoundReceipt } from "../../answers.ts";
import { DiceRow, Layout, type BoxMarks, type ChipMark } from "../../layout/index.ts";
import { get } from "../../live/index.ts";
import { Button, Dialog, Fault, Money, useSending } from "../../shell/index.ts";
import { said } from "../../words/said.ts";
import { cited, language, loadWords, number, useWords } from "../../words/words.ts";
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
      {fault.value !== null && <p role="alert">{said(fault.value)}</p>}
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

/** The stakes on a round, and what came back in the end: all stakes if it is void. */
function sumsOf({ lines, void: isVoid }: RecalledRound): { readonly stake: number; readonly back: number } {
  const stake = lines.reduce((all, line) => all + line.stake, 0);
  return { stake, back: isVoid ? stake : lines.reduce((all, line) => all + line.back, 0) };
}

interface ChoiceProps {
  readonly round: RecalledRound;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Choice({ round, isChosen, onChoose }: ChoiceProps) {
  const t = useWords("play");
  const { stake, back } = sumsOf(round);
  return (
    <Button class="recall-choice" aria-pressed={isChosen} onClick={onChoose}>
      <span>{t("round", { round: round.round })}</span>
      {round.faces === null ? <span>∅</span> : <DiceRow faces={round.faces} size="1.25rem" />}
      <span>{round.void ? t("void") : <Money cents={back - stake} gain />}</span>
    </Button>
  );
}

interface ReplayProps {
  readonly game: Game;
  readonly round: RecalledRound;
  /** How many of its newest rounds a table keeps, and signs receipts for. */
}

/** A round on the layout: the winning boxes, and the player's own bets with their outcomes. */
function Replay({ game, round }: ReplayProps) {
  const t = useWords("play");
  const printed = game.printed.value;
  const boxes = useMemo(() => marksOf(round), [round]);
  const lit = useMemo(() => litOf(round), [round]);
  return (
    <section class="recall-replay" aria-label={t("round", { round: round.round })}>
      <header class="recall-head">
        {round.faces !== null && <DiceRow faces={round.faces} call={round.call} size="2.5rem" />}
        <p class="recall-call">{round.call ?? t("scene_void")}</p>
      </header>
      {round.void && (
        <p class="recall-void">
          {round.sentence ?? t("reversed_later")}
          {round.clause !== null && ` ${cited(t, round.clause)}`}
        </p>
      )}
      {printed !== null && (
        <div class="recall-layout">
          <Layout layout={printed.layout} odds={printed.odds} boxes={boxes} lit={lit} still />
        </div>
      )}
      {round.lines.length === 0 ? <p>{t("no_bets_then")}</p> : <Bets round={round} />}
      <ReceiptOf round={round} />
    </section>
  );
}

type ShownReceipt = ComponentType<{ readonly receipt: RoundReceipt; readonly onClose: () => void }>;

/** The signed receipt of a settled round; the code that shows it is loaded on request. */
function ReceiptOf({ round }: { readonly round: RecalledRound }) {
  const t = useWords("play");
  const signed = useSignal<{ readonly Shown: ShownReceipt; readonly receipt: RoundReceipt } | null>(null);
  const { fault, busy, send } = useSending();
  if (round.faces === null || round.lines.length === 0) return <p class="recall-reason">{t("receipt_none")}</p>;
  const ask = (): void =>
    send(async () => {
      const [receipt, { ReceiptDialog: Shown }] = await Promise.all([
        get<RoundReceipt>(`/api/terminal/receipts/${round.round}`),
        import("../../slips/receipt.tsx"),
        loadWords("slips"),
      ]);
      signed.value = { Shown, receipt };
    });
  const shown = signed.value;
  return (
    <div class="recall-receipt">
      <Button busy={busy} onClick={ask}>
        {t("receipt", { round: number(round.round) })}
      </Button>
      <p class="recall-reason">{t("receipt_what")}</p>
      <Fault>{fault}</Fault>
      {shown !== null && <shown.Shown receipt={shown.receipt} onClose={() => (signed.value = null)} />}
    </div>
  );
}

/** Every bet with its outcome and its clause, and the totals. */
function Bets({ round }: { readonly round: RecalledRound }) {
  const t = useWords("play");
  const { stake, back } = sumsOf(round);
  return (
    <table class="recall-bets">
      <thead>
        <tr>
          <th scope="col">{t("recall_bet")}</th>
          <th scope="col">{t("recall_stake")}</th>
          <th scope="col">{t("recall_back")}</th>
        </tr>
      </thead>
      <tbody>
        {round.lines.map((line) => (
          <Bet key={line.box} line={line} isVoid={round.void} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">
            {t("recall_total")} <Money cents={back - stake} gain />
          </th>
          <td>
            <Money cents={stake} />
          </td>
          <td>
            <Money cents={back} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

const OUTCOMES = {
  won: ["▲", "bet_is_won"],
  lost: ["▽", "bet_is_lost"],
  returned: ["↺", "bet_is_returned"],
} as const;

function outcomeOf(line: RecalledLine, isVoid: boolean): keyof typeof OUTCOMES {
  if (isVoid) return "returned";
  if (line.won > 0) return "won";
  return line.back > 0 ? "returned" : "lost";
}

function Bet({ line, isVoid }: { readonly line: RecalledLine; readonly isVoid: boolean }) {
  const t = useWords("play");
  const outcome = outcomeOf(line, isVoid);
  const [sign, words] = OUTCOMES[outcome];
  return (
    <tr class={`recall-${outcome}`}>
      <th scope="row">
        <span class="recall-name">
          <span aria-hidden="true">{sign}</span> {t("said_of", { name: line.name, what: t(words) })}
          {!isVoid && line.odds !== null && (
            <>
              {" · "}
              <span class="recall-odds">{t("at_odds", { odds: line.odds })}</span>
            </>
          )}
        </span>
        <span class="recall-reason">
          {line.reason}
          {line.clause !== null && ` ${cited(t, line.clause)}`}
        </span>
      </th>
      <td>
        <Money cents={line.stake} />
      </td>
      <td>
        <Money cents={isVoid ? line.stake : line.back} />
      </td>
    </tr>
  );
}

/** The boxes that won; only the player's own if the rules of the round are no longer known. */
function litOf({ lit, lines }: RecalledRound): ReadonlySet<string> {
  const own = lines.filter(({ won }) => won > 0).map(({ box }) => box);
  return new Set(lit.length > 0 ? lit : own);
}

/** The marks of a finished round. */
function marksOf(round: RecalledRound): (box: string) => BoxMarks {
  const none: BoxMarks = { own: signal<readonly ChipMark[]>([]) };
  const known = new Map(
    round.lines.map((line) => [line.box, { own: signal([markOf(line, round.void)]) }] as const),
  );
  return (box) => known.get(box) ?? none;
}

function markOf(line: RecalledLine, isVoid: boolean): ChipMark {
  switch (outcomeOf(line, isVoid)) {
    case "won":
      return { amount: line.back, state: "won" };
    case "lost":
      return { amount: line.stake, state: "lost" };
    case "returned":
      return { amount: line.stake, state: "registered" };
  }
}
