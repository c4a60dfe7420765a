/** All tables of the venue on one wall; too many for one page take turns. */

import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { DiceRow, Tumbler } from "../layout/index.ts";
import type { Link } from "../live/index.ts";
import { useCountdown } from "../play/clock.ts";
import { BeadPlate } from "../roads/index.ts";
import { venue } from "../shell/index.ts";
import { saidOf } from "../words/said.ts";
import { number, short, useWords } from "../words/words.ts";
import { headingOf, signOf } from "./sentences.ts";
import { useShape, type Shape } from "./shape.ts";
import { watch, type Watched } from "./table_feed.ts";
import "./venue_wall.css";

/** How long a page is shown. */
const PAGE_MS = 12_000;
/** The most tables that can be read from afar on one page. */
const ON_PAGE: Readonly<Record<Shape, number>> = { wide: 6, square: 4, tall: 4 };

interface VenueWallProps {
  readonly link: Link;
  readonly tables: readonly string[];
}

export function VenueWall({ link, tables }: VenueWallProps) {
  const t = useWords("display");
  const shape = useShape();
  const most = ON_PAGE[shape];
  const pages = Math.max(1, Math.ceil(tables.length / most));
  const turn = useSignal(0);
  useEffect(() => {
    const turning = setInterval(() => (turn.value += 1), PAGE_MS);
    return () => clearInterval(turning);
  }, []);
  const page = turn.value % pages;
  // Every page is full, so that all cards have one size: the last page repeats some tables.
  const first = Math.min(page * most, Math.max(0, tables.length - most));
  const shown = tables.slice(first, first + most);
  const across = shape === "tall" ? 1 : Math.ceil(Math.sqrt(shown.length));
  return (
    <article class="venue" aria-label={t("venue_title")}>
      <header class="venue-head">
        <h1>{venue.value?.name ?? t("venue_title")}</h1>
        {pages > 1 && <p>{t("page_of", { page: page + 1, pages })}</p>}
      </header>
      {tables.length === 0 && <p class="display-wait">{t("no_tables")}</p>}
      <div class="venue-tables" style={{ "--across": String(Math.max(1, across)) }}>
        {shown.map((name) => (
          <Place key={name} link={link} name={name} />
        ))}
      </div>
      <p class="venue-note">{t("information")}</p>
    </article>
  );
}

interface PlaceProps {
  readonly link: Link;
  readonly name: string;
}

function Place({ link, name }: PlaceProps) {
  const watched = useSignal<Watched | null>(null);
  useEffect(() => {
    const followed = watch(link, name);
    watched.value = followed;
    return () => followed.end();
  }, [link, name]);
  if (watched.value?.table.view.value == null) return <section class="venue-table" aria-label={name} />;
  return <WallTable watched={watched.value} />;
}

/** The card of a table: its name, its limits, the phase of its round, and its last dice. */
export function WallTable({ watched }: { readonly watched: Watched }) {
  const t = useWords("display");
  const { table, matter, rounds, now } = watched;
  const { seconds } = useCountdown(table.closesAt, now);
  const limits = useComputed(() => table.view.value?.limits ?? null);
  const range = limits.value;
  return (
    <section class={`venue-table wall-is-${matter.value}`} aria-label={t("wall", { table: table.name })}>
      <header class="venue-table-head">
        <h2>{table.name}</h2>
        <p>
          {range === null
            ? t("limits_none")
            : t("limits_range", { minimum: short(range.minimum), maximum: short(range.maximum) })}
        </p>
      </header>
      <p class="venue-phase">
        <span>
          <span aria-hidden="true">{signOf(matter.value)}</span>{" "}
          {headingOf(t, matter.value, seconds.value)}
        </span>
        {matter.value === "betting" && seconds.value !== null && (
          <span class="venue-seconds" role="timer" aria-label={t.count("seconds", seconds.value)}>
            {number(seconds.value)}
          </span>
        )}
      </p>
      <div class="venue-body">
        <WallDice watched={watched} />
        {/* Hidden from screen readers, for whom a road per table is too much. */}
        <div class="venue-road" aria-hidden="true">
          <BeadPlate rounds={rounds.value} by="size" columns={9} still note={false} />
        </div>
      </div>
    </section>
  );
}

function WallDice({ watched }: { readonly watched: Watched }) {
  const t = useWords("display");
  const { stage, rolling, rounds } = watched;
  if (watched.matter.value === "closed") {
    return (
      <div class="venue-dice">
        <Tumbler rolling={rolling.value} covered={stage.covered.value} size="calc(2.4 * var(--wall-die))" />
      </div>
    );
  }
  const now = stage.faces.value;
  const last = rounds.value.at(-1);
  const faces = now ?? (last?.void === true ? null : (last?.faces ?? null));
  if (faces === null) return <p class="venue-dice">{t(last === undefined ? "no_round" : "void")}</p>;
  const total = last?.total ?? null;
  const lastTotal = total === null ? t("last_result") : t("last_total", { total: number(total) });
  return (
    <div class="venue-dice">
      <DiceRow faces={faces} size="var(--wall-die)" />
      <p class={now === null ? "venue-call wall-quiet" : "venue-call"}>
        {now === null ? lastTotal : saidOf(stage.call.value)}
      </p>
    </div>
  );
}
