/** The centre of the wall: what matters now, as large as possible: seconds, dice, or a sentence. */

import { DiceRow, Tumbler } from "../layout/index.ts";
import { useCountdown } from "../play/clock.ts";
import { sayDice } from "../play/round/stage.ts";
import { useNames } from "../shell/index.ts";
import { said, saidOf } from "../words/said.ts";
import { isDecision, language, number, useWords } from "../words/words.ts";
import { LAST_SECONDS } from "./sentences.ts";
import type { Matter, Watched } from "./table_feed.ts";

interface Of {
  readonly watched: Watched;
}

export function Centre({ watched }: Of) {
  return (
    <section class="wall-centre">
      <Content watched={watched} matter={watched.matter.value} />
    </section>
  );
}

function Content({ watched, matter }: Of & { readonly matter: Matter }) {
  const t = useWords("display");
  const { table } = watched;
  switch (matter) {
    case "betting":
      return <Betting watched={watched} />;
    case "closed":
    case "tumbled":
      return <Tumbling watched={watched} />;
    case "result":
    case "lit":
    case "collect":
    case "pay":
      return <Result watched={watched} />;
    case "over":
      return <Over watched={watched} />;
    case "paying":
      return (
        <div class="wall-paying">
          <p class="wall-said">{t("say_paying")}</p>
          <Over watched={watched} />
        </div>
      );
    case "void":
      return <Void watched={watched} />;
    case "idle":
      return <Before watched={watched} />;
    case "shut":
      return <Shut watched={watched} />;
    case "stopped":
      return <Sentence sentence={t("say_stopped")} clause={table.view.value?.stopped} />;
    case "suspended":
      return <Sentence sentence={t("say_suspended")} />;
    case "waiting":
      return <Sentence sentence={t("say_waiting")} />;
    case "in_doubt":
      return <Sentence sentence={t("say_in_doubt")} />;
  }
}

/** A void round and the reason; after a change of language, the name of the reason. */
function Void({ watched }: Of) {
  const t = useWords("display");
  const names = useNames().value;
  const why = watched.stage.voided.value;
  const isSaid = why?.lang === language.value;
  const named = names?.language === language.value ? names.irregularities[why?.code ?? ""] : undefined;
  const sentence = isSaid ? why.sentence : named;
  return (
    <Sentence
      sentence={sentence ?? t("say_void")}
      more={isSaid || named === undefined ? null : t("say_void")}
      clause={why?.clause}
    />
  );
}

