/** The layout of a table's console: the main line on the left, the panels beside it. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";

import type { Awaited, SessionView } from "../answers.ts";
import { roundsOf, tabPin, type Link } from "../live/index.ts";
import { money, useWords, type Words } from "../words/words.ts";
import { capital } from "../words/capital.ts";
import { Approvals } from "./approvals/approvals.tsx";
import { useBoard, type Board } from "./board.ts";
import type { Unticked } from "./desk.ts";
import { useSecondsUntil } from "../shell/countdown.ts";
import { EntryTerminal } from "./entry/entry.tsx";
import { chipKey, useChipPhase } from "./chips/index.tsx";
import { linesNow } from "./chips/payout/payout_lists.tsx";
import { ByHandForm } from "./chips/record/by_hand_form.tsx";
import { linesOf } from "./side/payout_guide.tsx";
import { LastRounds } from "./history/history.tsx";
import { Help } from "./help.tsx";
import { useKeys } from "./keys.ts";
import { Ruling } from "./chips/limits/to_rule.tsx";
import { MoneyForms } from "./money/index.tsx";
import { useGone } from "./parts/gone.ts";
import { RequestDetails } from "./approvals/about.tsx";
import { ECHO, stepOf } from "./steps/next.ts";
import { goOn, NextPanel, type Walk } from "./steps/next_panel.tsx";
import { SidePanels } from "./side/panels.tsx";
import { Status } from "./status/status.tsx";
import { StepForm } from "./steps/step_form.tsx";
import { StepList } from "./steps/steps.tsx";
import "./console.css";
import "./parts/sentence.css";

interface Props {
  readonly link: Link;
  readonly who: SessionView;
  readonly table: string;
}

export function GameConsole({ link, who, table }: Props) {
  const t = useWords("console");
  const board = useBoard(link, table);
  const help = useSignal(false);
  const walk = useWalk(board);
  useUnticked(board);
  const waiting = useWaiting(board);
  const notFlat = (): void => {
    board.panel.value = "irregularities";
    board.irregularity.value = "die-not-flat";
  };
  useConsoleKeys(board, walk, () => (help.value = true));
  useChipPhase(board);
  const view = board.desk.table.view.value;
  return (
    <div class="console" data-form={view?.form} data-entering={isEntering(board)}>
      <h1 class="unseen">{t("console_of", { table })}</h1>
      <Status
        desk={board.desk}
        unruled={board.irregularities.answer.value.value?.unruled ?? {}}
        nameOf={board.nameOf}
        onHelp={() => (help.value = true)}
      />
      <div class="console-line">
        <NextPanel desk={board.desk} walk={walk} waiting={waiting.length > 0} onNotFlat={notFlat} />
        <Waiting board={board} who={who} waiting={waiting} />
        <OpenForm board={board} />
        <StepList desk={board.desk} />
      </div>
      <div class="console-keyed">
        <Entry board={board} />
        <LastRounds rounds={roundsOf(view)} />
      </div>
      <SidePanels board={board} role={who.role} />
      {board.isChipTable && <MoneyForms board={board} />}
      {board.isChipTable && <Ruling board={board} />}
      {help.value && <Help board={board} onClose={() => (help.value = false)} />}
    </div>
  );
}

/** Whether dice are to be entered: until then a chip table's layout takes that room. */
function isEntering({ desk }: Board): boolean {
  const phase = desk.table.view.value?.phase;
  const reading = stepOf(desk.steps.value, "LiftCover")?.standing === "next";
  return (phase === "no-more-bets" && !reading) || phase === "result" || desk.action.value.step?.command === "PressFace";
}

/** The line of the lists to do now, if they are worked through line by line. */
function useWalk(board: Board): Walk | null {
  const guided = useGuideWalk(board);
  const table = useChipWalk(board);
  return board.isChipTable ? table : guided;
}

/** At a chip table one list is worked through before CollectLosers, the other before Settle. */
function useChipWalk(board: Board): Walk | null {
  const t = useWords("console");
  const { recorder, walked } = board;
  const guide = recorder.chipTable.value?.guide ?? null;
  const line = guide === null ? undefined : linesNow(guide)[walked.value];
  if (!board.desk.walking.value || line === undefined) return null;
  const blanks = { box: recorder.nameOf(line.box), seat: line.seat, amount: money(line.amount) };
  return {
    label: t(`go_${line.act}_seat`, blanks),
    done: () => {
      board.panel.value = "paying";
      walked.value += 1;
    },
  };
}

function useGuideWalk(board: Board): Walk | null {
  const t = useWords("console");
  const guide = board.guide.answer.value.value;
  if (!board.desk.walking.value || guide === null || guide.settled) return null;
  const line = linesOf(t, guide)[board.walked.value];
  if (line === undefined) return null;
  const label = line.act === "collect" ? "go_collect" : "go_pay";
  return {
    label: t(label, { box: line.name, amount: line.amountText }),
    done: () => {
      board.panel.value = "guide";
      board.walked.value += 1;
    },
  };
}

/** Tell the desk which lines of the lists are not ticked off, in the present language. */
function useUnticked(board: Board): void {
  const t = useWords("console");
  const left = board.isChipTable ? untickedChips(t, board) : untickedBoxes(t, board);
  useLayoutEffect(() => void (board.desk.unticked.value = left));
}

function untickedChips(t: Words<"console">, { recorder, walked }: Board): readonly Unticked[] {
  const guide = recorder.chipTable.value?.guide ?? null;
  const left = guide === null ? [] : linesNow(guide).slice(walked.value);
  return left.map(({ act, box, seat, amount }) => ({
    about: `${act} ${box} ${seat} ${amount}`,
    words: t(`go_${act}_seat`, { box: recorder.nameOf(box), seat, amount: money(amount) }),
  }));
}

