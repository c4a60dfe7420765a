/** The roads: earlier results; information only [ts6 5.11]. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { Statistics } from "../../answers.ts";
import { get, roundsOf } from "../../live/index.ts";
import { BeadPlate, BigRoad, DiceStrip, Frequencies, RoadNote } from "../../roads/index.ts";
import { Button } from "../../shell/index.ts";
import { said } from "../../words/said.ts";
import { language, useWords } from "../../words/words.ts";
import type { Game } from "../game.ts";
import "./roads_panel.css";

const PARTS = ["size", "parity", "figures"] as const;
type Part = (typeof PARTS)[number];

export function Roads({ game }: { readonly game: Game }) {
  const t = useWords("play");
  const part = useSignal<Part>("size");
  const rounds = roundsOf(game.table.view.value);
  const shown = part.value;
  return (
    <section class="play-roads" aria-label={t("roads")}>
      <header class="play-roads-head">
        <h2>{t("roads")}</h2>
        <div class="play-roads-parts" role="group" aria-label={t("roads")}>
          {PARTS.map((each) => (
            <Button
              key={each}
              class="play-roads-part"
              kind="quiet"
              aria-pressed={shown === each}
              onClick={() => (part.value = each)}
            >
              {t(`roads_${each}`)}
            </Button>
          ))}
        </div>
      </header>
      <div class="play-roads-drawn" tabIndex={0} role="group" aria-label={t(`roads_${shown}`)}>
        {shown === "figures" ? (
          <Figures table={game.table.name} after={rounds.at(-1)?.round ?? 0} />
        ) : (
          <>
            {rounds.length > 0 && <DiceStrip rounds={rounds} count={8} />}
            <BeadPlate rounds={rounds} by={shown} columns={18} note={false} still />
            <BigRoad rounds={rounds} by={shown} columns={18} note={false} still />
            <RoadNote />
          </>
        )}
      </div>
    </section>
  );
}

interface FiguresProps {
  readonly table: string;
  /** The last finished round; when it changes, the figures are requested again. */
  readonly after: number;
}

/** How often each total and face was seen, against what fair dice show. */
function Figures({ table, after }: FiguresProps) {
  const t = useWords("play");
  const shown = useSignal<Statistics | null>(null);
  const fault = useSignal<string | null>(null);
  const tongue = language.value;
  useEffect(() => {
    const ending = new AbortController();
    const at = `/api/tables/${encodeURIComponent(table)}/statistics`;
    get<Statistics>(at, { language: tongue }, { signal: ending.signal }).then(
      (statistics) => {
        shown.value = statistics;
        fault.value = null;
      },
      (error: unknown) => {
        if (!ending.signal.aborted) fault.value = error instanceof Error ? error.message : String(error);
      },
    );
    return () => ending.abort();
  }, [table, after, tongue]);
  if (fault.value !== null) return <p role="alert">{said(fault.value)}</p>;
  return shown.value === null ? <p>{t("one_moment")}</p> : <Frequencies statistics={shown.value} />;
}
