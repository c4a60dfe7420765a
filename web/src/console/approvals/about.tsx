/** What a second person agrees to: its chips, and what it would do. */

import type { ChipTable } from "../../live/index.ts";
import type { Pieces } from "../../protocol.ts";
import { ChipsDrawn } from "../chips/payout/chips_drawn.tsx";
import { markedOf } from "../money/counts/chips.ts";
import { PreviewAnswer, usePendingPreview } from "../parts/preview.tsx";

interface Props {
  readonly table: ChipTable | null;
  readonly command: Readonly<Record<string, unknown>>;
  /** The hash of what waits, and the name of the table where it does. */
  readonly pending: string;
  readonly at: string;
}

/** The commands whose chips somebody else has counted too. */
const CHIPS: Readonly<Record<string, string>> = {
  OpenDay: "count",
  CloseDay: "count",
  ReceiveFill: "chips",
  SendCredit: "chips",
  ReturnCredit: "chips",
  PutBetRight: "chips",
};

/** The commands of which it is shown what they would do. */
const SHOWN: ReadonlySet<string> = new Set(["RuleOnBet", "EnterRoundByHand"]);

export function RequestDetails({ table, command, pending, at }: Props) {
  if (table === null) return null;
  const type = String(command["type"]);
  if (SHOWN.has(type)) return <WouldDo pending={pending} at={at} />;
  const chips = command[CHIPS[type] ?? ""];
  return Array.isArray(chips) ? <ChipsDrawn chips={chips as readonly Pieces[]} marked={markedOf(table)} /> : null;
}

function WouldDo({ pending, at }: Pick<Props, "pending" | "at">) {
  const answer = usePendingPreview(at, pending);
  return <PreviewAnswer answer={answer.value} chips />;
}
