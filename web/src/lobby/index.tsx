/** The lobby: what the game is, every table of the venue, and links for the staff. */

import { DieFace } from "../layout/dice/dice.tsx";
import { NeedsVenue, addressOf } from "../shell/index.ts";
import { useWords } from "../words/words.ts";
import { TableCard } from "./table_card.tsx";
import "./lobby.css";

/** The dice drawn in the entrance, between 小 and 大; they are not a result of any table. */
const ENTRANCE = [4, 1, 5] as const;
const STEPS = ["how_1", "how_2", "how_3"] as const;

export default function Lobby() {
  return (
    <div class="lobby">
      <Entrance />
      <Tables />
      <StaffDoors />
    </div>
  );
}

function Entrance() {
  const t = useWords("lobby");
  return (
    <section class="lobby-entrance">
      <div class="lobby-layout">
        <div class="lobby-words">
          <h1>{t("title")}</h1>
          <p>{t("lead")}</p>
        </div>
        <div class="lobby-print" aria-hidden="true" lang="zh-Hans">
          <span class="lobby-sign">小</span>
          <div class="lobby-dice">
            {ENTRANCE.map((face) => (
              <DieFace key={face} face={face} />
            ))}
          </div>
          <span class="lobby-sign">大</span>
        </div>
        <div class="lobby-how">
          <h2>{t("how_title")}</h2>
          <ol>
            {STEPS.map((step) => (
              <li key={step}>{t(step)}</li>
            ))}
          </ol>
        </div>
      </div>
    </section>
  );
}

function Tables() {
  const t = useWords("lobby");
  return (
    <section class="lobby-part" aria-labelledby="lobby-tables">
      <h2 id="lobby-tables">{t("tables_title")}</h2>
      <NeedsVenue>
        {(link, venue) =>
          venue.tables.length === 0 ? (
            <p>{t("tables_none")}</p>
          ) : (
            <ul class="lobby-tables">
              {venue.tables.map((name) => (
                <li key={name}>
                  <TableCard link={link} name={name} />
                </li>
              ))}
            </ul>
          )
        }
      </NeedsVenue>
      <p class="lobby-information">{t("information")}</p>
    </section>
  );
}

function StaffDoors() {
  const t = useWords("lobby");
  return (
    <section class="lobby-part" aria-labelledby="lobby-staff">
      <h2 id="lobby-staff">{t("staff_title")}</h2>
      <ul class="lobby-doors">
        {(["pit", "cage", "house", "audit"] as const).map((door) => (
          <li key={door}>
            <a class="lobby-door" href={addressOf(door)}>
              <strong>{t(door)}</strong>
              <span>{t(`${door}_for`)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
