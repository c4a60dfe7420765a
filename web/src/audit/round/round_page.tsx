/** A round in full, read only from the journal: replayed on its layout, then in tables. */

import { signal, useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";

import type { LayoutView, OddsView, RoundStoryView } from "../../answers.ts";
import { DiceRow } from "../../layout/index.ts";
import { get } from "../../live/index.ts";
import { Button, useApart, useNames } from "../../shell/index.ts";
import { duration, isDecision, language, moment, number, short, useWords } from "../../words/words.ts";
import { addressIn } from "../address.ts";
import { useLoaded } from "../loading.ts";
import { PrintedStory } from "./printed_story.tsx";
import { Replay } from "./replay.tsx";
import "./round_page.css";
import { Tables } from "./story_tables.tsx";
import { Waiting } from "../waiting.tsx";

/** A round's story with the layout it was played on. */
export interface RoundRecord {
  readonly story: RoundStoryView;
  readonly layout: LayoutView;
  readonly odds: OddsView;
}

async function read(table: string, round: number, signal: AbortSignal): Promise<RoundRecord> {
  const story = await get<RoundStoryView>(
    `/api/tables/${encodeURIComponent(table)}/rounds/${round}`,
    { language: true },
    { signal },
  );
  const at = `/api/pay-tables/${story.pay_table}`;
  const { sha256 } = story.rulebook;
  const [layout, odds] = await Promise.all([
    get<LayoutView>(`${at}/layout`, { sha256, language: true }, { signal }),
    get<OddsView>(`${at}/odds`, { sha256 }, { signal }),
  ]);
  return { story, layout, odds };
}

interface RoundPageProps {
  readonly table: string;
  readonly round: number;
}

export function RoundPage({ table, round }: RoundPageProps) {
  const t = useWords("audit");
  const record = useLoaded(`${table} ${round} ${language.value}`, (signal) => read(table, round, signal));
  // Every round begins at its first step.
  const at = useMemo(() => signal(0), [table, round]);
  return (
    <section class="audit-section story">
      <header class="story-head">
        <div>
          <a class="story-back" href={addressIn("rounds", { table })}>
            ← {t("all_rounds", { table })}
          </a>
          <h1>{t("round_title", { table, round: number(round) })}</h1>
        </div>
        {record.value !== null && <Result story={record.value.story} />}
        <nav class="story-doors" aria-label={t("other_rounds")}>
          {round > 1 && (
            <a class="button" href={addressIn("rounds", { table, round: round - 1 })}>
              ← {number(round - 1)}
            </a>
          )}
          <a class="button" href={addressIn("rounds", { table, round: round + 1 })}>
            {number(round + 1)} →
          </a>
          <Button onClick={() => print()}>{t("print")}</Button>
        </nav>
      </header>
      <Waiting of={record} meanwhile={t("reading_round")}>
        {(value) => <Story record={value} at={at} />}
      </Waiting>
    </section>
  );
}

function Story({ record, at }: { readonly record: RoundRecord; readonly at: Signal<number> }) {
  const names = useNames();
  const nameOf = (box: string): string => names.value?.boxes[box] ?? box;
  const isPrinting = usePrinting();
  if (isPrinting) {
    return (
      <>
        <Facts story={record.story} />
        <PrintedStory story={record.story} nameOf={nameOf} />
      </>
    );
  }
  return (
    <>
      <Replay record={record} nameOf={nameOf} at={at} />
      <Facts story={record.story} />
      <Tables story={record.story} nameOf={nameOf} />
    </>
  );
}

/** Whether the page is being printed: paper lists everything instead of the replay. */
function usePrinting(): boolean {
  const isPrinting = useSignal(false);
  useEffect(() => {
    const begin = (): void => {
      isPrinting.value = true;
    };
    const end = (): void => {
      isPrinting.value = false;
    };
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting.value;
}

/** The round, its rules, and whether its records are consistent. */
function Facts({ story }: { readonly story: RoundStoryView }) {
  const t = useWords("audit");
  const { rulebook, result, limits, ended_at } = story;
  const apart = useApart().whole(story);
  const book =
    rulebook.version === null
      ? rulebook.title
      : t("book_version", { title: rulebook.title, version: rulebook.version });
  return (
    <div class="story-facts">
      <dl>
        <Fact name={t("began")}>{moment(story.began_at)}</Fact>
        <Fact name={t("ended")}>
          {ended_at === null
            ? t("not_ended")
            : t("ended_after", { time: moment(ended_at), length: duration(ended_at - story.began_at) })}
        </Fact>
        <Fact name={t("rulebook")}>
          {book} · {story.pay_table}
        </Fact>
        {story.operator !== null && <Fact name={t("operator")}>{story.operator}</Fact>}
        {apart !== null && <Fact name={t("approval")}>{apart}</Fact>}
        {limits !== null && (
          <Fact name={t("limits")}>
            {t("limits_range", {
              minimum: short(limits.general.minimum),
              maximum: short(limits.general.maximum),
              step: short(limits.step),
            })}
            {limits.differential !== null && ` · ${t("differential", { limit: short(limits.differential) })}`}
          </Fact>
        )}
        <Fact name={t("dice")}>
          {t(`tumbler_${story.equipment.tumbler}`)}
          {story.dice_set !== null && ` · ${t("dice_set", { name: story.dice_set })}`}
        </Fact>
        {result !== null && (
          <Fact name={t("sums")}>
            {result.end === "void"
              ? t("all_returned")
              : t("collected_paid", { collected: short(result.collected), paid: short(result.paid) })}
          </Fact>
        )}
      </dl>
      <p class="story-chain">
        <span aria-hidden="true">✓</span> {t("chain", { version: number(story.chain_unbroken_to) })}{" "}
        {t("rulebook_hash")} <code>{rulebook.sha256}</code>
      </p>
    </div>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Result({ story }: { readonly story: RoundStoryView }) {
  const t = useWords("audit");
  const { result } = story;
  if (result === null) return <p class="story-result">{t("not_ended")}</p>;
  if (result.end === "void") {
    return (
      <p class="story-result audit-void">
        ∅ {t("round_void")}
        {result.clause !== null && <small> {t(isDecision(result.clause) ? "decision_of" : "clause_of", { clause: result.clause })}</small>}
      </p>
    );
  }
  return (
    <p class="story-result">
      {result.dice !== null && <DiceRow faces={result.dice} call={result.call} size="2.5rem" />}
      <span>{result.call}</span>
    </p>
  );
}
