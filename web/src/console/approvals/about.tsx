/** What a second person agrees to: the command's chips, and its effects. */

import type { ChipTable } from "../../live/index.ts";
import type { Pieces } from "../../protocol.ts";
import { ChipsDrawn } from "../chips/payout/chips_drawn.tsx";
import { money, useWords } from "../../words/words.ts";
import { markedOf, sumOf } from "../money/counts/chips.ts";
import { PreviewAnswer, usePendingPreview } from "../parts/preview.tsx";

interface Props {
  readonly table: ChipTable | null;
  readonly command: Readonly<Record<string, unknown>>;
  /** The hash of the pending command, and the name of its table. */
  readonly pending: string;
  readonly at: string;
  readonly nameOf: (box: string) => string;
}

/** The commands whose chips a second person has counted too. */
const CHIPS: Readonly<Record<string, string>> = {
  OpenDay: "count",
  CloseDay: "count",
  ReceiveFill: "chips",
  SendCredit: "chips",
  ReturnCredit: "chips",
  PutBetRight: "chips",
};

/** The commands whose effects are shown before they are approved. */
const SHOWN: ReadonlySet<string> = new Set([
  ...["Rule", "VoidSettledRounds", "CorrectSettledRound"],
  ...["RuleOnBet", "EnterRoundByHand"],
]);

/** Whether the effects of a command are shown to the second person. */
export function isShown(command: Props["command"]): boolean {
  return SHOWN.has(String(command["type"]));
}

export function RequestDetails({ table, command, pending, at, nameOf }: Props) {
  const type = String(command["type"]);
  if (isShown(command)) {
    return (
      <>
        {table !== null && type === "EnterRoundByHand" && (
          <Laid table={table} stacks={command["stacks"]} nameOf={nameOf} />
        )}
        <WouldDo pending={pending} at={at} chips={table !== null} />
      </>
    );
  }
  if (table === null) return null;
  const chips = command[CHIPS[type] ?? ""];
  return Array.isArray(chips) ? <ChipsDrawn chips={chips as readonly Pieces[]} marked={markedOf(table)} /> : null;
}

interface WouldProps {
  readonly pending: string;
  readonly at: string;
  readonly chips: boolean;
}

/** The effects of a command, as they were shown to the person who gave it. */
export function WouldDo({ pending, at, chips }: WouldProps) {
  const answer = usePendingPreview(at, pending);
  return <PreviewAnswer answer={answer.value} chips={chips} />;
}

interface LaidProps extends Pick<Props, "nameOf"> {
  readonly table: ChipTable;
  readonly stacks: unknown;
}

/** The stacks that are reported for the layout of a round dealt by hand. */
function Laid({ table, stacks, nameOf }: LaidProps) {
  const t = useWords("recording");
  if (!Array.isArray(stacks)) return <p>{t("by_hand_as_recorded")}</p>;
  const marked = markedOf(table);
  const laid = stacks as readonly (readonly [string, string, readonly Pieces[]])[];
  return (
    <ul class="about-laid" aria-label={t("by_hand_stacks")}>
      {laid.length === 0 && <li>{t("by_hand_nothing")}</li>}
      {laid.map(([seat, box, chips], place) => (
        <li key={place}>{t("to_rule_line", { seat, box: nameOf(box), amount: money(sumOf(chips, marked)) })}</li>
      ))}
    </ul>
  );
}
