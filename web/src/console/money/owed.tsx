/** Money that is owed to players or by them, and bets to be corrected. */

import type { ChipTable } from "../../live/index.ts";
import { Button, Money } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import { unclaimedParts } from "./unclaimed.ts";
import type { Opened } from "./forms/form_name.ts";

interface Props {
  readonly table: ChipTable;
  readonly onOpen: (opened: Opened) => void;
}

export function Owed({ table, onOpen }: Props) {
  const t = useWords("console");
  const [unclaimed, recovering, more] = [table.unclaimed ?? [], table.recovering ?? [], table.more_unclaimed ?? 0];
  return (
    <section class="money-part" aria-labelledby="money-owed">
      <h2 id="money-owed">{t("money_unclaimed")}</h2>
      {unclaimed.length === 0 && <p class="console-hint">{t("money_unclaimed_none")}</p>}
      <ul class="money-list">
        {unclaimed.map((each) => {
          const parts = unclaimedParts(each.name);
          return (
            <li key={each.name}>
              <span>
                {parts === null ? each.name : t("money_unclaimed_of", parts)} <Money cents={each.amount} />
              </span>
            </li>
          );
        })}
      </ul>
      {more > 0 && <p class="console-hint">{t.count("money_unclaimed_more", more)}</p>}
      {unclaimed.length > 0 && <p class="console-hint">{t("money_unclaimed_how")}</p>}
      {recovering.length > 0 && (
        <>
          <h3>{t("money_recovering")}</h3>
          <ul class="money-list">
            {recovering.map((each) => (
              <li key={each.name}>
                <span>
                  {t("money_seat", { seat: each.name })} <Money cents={each.amount} />
                </span>
                <Button onClick={() => onOpen({ form: "recovery", name: each.name })}>
                  {t("money_recovery_open")}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface PutRightProps {
  /** Whether the rules in force allow a bet to be corrected; null until they are read. */
  readonly allowed: boolean | null;
  /** Whether the person logged in may give the command. */
  readonly may: boolean;
  /** Whether the bets are closed and not settled, and there are bets. */
  readonly now: boolean;
  readonly onOpen: (opened: Opened) => void;
}

/** Corrects a bet that was moved or lies on a line, if the rulebook allows it. */
export function PutRight({ allowed, may, now, onOpen }: PutRightProps) {
  const t = useWords("console");
  if (allowed !== true) return null;
  return (
    <section class="money-part" aria-labelledby="money-right">
      <h2 id="money-right">{t("money_put_right")}</h2>
      {now && may ? (
        <p class="money-acts">
          <Button onClick={() => onOpen({ form: "put-right" })}>{t("money_put_right_open")}</Button>
        </p>
      ) : (
        <p class="console-hint">{may ? t("money_put_right_when") : t("money_put_right_who")}</p>
      )}
    </section>
  );
}
