/** Stacks to correct while bets are open, and bets to rule on before anything is paid. */

import type { BetToRule, Role } from "../../../protocol.ts";
import { Button } from "../../../shell/index.ts";
import { lasting } from "../../../words/said.ts";
import { cited, money, useWords } from "../../../words/words.ts";
import type { Board } from "../../board.ts";
import { RuleForm } from "../../money/forms/rule_form.tsx";
import { useGone } from "../../parts/gone.ts";
import type { Recorder } from "../record/recorder.ts";
import "./limit_warnings.css";

/** The role that rules on a bet; other roles are shown who does. */
const RULES: Role = "shift-manager";

/** Stacks with both value and colour chips, which the dealer separates before the close. */
export function MixedStacks({ recorder }: { readonly recorder: Recorder }) {
  const t = useWords("recording");
  const stacks = recorder.chipTable.value?.mixed ?? [];
  if (stacks.length === 0) return null;
  return (
    <section class="rec-notices" aria-label={t("mixed")}>
      <ul role="list">
        {stacks.map(([seat, box, amount]) => (
          <li key={`${seat} ${box}`} class="rec-notice" data-outside="mixed" tabIndex={-1}>
            <span class="rec-notice-sign" aria-hidden="true">
              ◆
            </span>
            <span class="rec-notice-words">
              {t("mixed_line", { seat, box: recorder.nameOf(box), amount: money(amount) })}
            </span>
            <span class="rec-notice-acts">
              <Button onClick={() => void recorder.separate(seat, box)}>
                <kbd class="console-kbd" aria-hidden="true">
                  &amp;
                </kbd>
                {t("separate")}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Props {
  readonly board: Board;
  readonly role: Role;
}

/** The bets that await a ruling, each with its reason; the shift manager rules on each. */
export function ToRule({ board, role }: Props) {
  const t = useWords("recording");
  const table = board.recorder.chipTable.value;
  const waiting = table?.to_rule ?? [];
  const more = table?.more_to_rule ?? 0;
  if (waiting.length === 0) return null;
  return (
    <section class="rec-notices rec-rulings" aria-label={t("to_rule")}>
      <p class="console-hint">{role === RULES ? t("to_rule_you") : t("to_rule_who")}</p>
      <ul role="list">
        {waiting.map((bet) => (
          <Awaiting
            key={`${bet.seat} ${bet.box}`}
            bet={bet}
            name={board.recorder.nameOf(bet.box)}
            onRule={role === RULES ? () => (board.ruling.value = bet) : null}
          />
        ))}
      </ul>
      {more > 0 && <p class="console-hint">{t.count("more_lines", more)}</p>}
    </section>
  );
}

/** The open form of a ruling; it stays when the panel changes, until its bet is ruled on. */
export function Ruling({ board }: { readonly board: Board }) {
  const t = useWords("recording");
  const table = board.recorder.chipTable.value;
  const { ruling } = board;
  const bet = table?.to_rule?.find((each) => each.seat === ruling.value?.seat && each.box === ruling.value.box);
  const name = board.recorder.nameOf(ruling.value?.box ?? "");
  const close = (): void => {
    ruling.value = null;
  };
  const isGone = ruling.value !== null && table !== null && bet === undefined;
  useGone(isGone ? lasting(() => t("rule_gone", { seat: ruling.value?.seat ?? "", box: name })) : null, close);
  if (bet === undefined) return null;
  return (
    <RuleForm
      key={`${bet.seat} ${bet.box}`}
      bet={bet}
      name={name}
      table={board.desk.name}
      late={table?.reading === "late"}
      ask={(command) => board.desk.ask(command)}
      onClose={close}
    />
  );
}

interface AwaitingProps {
  readonly bet: BetToRule;
  readonly name: string;
  /** Null for persons who may not rule. */
  readonly onRule: (() => void) | null;
}

function Awaiting({ bet, name, onRule }: AwaitingProps) {
  const t = useWords("recording");
  const words = useWords("console");
  const { seat, amount, sentence, clause } = bet;
  return (
    <li class="rec-notice" data-outside="ruling" tabIndex={-1}>
      <span class="rec-notice-sign" aria-hidden="true">
        §
      </span>
      <span class="rec-notice-words">
        <strong>{t("to_rule_line", { seat, box: name, amount: money(amount) })}</strong> {sentence}
        <span class="console-clause"> {cited(words, clause)}</span>
      </span>
      <span class="rec-notice-acts">{onRule !== null && <Button aria-label={t("rule_open_of", { seat, box: name })} onClick={onRule}>{t("rule_open")}</Button>}</span>
    </li>
  );
}
