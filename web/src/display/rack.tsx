/** The display rack of a chip table: the value of each player's colour, to read from afar. */

import { useComputed } from "@preact/signals";

import { ColourChip, colourName } from "../layout/index.ts";
import type { MarkedColour } from "../protocol.ts";
import { number, short, useWords } from "../words/words.ts";
import { useShape, type Shape } from "./shape.ts";
import type { Watched } from "./table_feed.ts";
import { useTurns } from "./turns.ts";
import "./rack.css";

/** The most colours that can be read from afar at once; if more are in use, they take turns. */
const AT_ONCE: Readonly<Record<Shape, number>> = { wide: 8, square: 6, tall: 6 };

export function Rack({ watched }: { readonly watched: Watched }) {
  const t = useWords("display");
  const { table } = watched;
  const marked = useComputed(() => bySeat(table.view.value?.marked ?? [])).value;
  const seats = useComputed(() => table.view.value?.seats ?? 0).value;
  const taken = useComputed(() => table.view.value?.taken.length ?? 0).value;
  return (
    <section class="wall-rack" aria-label={t("rack")}>
      <header class="wall-rack-head">
        <h3 class="wall-title">{t("rack")}</h3>
        <p class="wall-quiet">{t("seats_taken", { taken: number(taken), seats: number(seats) })}</p>
      </header>
      {marked.length === 0 ? (
        <p class="wall-rack-none">{t("rack_none")}</p>
      ) : (
        <Colours marked={marked} />
      )}
    </section>
  );
}

/** Sort colours by seat, so that players find their own. */
function bySeat(marked: readonly MarkedColour[]): readonly MarkedColour[] {
  return [...marked].sort((one, other) => one.seat.localeCompare(other.seat, "en", { numeric: true }));
}

function Colours({ marked }: { readonly marked: readonly MarkedColour[] }) {
  const t = useWords("display");
  const { shown, page, pages } = useTurns(marked, AT_ONCE[useShape()]);
  return (
    <>
      <ul class="wall-colours">
        {shown.map((one) => (
          <Colour key={one.colour} {...one} />
        ))}
      </ul>
      {pages > 1 && <p class="wall-rack-page">{t("page_of", { page, pages })}</p>}
    </>
  );
}

function Colour({ colour, seat, value }: MarkedColour) {
  const t = useWords("display");
  const names = useWords("layout");
  return (
    <li class="wall-colour">
      <span class="wall-colour-chip">
        <ColourChip colour={colour} value={value} />
      </span>
      <span class="wall-colour-said">
        <strong>{colourName(names, colour)}</strong>
        <span>{t("piece_worth", { value: short(value) })}</span>
        <span>{t("seat", { seat })}</span>
      </span>
    </li>
  );
}