/** At a terminal table lines are ticked off only if they are worked through one by one. */
function untickedBoxes(t: Words<"console">, { desk, guide: received, walked }: Board): readonly Unticked[] {
  const guide = received.answer.value.value;
  const left = !desk.walking.value || guide === null || guide.settled ? [] : linesOf(t, guide).slice(walked.value);
  return left.map(({ act, box, name, amountText }) => ({
    about: `${act} ${box}`,
    words: t(act === "collect" ? "go_collect" : "go_pay", { box: name, amount: amountText }),
  }));
}

function useConsoleKeys(board: Board, walk: Walk | null, onHelp: () => void): void {
  const { desk } = board;
  // A key reads the state when it is pressed, so it always does what the screen shows.
  const now = useMemo(() => ({ walk, onHelp }), []);
  now.walk = walk;
  now.onHelp = onHelp;
  const keys = useMemo(
    () => ({
      next: () => goOn(desk, desk.action.value, now.walk),
      entry: () => {
        const action = desk.action.value;
        if (board.taker !== null) return board.taker.enter();
        const entering = action.step?.command === "EnterResult" || action.kind === "faces";
        if (entering || desk.isAhead) desk.enter();
        else goOn(desk, action, now.walk);
      },
      face: (face: number) => {
        if (board.taker === null) desk.press(face);
        else board.taker.face(face);
      },
      bell: () => desk.takeNamed("CloseBets"),
      help: () => now.onHelp(),
      cancel: () => (desk.opened.value = null),
      first: (key: string) => (board.isChipTable ? chipKey(board, key) : null),
    }),
    [board],
  );
  useKeys(keys);
}

/** The commands that wait for a second person at this table. */
function useWaiting(board: Board): readonly Awaited[] {
  const here = (board.approvals.answer.value.value ?? []).filter((each) => each.to === board.desk.name);
  const ends = here.flatMap(({ expires }) => expires ?? []);
  const left = useSecondsUntil(ends.length === 0 ? null : Math.max(...ends), board.desk.now);
  return left.value === 0 ? here.filter(({ expires }) => expires === null) : here;
}

interface WaitingProps {
  readonly board: Board;
  readonly who: SessionView;
  readonly waiting: readonly Awaited[];
}

function Waiting({ board, who, waiting }: WaitingProps) {
  const { desk } = board;
  const grant = async (awaited: Awaited, pin: string): Promise<string | null> => {
    const answer = await desk.link.grant(awaited.to, awaited.pending, awaited.version, pin);
    board.approvals.refresh();
    return answer.type === "Refused" ? answer.sentence : null;
  };
  const decline = async ({ to, pending }: Awaited, note: string): Promise<string | null> => {
    const answer = await desk.link.ask(to, { type: "Decline", pending, note });
    board.approvals.refresh();
    return answer.type === "Refused" ? answer.sentence : null;
  };
  return (
    <Approvals
      waiting={waiting}
      me={who}
      now={desk.now}
      pin={tabPin.value}
      onGrant={grant}
      onDecline={decline}
      about={({ command, pending }) => (
        <RequestDetails
          table={desk.table.chipTable.value}
          command={command}
          pending={pending}
          at={desk.name}
          nameOf={board.nameOf}
        />
      )}
    />
  );
}

/** The form of the step that was opened, if any. */
function OpenForm({ board }: { readonly board: Board }) {
  const { desk } = board;
  const t = useWords("console");
  const step = desk.opened.value === null ? null : stepOf(desk.steps.value, desk.opened.value);
  const why = step?.standing === "refused" ? capital(step.sentence ?? "") : null;
  const close = (): void => {
    desk.opened.value = null;
  };
  useGone(step !== null && why !== null ? t("step_gone", { step: step.label, why }) : null, close);
  if (step === null || step.standing === "refused") return null;
  const chipTable = board.recorder.chipTable.value;
  if (step.command === "EnterRoundByHand") {
    if (chipTable === null) return null;
    return (
      <ByHandForm
        recorder={board.recorder}
        table={chipTable}
        takeKeys={board.takeKeys}
        ask={(command) => desk.ask(command)}
        onClose={close}
      />
    );
  }
  const wanted = board.opening.answer.value.value?.wanted ?? [];
  const piece = wanted.find((each) => each.step.command === "RegisterEquipment" && !each.done);
  return (
    <StepForm
      key={step.command}
      step={step}
      equipment={piece?.code ?? ""}
      takeKeys={board.takeKeys}
      onClose={close}
      onSend={(command) => {
        void desk.ask(command).then((answer) => {
          if (answer.type === "Registered") desk.opened.value = null;
        });
      }}
    />
  );
}

function Entry({ board }: { readonly board: Board }) {
  const t = useWords("console");
  const { desk } = board;
  const action = desk.action.value;
  const press = stepOf(desk.steps.value, "PressFace");
  const enter = stepOf(desk.steps.value, "EnterResult");
  const entering = action.step?.command === "EnterResult" || action.step?.command === "PressFace";
  const wanted = !entering ? null : action.kind === "faces" ? "faces" : action.kind === "step" ? "entry" : null;
  return (
    <EntryTerminal
      echo={desk.echo.value}
      putRight={desk.putRight.value}
      wanted={wanted}
      facesOpen={press !== null && press.standing !== "refused"}
      entryOpen={enter !== null && enter.standing !== "refused" && desk.echo.value.length >= ECHO}
      note={press?.by === "device" ? t("entry_device") : press?.standing === "refused" ? press.sentence : null}
      onFace={(face) => desk.press(face)}
      onEntry={() => desk.enter()}
    />
  );
}
