/** The chips of a chip table's event, drawn and counted as the dealer handled them. */

import type { EventView, StoryMove } from "../../answers.ts";
import { PiecesList } from "../../layout/index.ts";
import { useWords } from "../../words/words.ts";
import { handledIn, type Handled } from "./chip_events.ts";

interface ChipListsProps {
  readonly event: EventView;
  /** The event's moves on boxes. */
  readonly moves: readonly StoryMove[];
  readonly nameOf: (box: string) => string;
}

export function ChipLists({ event, moves, nameOf }: ChipListsProps) {
  return (
    <>
      {handledIn(event, moves).map((handled, place) => (
        <ChipList key={place} handled={handled} nameOf={nameOf} />
      ))}
    </>
  );
}

interface ChipListProps {
  readonly handled: Handled;
  readonly nameOf: (box: string) => string;
}

function ChipList({ handled, nameOf }: ChipListProps) {
  const t = useWords("audit");
  const { what, box, chips } = handled;
  const title = t(`chips_${what}`, { box: box === null ? "" : nameOf(box) });
  return (
    <div class="chip-list">
      <h3 class="chip-list-title">{title}</h3>
      {chips.length === 0 ? <p>{t("chips_none")}</p> : <PiecesList chips={chips} label={title} />}
    </div>
  );
}
