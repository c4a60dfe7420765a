/** The gaming day: opening count, fills and credits, and the counts still to be made. */

import type { ComponentChildren } from "preact";

import type { ChipTable } from "../../live/index.ts";
import type { ChipDay, SeatMoney, Step } from "../../protocol.ts";
import { Button, Money } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import { capital } from "../../words/capital.ts";
import type { Entry } from "../history/log.ts";
import { stepOf } from "../steps/next.ts";
import { Figure } from "./figure.tsx";
import type { Opened } from "./forms/form_name.ts";
import { apartOf, counted, lastCount, resultSentence } from "./forms/results.ts";
import { WinFormula } from "./win.tsx";

interface Props {
  readonly table: ChipTable;
  /** Whether the table is closed: then the day can be opened, or closed. */
  readonly closed: boolean;
  readonly steps: readonly Step[];
  readonly log: readonly Entry[];
  readonly onOpen: (opened: Opened) => void;
}

export function Day({ table, closed, steps, log, onOpen }: Props) {
  const t = useWords("console");
  const { day } = table;
  return (
    <section class="money-part" aria-labelledby="money-day">
      <h2 id="money-day">{day == null ? t("money_day") : t("money_day_of", { date: day.date })}</h2>
      <LastCount log={log} />
      {day == null ? (
        <NoDay steps={steps} onOpen={onOpen} />
      ) : (
        <>
          <Figures day={day} />
          <Underway title={t("money_fills_coming")} list={table.fills ?? []}>
            {(fill) => (
              <Button onClick={() => onOpen({ form: "receive", name: fill.name })}>
                {t("money_receive_open")}
              </Button>
            )}
          </Underway>
          <Underway title={t("money_credits_going")} list={table.credits ?? []}>
            {(credit) => (
              <Button
                aria-label={t("money_credit_back_of", { transit: credit.name })}
                onClick={() => onOpen({ form: "credit-back", name: credit.name })}
              >
                {t("money_credit_back_open")}
              </Button>
            )}
          </Underway>
          <DayActs closed={closed} steps={steps} onOpen={onOpen} />
        </>
      )}
    </section>
  );
}

function NoDay({ steps, onOpen }: Pick<Props, "steps" | "onOpen">) {
  const t = useWords("console");
  return (
    <>
      <p class="console-hint">{t("money_no_day")}</p>
      <div class="money-acts">
        <StepButton step={stepOf(steps, "OpenDay")} onPress={() => onOpen({ form: "open-day" })}>
          {t("money_open_day_open")}
        </StepButton>
      </div>
    </>
  );
}

function Figures({ day }: { readonly day: ChipDay }) {
  const t = useWords("console");
  const figures = [
    [t("money_opening"), day.opening],
    [t("money_fills"), day.fills],
    [t("money_credits"), day.credits],
    [t("money_drop_counted"), day.drop],
  ] as const;
  return (
    <dl class="money-figures">
      {figures.map(([name, cents]) => (
        <Figure key={name} name={name}>
          <Money cents={cents} />
        </Figure>
      ))}
    </dl>
  );
}

interface UnderwayProps {
  readonly title: string;
  readonly list: readonly SeatMoney[];
  readonly children?: (each: SeatMoney) => ComponentChildren;
}

/** Chips in transit between the table and the cage. */
function Underway({ title, list, children }: UnderwayProps) {
  if (list.length === 0) return null;
  return (
    <div class="money-underway">
      <h3>{title}</h3>
      <ul class="money-list">
        {list.map((each) => (
          <li key={each.name}>
            <span>
              {each.name} <Money cents={each.amount} />
            </span>
            {children?.(each)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function DayActs({ closed, steps, onOpen }: Pick<Props, "closed" | "steps" | "onOpen">) {
  const t = useWords("console");
  return (
    <>
      <div class="money-acts">
        {!closed && <Button onClick={() => onOpen({ form: "credit" })}>{t("money_credit_open")}</Button>}
        <StepButton step={stepOf(steps, "CountDrop")} onPress={() => onOpen({ form: "count-drop" })}>
          {t("money_count_drop_open")}
        </StepButton>
        {closed && (
          <StepButton step={stepOf(steps, "CloseDay")} onPress={() => onOpen({ form: "close-day" })}>
            {t("money_close_day_open")}
          </StepButton>
        )}
      </div>
      {!closed && <p class="console-hint">{t("money_close_later")}</p>}
    </>
  );
}

interface StepButtonProps {
  readonly step: Step | null;
  readonly onPress: () => void;
  readonly children: string;
}

/** The button of a step; while the server refuses it, it is disabled and shows the reason. */
function StepButton({ step, onPress, children }: StepButtonProps) {
  const refused = step?.standing === "refused";
  return (
    <span class="money-step">
      <Button
        aria-disabled={refused || undefined}
        onClick={() => {
          if (!refused) onPress();
        }}
      >
        {children}
      </Button>
      {refused && step.sentence != null && <span class="console-hint">{capital(step.sentence)}</span>}
    </span>
  );
}

/** The last count, compared with the books. */
function LastCount({ log }: { readonly log: readonly Entry[] }) {
  const t = useWords("console");
  const count = lastCount(log);
  return (
    <div role="status">
      {count !== null && (
        <div class="money-outcome" data-apart={counted(count) !== count.expected}>
          <p>
            {resultSentence(t, count)} {apartOf(t, counted(count), count.expected)}
          </p>
          {count.type === "DayClosed" && <WinFormula {...count} />}
        </div>
      )}
    </div>
  );
}
