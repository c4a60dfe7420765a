/** Past results: roads, dice, and how often boxes won; for information only. */

import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { BoxCount, Statistics } from "../answers.ts";
import { BeadPlate, BigRoad, DiceStrip, type By } from "../roads/index.ts";
import { isDecision, number, useWords, type Words } from "../words/words.ts";
import { useStatistics } from "./figures.ts";
import { useShape, type Shape } from "./shape.ts";
import type { Watched } from "./table_feed.ts";

interface Shown {
  readonly watched: Watched;
}

/** How many columns of the bead plate and of the big road a screen has room for. */
const COLUMNS: Readonly<Record<Shape, readonly [number, number]>> = {
  wide: [8, 13],
  square: [6, 10],
  tall: [8, 13],
};
/** How many boxes are named that won often, and that won seldom. */
const NAMED: Readonly<Record<Shape, number>> = { wide: 3, square: 2, tall: 2 };
/** How long each part is shown when parts take turns. */
const TURN_MS = 10_000;

/** The last dice; before there are any, the other parts have their room. */
export function Strip({ watched }: Shown) {
  if (watched.rounds.value.length === 0) return null;
  return (
    <section class="wall-strip">
      <DiceStrip rounds={watched.rounds.value} count={16} />
    </section>
  );
}

export function Past({ watched }: Shown) {
  const t = useWords("display");
  const shape = useShape();
  const statistics = useStatistics(watched.table.name, watched.rounds).value;
  const roads = [
    <Roads key="size" watched={watched} by="size" shape={shape} />,
    <Roads key="parity" watched={watched} by="parity" shape={shape} />,
  ];
  // A chip table has its display rack in place of the figures.
  const isChipTable = useComputed(() => watched.table.view.value?.form === "chips").value;
  const figures = isChipTable ? null : <Figures key="figures" statistics={statistics} named={NAMED[shape]} />;
  const parts = figures === null ? roads : [...roads, figures];
  // On a narrow upright screen they take turns, so that the dice stay large.
  const isTall = shape === "tall";
  const turn = useTurns(isTall, parts.length);
  const hasFigures = figures !== null && (!isTall || parts[turn] === figures);
  return (
    <section class="wall-past" aria-label={t("past")}>
      {isTall ? <div class="wall-turn">{parts[turn]}</div> : parts}
      <p class="wall-note">{note(t, statistics, hasFigures)}</p>
    </section>
  );
}

/** The caption of the figures: what they are, that they are for information, and the clause. */
function note(t: Words<"display">, statistics: Statistics | null, hasFigures: boolean): string {
  if (statistics === null) return t("information");
  const { clause, rounds } = statistics;
  const ground = clause == null ? null : t(isDecision(clause) ? "by_decision" : "by_clause", { clause });
  const plain = t("information");
  const information = ground === null ? plain : t("information_by", { information: plain, ground });
  if (rounds === 0 || !hasFigures) return information;
  return t("figures_legend", { rounds: number(rounds), information });
}

/** The number of the part whose turn it is; no timer runs if there is only one part. */
function useTurns(needed: boolean, many: number): number {
  const turn = useSignal(0);
  useEffect(() => {
    if (!needed) return;
    const turning = setInterval(() => {
      turn.value = (turn.peek() + 1) % many;
    }, TURN_MS);
    return () => clearInterval(turning);
  }, [needed, many]);
  return turn.value;
}

interface RoadsProps extends Shown {
  readonly by: By;
  readonly shape: Shape;
}

/** The bead plate beside the big road. */
function Roads({ watched, by, shape }: RoadsProps) {
  const t = useWords("display");
  const [beads, runs] = COLUMNS[shape];
  const plate = { rounds: watched.rounds.value, by, still: true, note: false };
  return (
    <div class="wall-road">
      <h3 class="wall-title">{t(`road_${by}`)}</h3>
      <div class="wall-plates" style={{ gridTemplateColumns: `${beads}fr ${runs}fr` }}>
        <BeadPlate {...plate} columns={beads} />
        <BigRoad {...plate} columns={runs} />
      </div>
    </div>
  );
}

interface FiguresProps {
  readonly statistics: Statistics | null;
  readonly named: number;
}

/** The boxes that won more often, and less often, than expected of fair dice. */
function Figures({ statistics, named }: FiguresProps) {
  const t = useWords("display");
  if (statistics === null) return <p class="wall-note">{t("figures_wait")}</p>;
  const { hot, cold } = statistics;
  return (
    <div class="wall-figures">
      <Boxes title={t("hot")} sign="▲" boxes={hot.slice(0, named)} />
      <Boxes title={t("cold")} sign="▽" boxes={cold.slice(0, named)} />
    </div>
  );
}

interface BoxesProps {
  readonly title: string;
  readonly sign: string;
  readonly boxes: readonly BoxCount[];
}

function Boxes({ title, sign, boxes }: BoxesProps) {
  const t = useWords("display");
  return (
    <div>
      <h3 class="wall-title">
        <span aria-hidden="true">{sign}</span> {title}
      </h3>
      <ol class="wall-boxes">
        {boxes.map(({ box, name, seen, expected }) => {
          const figures = { seen: number(seen), expected: expected.rounded };
          return (
            <li key={box}>
              <span class="wall-box">{name}</span>
              <span aria-hidden="true">{t("seen_of", figures)}</span>
              <span class="unseen">{t.count("seen_spoken", seen, figures)}</span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
