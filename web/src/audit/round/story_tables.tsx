/** The tables of a story: bets with their reasons, credits before and after, money, corrections. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

import type { Balance, RoundStoryView, StoryLine, StoryPosting } from "../../answers.ts";
import { DiceRow } from "../../layout/index.ts";
import { Button, Money } from "../../shell/index.ts";
import { number, useWords } from "../../words/words.ts";
import { accountName } from "./accounts.ts";
import { EventFacts } from "./event_card.tsx";
import { isChipTable } from "./replay_steps.ts";

/** How many rows are shown until more are requested. */
const SHOWN = 50;

interface TablesProps {
  readonly story: RoundStoryView;
  readonly nameOf: (box: string) => string;
  /** Whether to show every row, as on paper. */
  readonly isWhole?: boolean;
}

export function Tables({ story, nameOf, isWhole = false }: TablesProps) {
  const t = useWords("audit");
  const atChipTable = isChipTable(story);
  return (
    <div class="story-tables">
      <Part title={t(story.result?.end === "void" ? "bets_returned" : "bets_settled")}>
        <Bets lines={story.bets} nameOf={nameOf} isWhole={isWhole} atChipTable={atChipTable} />
      </Part>
      <Part title={t(atChipTable ? "balances_seats" : "balances")}>
        <Balances balances={story.balances} isWhole={isWhole} atChipTable={atChipTable} />
      </Part>
      <Part title={t("postings")}>
        <AllPostings postings={story.postings} isWhole={isWhole} atChipTable={atChipTable} />
      </Part>
      <Corrections story={story} nameOf={nameOf} isWhole={isWhole} />
      <Secret story={story} />
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="story-part">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** The name of a column; figures are aligned at its end. */
type Head = string | { readonly figure: string };

interface RowsProps<T> {
  readonly rows: readonly T[];
  readonly isWhole: boolean;
  readonly title: string;
  readonly heads: readonly Head[];
  readonly row: (each: T, place: number) => ComponentChildren;
  readonly none: string;
}

/** A table that shows its first rows, with a button for more. */
function Rows<T>({ rows, isWhole, title, heads, row, none }: RowsProps<T>) {
  const t = useWords("audit");
  const shown = useSignal(SHOWN);
  if (rows.length === 0) return <p class="audit-hint">{none}</p>;
  const many = isWhole ? rows.length : shown.value;
  return (
    <>
      <div class="scrolls-aside" role="region" aria-label={title} tabIndex={0}>
        <table class="audit-table">
          <thead>
            <tr>
              {heads.map((head) =>
                typeof head === "string" ? (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ) : (
                  <th key={head.figure} scope="col" class="audit-figure">
                    {head.figure}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>{rows.slice(0, many).map(row)}</tbody>
        </table>
      </div>
      {rows.length > many && (
        <Button onClick={() => (shown.value += 4 * SHOWN)}>{t.count("rows_more", rows.length - many)}</Button>
      )}
    </>
  );
}

interface BetsProps extends Omit<TablesProps, "story"> {
  readonly lines: readonly StoryLine[];
  /** Whether players are known by their seats. */
  readonly atChipTable: boolean;
}

const OUTCOMES = { win: "◆", lose: "·", void: "∅" } as const;

function Bets({ lines, nameOf, isWhole = false, atChipTable }: BetsProps) {
  const t = useWords("audit");
  const heads: Head[] = [t(atChipTable ? "seat" : "terminal"), t("box"), { figure: t("stake") }, t("outcome")];
  for (const figure of [t("odds"), t("won"), t("back")]) heads.push({ figure });
  heads.push(t("clause"), t("why"));
  const outcomeOf = (outcome: string): string => {
    const isKnown = (name: string): name is keyof typeof OUTCOMES => Object.hasOwn(OUTCOMES, name);
    return isKnown(outcome) ? `${OUTCOMES[outcome]} ${t(`outcome_${outcome}`)}` : outcome;
  };
  return (
    <Rows
      rows={lines}
      isWhole={isWhole}
      title={t("bets_settled")}
      heads={heads}
      none={t("no_bets")}
      row={(line, place) => (
        <tr key={place} class={line.outcome === "win" ? "audit-won" : ""}>
          <th scope="row">{line.terminal}</th>
          <td>{nameOf(line.box)}</td>
          <td class="audit-figure">
            <Money cents={line.stake} sign={false} />
          </td>
          <td>{outcomeOf(line.outcome)}</td>
          <td class="audit-figure">{line.odds === null ? "–" : t("odds_printed", { odds: line.odds })}</td>
          <td class="audit-figure">
            <Money cents={line.won} sign={false} />
          </td>
          <td class="audit-figure">
            <Money cents={line.back} sign={false} />
          </td>
          <td>{line.clause}</td>
          <td class="audit-why">{line.reason}</td>
        </tr>
      )}
    />
  );
}

const CHANGES = ["received", "cashed", "staked", "taken_back", "back", "put_right"] as const;

/** Chips are bought or brought to a seat, and taken away from it. */
function isOfSeats(change: (typeof CHANGES)[number]): change is "received" | "cashed" {
  return change === "received" || change === "cashed";
}

interface BalancesProps {
  readonly balances: readonly Balance[];
  readonly isWhole: boolean;
  readonly atChipTable: boolean;
}

function Balances({ balances, isWhole, atChipTable }: BalancesProps) {
  const t = useWords("audit");
  const changes = CHANGES.map((change) => t(atChipTable && isOfSeats(change) ? `change_${change}_seat` : `change_${change}`));
  const names = [t("before"), ...changes, t("after")];
  return (
    <Rows
      rows={balances}
      isWhole={isWhole}
      title={t(atChipTable ? "balances_seats" : "balances")}
      heads={[t(atChipTable ? "seat" : "terminal"), ...names.map((figure) => ({ figure }))]}
      none={t("no_balances")}
      row={(balance) => (
        <tr key={balance.terminal}>
          <th scope="row">{balance.terminal}</th>
          <td class="audit-figure">
            <Money cents={balance.before} sign={false} />
          </td>
          {CHANGES.map((change) => (
            <td key={change} class="audit-figure">
              {balance[change] === 0 ? "–" : <Money cents={balance[change]} sign={false} gain />}
            </td>
          ))}
          <td class="audit-figure">
            <strong>
              <Money cents={balance.after} sign={false} />
            </strong>
          </td>
        </tr>
      )}
    />
  );
}

interface AllPostingsProps {
  readonly postings: readonly StoryPosting[];
  readonly isWhole: boolean;
  readonly atChipTable: boolean;
}

function AllPostings({ postings, isWhole, atChipTable }: AllPostingsProps) {
  const t = useWords("audit");
  return (
    <Rows
      rows={postings}
      isWhole={isWhole}
      title={t("postings")}
      heads={[t("record_head"), t("from"), t("to"), { figure: t("amount") }]}
      none={t("no_postings")}
      row={({ version, source, destination, amount }, place) => (
        <tr key={place}>
          <th scope="row">{number(version)}</th>
          <td>{accountName(t, source, atChipTable)}</td>
          <td>{accountName(t, destination, atChipTable)}</td>
          <td class="audit-figure">
            <Money cents={amount} sign={false} />
          </td>
        </tr>
      )}
    />
  );
}

/** Later corrections of the round, with the bets of each new settlement. */
function Corrections({ story, nameOf, isWhole = false }: TablesProps) {
  const t = useWords("audit");
  if (story.corrections.length === 0) return null;
  return (
    <Part title={t("corrections")}>
      {story.corrections.map(({ event, bets }) => (
        <article key={event.version} class="event-card">
          <p class="event-said">{event.summary}</p>
          <EventFacts event={event} />
          {bets.length > 0 && <Bets lines={bets} nameOf={nameOf} isWhole={isWhole} atChipTable={isChipTable(story)} />}
        </article>
      ))}
    </Part>
  );
}

/** The secret behind the dice of a verifiable tumbler, and whether it agrees. */
function Secret({ story }: { readonly story: RoundStoryView }) {
  const t = useWords("audit");
  const { secret } = story;
  if (secret === null) return null;
  const answer = (holds: boolean | null): string =>
    holds === null ? t("not_comparable") : holds ? `✓ ${t("yes")}` : `✕ ${t("no")}`;
  return (
    <Part title={t("secret")}>
      <dl class="event-facts">
        <Hash name={t("secret_commitment")} hash={secret.commitment} />
        <Hash name={t("secret_before")} hash={secret.before} />
        <Hash name={t("secret_own")} hash={secret.secret ?? t("secret_owed")} />
        <div>
          <dt>{t("secret_links")}</dt>
          <dd>{answer(secret.links)}</dd>
        </div>
        {secret.drawn !== null && (
          <div>
            <dt>{t("secret_gives")}</dt>
            <dd>
              <DiceRow faces={secret.drawn} size="1.75rem" />
            </dd>
          </div>
        )}
        <div>
          <dt>{t("secret_agrees")}</dt>
          <dd>{answer(secret.agrees)}</dd>
        </div>
      </dl>
    </Part>
  );
}

function Hash({ name, hash }: { readonly name: string; readonly hash: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code class="story-hash">{hash}</code>
      </dd>
    </div>
  );
}