/** A closed table; before it opens, the boxes that a test run lights [div9 5.0(b)]. */
function Shut({ watched }: Of) {
  const t = useWords("display");
  const names = useNames();
  const view = watched.table.view.value;
  const faces = view?.tested ?? null;
  if (faces === null) return <Sentence sentence={t("say_shut")} />;
  return (
    <div class="wall-outcome">
      <p class="wall-call">{t("test_run")}</p>
      <DiceRow faces={faces} size="var(--wall-die)" />
      <p class="wall-quiet">{t("say_test")}</p>
      <ul class="wall-winners" aria-label={t("winning")}>
        {(view?.lit ?? []).map((box) => (
          <li key={box}>
            <span aria-hidden="true">◆</span> {names.value?.boxes[box] ?? box}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The finished round, as it was shown; on a screen just opened, its dice. */
function Over({ watched }: Of) {
  return watched.stage.faces.value === null ? <Before watched={watched} /> : <Result watched={watched} />;
}

interface SentenceProps {
  readonly sentence: string;
  readonly more?: string | null | undefined;
  readonly clause?: string | null | undefined;
}

function Sentence({ sentence, more, clause }: SentenceProps) {
  const t = useWords("display");
  return (
    <div class="wall-sentence">
      <p class="wall-said">{sentence}</p>
      {more != null && <p>{more}</p>}
      {clause != null && <p class="wall-quiet">{t(isDecision(clause) ? "by_decision" : "by_clause", { clause })}</p>}
    </div>
  );
}

/** The seconds left to bet; at a table with a human dealer, the tumbler until the close. */
function Betting({ watched }: Of) {
  const { seconds } = useCountdown(watched.table.closesAt, watched.now);
  const left = seconds.value;
  return (
    <div class="wall-countdown">
      {left === null ? <Tumbling watched={watched} /> : <Seconds left={left} />}
      {left !== null && <Last watched={watched} />}
    </div>
  );
}

function Seconds({ left }: { readonly left: number }) {
  const t = useWords("display");
  const isLast = left <= LAST_SECONDS;
  const figures = number(left);
  return (
    <p
      class={isLast ? "wall-seconds wall-seconds-last" : "wall-seconds"}
      style={{ "--digits": String(Math.max(2, figures.length)) }}
      role="timer"
      aria-label={t.count("seconds", left)}
    >
      {figures}
      {isLast && (
        <span class="wall-blocks" aria-hidden="true">
          {Array.from({ length: LAST_SECONDS }, (_, block) => (
            <span key={block} class={block < left ? "wall-block" : "wall-block wall-block-gone"} />
          ))}
        </span>
      )}
    </p>
  );
}

/** The dice of the round before, drawn faintly. */
function Last({ watched }: Of) {
  const t = useWords("display");
  const last = watched.rounds.value.at(-1);
  if (last === undefined) return null;
  const { faces, total } = last;
  return (
    <p class="wall-last">
      <span>{t("last_result")}</span>
      {last.void || faces === null ? (
        <span>{t("void")}</span>
      ) : (
        <>
          <DiceRow faces={faces} size="1.9em" />
          {total !== null && <span>{t("total", { total: number(total) })}</span>}
        </>
      )}
    </p>
  );
}

/** Between two rounds, on a screen just opened: the last dice, large. */
function Before({ watched }: Of) {
  const t = useWords("display");
  const last = watched.rounds.value.at(-1);
  if (last === undefined) return <Sentence sentence={t("say_idle")} more={t("no_round")} />;
  const { faces, total } = last;
  if (last.void || faces === null) return <Sentence sentence={t("say_idle")} />;
  return (
    <div class="wall-outcome">
      <p class="wall-quiet">{t("last_result")}</p>
      <DiceRow faces={faces} size="var(--wall-die)" />
      {total !== null && <p class="wall-call">{t("total", { total: number(total) })}</p>}
    </div>
  );
}

/** The dice in their tumbler, as they lie before they are shown. */
function Tumbling({ watched }: Of) {
  const t = useWords("display");
  const ofDice = useWords("layout");
  const { stage, rolling } = watched;
  const isBetting = stage.scene.value === "betting";
  return (
    <div class="wall-tumbling">
      <Tumbler rolling={rolling.value} covered={stage.covered.value} size="var(--wall-tumbler)" />
      <p class="wall-said-low">{isBetting ? t("until_dealer") : sayDice(ofDice, stage)}</p>
    </div>
  );
}

function Result({ watched }: Of) {
  const t = useWords("display");
  const { faces, call, amended } = watched.stage;
  if (faces.value === null) return null;
  return (
    <div class="wall-outcome">
      <span class="wall-dice" key={faces.value.join()}>
        <DiceRow faces={faces.value} call={saidOf(call.value)} size="var(--wall-die)" />
      </span>
      {call.value !== null && <p class="wall-call">{said(call.value)}</p>}
      {amended.value !== null && (
        <p class="wall-amended">
          {t("amended", { before: amended.value.before.join(" ") })}{" "}
          <span class="wall-quiet">{t(isDecision(amended.value.clause) ? "by_decision" : "by_clause", { clause: amended.value.clause })}</span>
        </p>
      )}
      <Winners watched={watched} />
    </div>
  );
}

/** The names of the winning boxes, in the server's order. */
function Winners({ watched }: Of) {
  const t = useWords("display");
  const names = useNames();
  const lit = watched.stage.lit.value;
  const known = names.value;
  if (known === null) return null;
  return (
    <ul class="wall-winners" aria-label={t("winning")}>
      {[...lit].map((box) => (
        <li key={box}>
          <span aria-hidden="true">◆</span> {known.boxes[box] ?? box}
        </li>
      ))}
    </ul>
  );
}
