/** What a second person agrees to, as far as it is chips. */

import type { ChipTable } from "../../live/index.ts";
import type { Pieces } from "../../protocol.ts";
import { ChipsDrawn } from "../chips/payout/chips_drawn.tsx";
import { markedOf } from "../money/counts/chips.ts";

interface Props {
  readonly table: ChipTable | null;
  readonly command: Readonly<Record<string, unknown>>;
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

export function RequestDetails({ table, command }: Props) {
  if (table === null) return null;
  const type = String(command["type"]);
  const chips = command[CHIPS[type] ?? ""];
  return Array.isArray(chips) ? <ChipsDrawn chips={chips as readonly Pieces[]} marked={markedOf(table)} /> : null;
}
