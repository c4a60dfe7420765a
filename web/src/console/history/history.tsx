/** The last rounds, and what happened at the table. */

import type { LogLine, RoundSummary } from "../../protocol.ts";
import { said } from "../../words/said.ts";
import { cited, clock, number, useWords } from "../../words/words.ts";
import { capital } from "../../words/capital.ts";
import type { Entry } from "./log.ts";
import { MiniDice } from "../parts/mini_dice.tsx";
import "./history.css";

/** How many rounds the strip shows. */
const SHOWN = 12;

/** The dice of the last rounds, the newest first. */
export function LastRounds({ rounds }: { readonly rounds: readonly RoundSummary[] }) {
  const t = useWords("console");
  const newest = rounds.slice(-SHOWN).reverse();
  return (
    <section class="console-rounds" aria-label={t("last_rounds")}>
      <h2>{t("last_rounds")}</h2>
      {newest.length === 0 && <p class="console-hint">{t("no_rounds")}</p>}
      <ol>
        {newest.map((round) => (
          <Round key={round.round} round={round} />
        ))}
      </ol>
    </section>
  );
}

function Round({ round }: { readonly round: RoundSummary }) {
  const t = useWords("console");
  return (
    <li class="console-round" data-void={round.void}>
      <span class="console-round-number">{number(round.round)}</span>
      {round.faces !== null && <MiniDice faces={round.faces} />}
      <span class="console-round-total">
        {round.faces !== null && <span class="unseen">{round.faces.join(", ")}, </span>}
        {round.void ? t("void") : round.total}
      </span>
    </li>
  );
}

export function Log({ entries }: { readonly entries: readonly Entry[] }) {
  const t = useWords("console");
  if (entries.length === 0) return <p class="console-hint">{t("log_empty")}</p>;
  return (
    <ol class="console-log" aria-label={t("log")}>
      {entries.map((entry) => (
        <li key={entry.key}>
          <time>{clock(entry.at)}</time>
          <div>
            {entry.line.sentences.map(({ sentence }, place) => (
              <p key={place}>{capital(said(sentence))}</p>
            ))}
            <Beside line={entry.line} />
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Who did it, by which clause, and why, unless the sentence already says so. */
function Beside({ line: { by, clause, note } }: { readonly line: LogLine }) {
  const t = useWords("console");
  const parts = [by, clause == null ? null : cited(t, clause), note == null ? null : t("quoted", { words: note })];
  const there = parts.filter((part) => part != null);
  return there.length === 0 ? null : <p class="console-log-beside">{there.join(" · ")}</p>;
}
