/** A list of counted chips: each kind drawn once, with its number and its value or name. */

import type { Pieces } from "../../protocol.ts";
import { number, short, useWords } from "../../words/words.ts";
import { Chip } from "./chip.tsx";
import { ColourChip, colourName } from "./colour_chip.tsx";
import "./pieces_list.css";

interface PiecesListProps {
  readonly chips: readonly Pieces[];
  /** The name of the list, for screen readers. */
  readonly label: string;
}

export function PiecesList({ chips, label }: PiecesListProps) {
  return (
    <ul class="pieces" aria-label={label}>
      {chips.map((pieces) => (
        <Drawn key={pieces[0]} pieces={pieces} />
      ))}
    </ul>
  );
}

function Drawn({ pieces: [chip, count] }: { readonly pieces: Pieces }) {
  const t = useWords("layout");
  const isValue = typeof chip === "number";
  const name = isValue ? short(chip) : colourName(t, chip);
  return (
    <li>
      <span class="pieces-chip">
        {isValue ? <Chip amount={chip} denomination={chip} /> : <ColourChip colour={chip} value={null} />}
      </span>
      <span>{t("pieces_of", { count: number(count), chip: name })}</span>
    </li>
  );
}
