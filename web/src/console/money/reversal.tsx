/** After a reversal of rounds: what to collect from each player, and what to return. */

import type { ComponentChildren } from "preact";

import type { ChipTable } from "../../live/index.ts";
import type { AnyEvent, Netted, RoundResettled, RoundsReversed } from "../../protocol.ts";
import { Button, Money } from "../../shell/index.ts";
import { number, useWords, type Words } from "../../words/words.ts";
import type { Entry } from "../history/log.ts";
import { unclaimedParts } from "./unclaimed.ts";
import type { Opened } from "./forms/form_name.ts";

type Reversed = RoundsReversed | RoundResettled;

function isReversed(event: AnyEvent): event is Reversed {
  return event.type === "RoundsReversed" || event.type === "RoundResettled";
}

/** The last reversal with amounts by player, shown until bets open: by then it is carried out. */
export function lastReversal(log: readonly Entry[]): Reversed | null {
  for (const [at, { event }] of log.entries()) {
    if (event.type === "BetsOpened") return null;
    if (isReversed(event)) return movesMoney(event.type === "RoundsReversed" ? whole(event, log.slice(at + 1)) : event);
  }
  return null;
}

function movesMoney(event: Reversed): Reversed | null {
  return event.netted.length + event.gone.length > 0 ? event : null;
}

/** Join the parts of a large reversal, which are listed newest first. */
function whole(last: RoundsReversed, before: readonly Entry[]): RoundsReversed {
  const parts = before.slice(0, last.part - 1).map(({ event }) => event);
  const earlier = parts.filter((event) => event.type === "RoundsReversed").reverse();
  const all = [...earlier, last];
  return { ...last, netted: all.flatMap((each) => each.netted), gone: all.flatMap((each) => each.gone) };
}

interface Props {
  readonly table: ChipTable;
  readonly log: readonly Entry[];
  readonly onOpen: (opened: Opened) => void;
}

export function Reversal({ table, log, onOpen }: Props) {
  const t = useWords("console");
  const reversed = lastReversal(log);
  if (reversed === null) return null;
  const collect = [...reversed.netted, ...reversed.gone].filter(([, , taken]) => taken > 0);
  const back = reversed.netted.filter(([, given]) => given > 0);
  const kept = reversed.gone.filter(([, given]) => given > 0);
  return (
    <section class="money-part money-reversal" aria-labelledby="money-reversal">
      <h2 id="money-reversal">{titleOf(t, reversed)}</h2>
      <List title={t("collect_first")} lines={collect} amountOf={([, , taken]) => taken}>
        {(name) => unclaimedParts(name) === null && <Recovered table={table} seat={name} onOpen={onOpen} />}
      </List>
      <List title={t("money_then_return")} lines={back} amountOf={([, given]) => given} />
      {kept.length > 0 && <List title={t("money_reversed_unclaimed")} lines={kept} amountOf={([, given]) => given} />}
    </section>
  );
}

function titleOf(t: Words<"console">, reversed: Reversed): string {
  if (reversed.type === "RoundResettled") return t("money_resettled", { round: number(reversed.round) });
  const [first, last] = [number(reversed.first), number(reversed.last)];
  return first === last ? t("money_reversed_round", { round: first }) : t("money_reversed_more", { first, last });
}

interface ListProps {
  readonly title: string;
  readonly lines: readonly Netted[];
  readonly amountOf: (line: Netted) => number;
  readonly children?: (seat: string) => ComponentChildren;
}

function List({ title, lines, amountOf, children }: ListProps) {
  const t = useWords("console");
  return (
    <>
      <h3>{title}</h3>
      {lines.length === 0 && <p class="console-hint">{t("guide_nothing")}</p>}
      <ul class="money-list">
        {lines.map((line) => {
          const [name] = line;
          const parts = unclaimedParts(name);
          return (
            <li key={name}>
              <span>
                {parts === null ? t("money_seat", { seat: name }) : t("money_unclaimed_of", parts)}{" "}
                <Money cents={amountOf(line)} />
              </span>
              {children?.(name)}
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface RecoveredProps {
  readonly table: ChipTable;
  readonly seat: string;
  readonly onOpen: (opened: Opened) => void;
}

/** A tick if it is recorded how much a player could return; otherwise a button to record it. */
function Recovered({ table, seat, onOpen }: RecoveredProps) {
  const t = useWords("console");
  if (!table.recovering?.some(({ name }) => name === seat)) return <span>✓ {t("money_recovered")}</span>;
  return <Button onClick={() => onOpen({ form: "recovery", name: seat })}>{t("money_recovery_open")}</Button>;
}
