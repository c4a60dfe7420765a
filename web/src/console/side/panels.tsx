/** The panels beside the main line, each with what it shows now. */

import { roundsOf } from "../../live/index.ts";
import type { Registered, Role, WireCommand } from "../../protocol.ts";
import { lasting } from "../../words/said.ts";
import { clock, useWords, type Words } from "../../words/words.ts";
import { LiveBets } from "../exposure/bets.tsx";
import type { Board } from "../board.ts";
import { LayoutPanel, PayingPanel } from "../chips/index.tsx";
import { Guide } from "./payout_guide.tsx";
import { LastRounds, Log } from "../history/history.tsx";
import { HeatMap } from "../exposure/heatmap.tsx";
import { Irregularities, type Outcome } from "../irregularities/irregularities.tsx";
import type { Given } from "../irregularities/fields.tsx";
import { TableMoney } from "../money/index.tsx";
import { ECHO } from "../steps/next.ts";
import { Side, type Panel, type Panels } from "./tabs.tsx";

export function SidePanels({ board, role }: { readonly board: Board; readonly role: Role }) {
  const isChipTable = board.desk.table.view.value?.form === "chips";
  const always: Panels = {
    irregularities: () => <Irregular board={board} role={role} />,
    log: () => <Happened board={board} />,
  };
  if (!isChipTable) {
    const panels: Panels = {
      exposure: () => <Exposed board={board} />,
      bets: () => <Bets board={board} />,
      guide: () => <Paying board={board} />,
    };
    return <Side open={board.panel} panels={{ ...panels, ...always }} />;
  }
  const panels: Panels = {
    layout: () => <LayoutPanel board={board} role={role} />,
    paying: () => <PayingPanel board={board} role={role} />,
    money: () => <TableMoney board={board} role={role} />,
    exposure: () => <Exposed board={board} />,
  };
  return <Side open={board.panel} panels={{ ...panels, ...always }} marks={chipMarks(board)} />;
}

/** The marks on tabs: tasks on panels that may not be open. */
function chipMarks(board: Board): Partial<Record<Panel, string>> {
  const table = board.recorder.chipTable.value;
  const notices = (table?.notices.length ?? 0) + (table?.mixed?.length ?? 0) + (table?.to_rule?.length ?? 0);
  const due = (table?.fills?.length ?? 0) + (table?.recovering?.length ?? 0);
  return {
    ...(notices > 0 && { layout: String(notices) }),
    ...(due > 0 && { money: String(due) }),
  };
}

interface Of {
  readonly board: Board;
}

function Exposed({ board }: Of) {
  const t = useWords("console");
  const risk = board.desk.table.exposure.value;
  const outcomes = board.results.value?.results;
  if (risk === null || outcomes === undefined) return <p class="console-hint">{t("exposure_none")}</p>;
  return <HeatMap outcomes={outcomes} risk={risk} shown={board.desk.table.view.value?.faces ?? null} />;
}

function Bets({ board }: Of) {
  return (
    <LiveBets
      table={board.desk.table}
      layout={board.layout.value}
      odds={board.odds.value}
      gauges={board.gauges.answer.value}
    />
  );
}

function Paying({ board }: Of) {
  const { value, sentence } = board.guide.answer.value;
  const { walking } = board.desk;
  return (
    <Guide
      guide={value}
      sentence={sentence}
      done={walking.value ? board.walked.value : null}
      onWalk={(walk) => {
        walking.value = walk;
        board.walked.value = 0;
      }}
    />
  );
}

function Irregular({ board, role }: Of & { readonly role: Role }) {
  const t = useWords("console");
  const confirm = async (command: WireCommand): Promise<Outcome> => {
    const answer = await board.desk.ask(command);
    if (answer.type === "Refused") {
      return { refused: true, sentence: answer.sentence, clause: answer.clause ?? null };
    }
    const pending = answer.pending ?? null;
    return { refused: false, sentence: lasting(() => reportedAs(t, answer)), clause: null, pending };
  };
  const given = (code: string, { first, round, faces, voids_round }: Given): void => {
    board.irregularities.refresh({
      code,
      first: first || null,
      round: round || null,
      faces: faces.length === ECHO ? faces.join("") : null,
      voids_round: voids_round ? true : null,
    });
  };
  return (
    <Irregularities
      table={board.desk.name}
      chips={board.desk.table.view.value?.form === "chips"}
      list={board.irregularities.answer.value.value?.irregularities ?? []}
      role={role}
      chosen={board.irregularity.value}
      onChoose={(code) => {
        board.irregularity.value = code;
        board.irregularities.refresh({});
      }}
      onGiven={given}
      onConfirm={confirm}
      takeKeys={board.takeKeys}
      waiting={board.waiting.value}
    />
  );
}

/** The outcome of a report: recorded, or pending, with or without a time limit. */
export function reportedAs(t: Words<"console">, { pending, expires }: Registered): string {
  if (pending == null) return t("reported");
  return expires == null ? t("reported_doubt") : t("reported_waits", { time: clock(expires) });
}

function Happened({ board }: Of) {
  const t = useWords("console");
  return (
    <div class="console-happened">
      <LastRounds rounds={roundsOf(board.desk.table.view.value)} />
      <h2>{t("log")}</h2>
      <Log entries={board.log.value} />
    </div>
  );
}
