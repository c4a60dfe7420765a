/** The rack, drawn as stacks, and the display rack with the value of each player's colour. */

import { Chip, ColourChip, colourName } from "../../layout/index.ts";
import type { ChipTable } from "../../live/index.ts";
import { Money } from "../../shell/index.ts";
import { amount, money, number, useWords } from "../../words/words.ts";
import { counted, countOf } from "./counts/chips.ts";
import "./rack.css";

/** The tallest stack that is drawn; the number beside it is exact. */
const DRAWN_MAX = 20;

interface Props {
  readonly table: ChipTable;
}

/** True while a count is due: then the server does not send what should be there. */
export function Rack({ table }: Props) {
  const t = useWords("console");
  const { rack, rack_value } = table;
  return (
    <section class="money-part" aria-labelledby="money-rack">
      <header class="money-part-head">
        <h2 id="money-rack">{t("money_rack")}</h2>
        {rack_value !== null && (
          <strong>
            <Money cents={rack_value} />
          </strong>
        )}
      </header>
      {rack === null ? (
        <p class="console-hint">{t("money_rack_blind")}</p>
      ) : (
        <ul class="money-rack">
          {counted(table).map((chip) => (
            <Stack key={chip} chip={chip} count={countOf(rack, chip)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Stack({ chip, count }: { readonly chip: number; readonly count: number }) {
  const t = useWords("console");
  return (
    <li class="money-stack">
      <Drawn look={`chip-${chip}`} count={count} />
      <span class="money-stack-chip">
        <Chip amount={chip} />
      </span>
      <span class="money-stack-count">{t("money_times", { count: number(count), chip: amount(chip) })}</span>
      <span class="money-stack-sum">
        <Money cents={chip * count} sign={false} />
      </span>
    </li>
  );
}

/** The edges of a stack, one over the other. */
function Drawn({ look, count }: { readonly look: string; readonly count: number }) {
  const style = { "--pieces": String(Math.min(count, DRAWN_MAX)) };
  return <span class={`money-stack-drawn ${look}`} style={style} aria-hidden="true" />;
}

/** Every colour of the table: its player, the value of a piece, and the pieces in the rack. */
export function DisplayRack({ table }: { readonly table: ChipTable }) {
  const t = useWords("console");
  const names = useWords("layout");
  if (table.chip_set.colours.length === 0) return null;
  return (
    <section class="money-part" aria-labelledby="money-colours">
      <h2 id="money-colours">{t("money_display_rack")}</h2>
      <ul class="money-colours">
        {table.chip_set.colours.map((colour) => {
          const owner = table.seats.find((seat) => seat.colour === colour);
          return (
            <li key={colour} class="money-colour" data-free={owner === undefined}>
              <span class="money-colour-chip">
                <ColourChip colour={colour} value={owner?.value ?? null} />
              </span>
              <strong>{colourName(names, colour)}</strong>
              <span>
                {owner === undefined
                  ? t("money_colour_free")
                  : t("money_colour_of", { seat: owner.seat, value: money(owner.value ?? 0) })}
              </span>
              <span class="money-quiet">{t("money_in_rack", { count: number(table.colours[colour] ?? 0) })}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
